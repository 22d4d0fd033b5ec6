"""`keystead rebuild`: replays the event log into fresh tables, compares, and repairs.

The fresh tables are temporary ones of one connection, and have the names of the read tables, which
the projections of commands name (`projections`). `replay` fills them in the order of positions,
some thousand events at a time. `compare` finds the rows that differ and repairs them. `run` puts
the steps together.

The rule: the live tables change in one transaction at the end, and only rows that differ. A rebuild
that is killed leaves nothing behind.
"""
