"""An upgrade of installed releases: `python -m chaos.upgrade`.

`releases.py` builds an older release from the history of the repository, and installs it by its own
lock. `client.py` runs in the environment of a release, with its client. `rolling.py` replaces the
servers one by one, and goes back; `stopping.py` is for releases whose servers must stop before.

The rule: the older release is used only through its own wheel, its own command and its own client.
"""
