"""The event log after its events were written: their order, readers, checkpoints, archives.

`positions` gives each event a place in one order of all events. `feed` follows this order for
streams, `event_pages` reads it for lists; `audit` and `follow` read the log for operators.
`event_checkpoints` stores the checkpoints, `event_partitions` and `event_archives` move months.

The rule: nothing here changes an event.
"""
