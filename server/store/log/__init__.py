"""The event log after its events were written: their order, readers, checkpoints, archives.

`positions` gives each event a place in one order of all events, which `feed` follows for streams
and `audit` for operators. `event_pages` and `audit` read pages. `event_checkpoints` stores the
checkpoints, `event_partitions` and `event_archives` move months.

The rule: nothing here changes an event, and whatever follows the log follows positions.
"""
