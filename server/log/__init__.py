"""The event log, from the declaration of an event to the archive of its month.

In the order of reading: `event` declares events, and `append` writes one with its projections
(`projection` has the common ones). `positions` gives each event a place in one order of all events,
and `lives` says which places a restored log still has. `feed`, `pages` and `audit` read the log,
for streams, callers and operators. `partitions` are months. `checkpoints` reveal changes, `witness`
notices that checkpoints are gone, and `verification` compares the log with them. `archives` moves
months to files and back.

The rule: nothing here changes an event, no event is appended without its projections, and whatever
follows the log follows positions.
"""
