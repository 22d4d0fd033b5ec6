"""The signals by which a command is asked to end."""

import signal


def stop_signals() -> list[signal.Signals]:
    """SIGTERM, SIGINT (Ctrl-C) and SIGHUP (its terminal is closed).

    Without SIGHUP where that is ignored: whoever did so, like nohup, wants it to go on.
    """
    wanted = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        wanted.append(signal.SIGHUP)
    return wanted
