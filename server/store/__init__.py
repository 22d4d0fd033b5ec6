"""PostgreSQL: the connections, the schema and the event log.

Offers statements and transactions (`database`), fair admission to the pool (`turns`), `append`
(`eventlog`), readers of the log (`audit`, `follow`) and the schema's migrations (`migrate`).

The rule: only `database` imports the driver, and no other package writes to the table `events`.

A feature's tables are read and written by that feature. `unique_claims` is shared: one index makes
a value unique across aggregates, so the projections of each feature write rows of their own kinds
(`organization_name`, `default_organization`, `user_name`, `credential_id`). All features may read
the default organization from it, which owns the objects of the whole instance.
"""
