"""The event log as an API, over `server/log`.

RPCs: ListEvents, WatchEvents.

The rule: a field of an event is shown only if the event declares it as `Shown`. Personal data,
hashes of tokens, and values that require another permission are withheld.
"""
