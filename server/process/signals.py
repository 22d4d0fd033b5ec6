"""The signals that stop a command."""

import signal


def stop_signals() -> list[signal.Signals]:
    """SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal is closed).

    Without SIGHUP if it is ignored, as under nohup.
    """
    wanted = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        wanted.append(signal.SIGHUP)
    return wanted
