"""PostgreSQL: the connections and the schema.

Offers statements and transactions (`database`), connections (`connecting`, `pool`) and fair
admission to them (`turns`), the errors of the driver as errors of this server (`refusals`), rows as
objects (`rows`), values that may be used once (`one_time`), the deletion of rows whose retention
has passed (`retention`), the schema of this release (`schema`) and migrations to it (`migrate`).

The rule: only `database`, `connecting`, `pool` and `refusals` import the driver.

A feature's tables are read and written by that feature. `unique_claims` is shared: one index makes
a value unique across aggregates, so the projections of each feature write rows of their own kinds
(`organization_name`, `default_organization`, `user_name`, `credential_id`). All features may read
the default organization from it, which owns the objects of the whole instance.
"""
