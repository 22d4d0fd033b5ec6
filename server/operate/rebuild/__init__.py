"""`keystead rebuild`: replays the event log into fresh tables, compares, and repairs.

The fresh tables are in the schema `keystead_rebuild` (`workspace`), and the projections of commands
fill them (`projections`). `rounds` divides new events into batches. `replay` replays a batch in a
transaction of its own, several batches at a time. `compare` finds the rows that differ and repairs
them. `run` puts the steps together.

The rule: the live tables change in one transaction at the end, and only rows that differ. A rebuild
that is killed leaves them untouched, and the next one goes on after its last batch.
"""
