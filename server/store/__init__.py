"""PostgreSQL: the connections, the schema and the event log.

Offers statements and transactions (`database`), fair admission to the pool (`turns`), `append`
(`eventlog`), readers of the log (`audit`, `follow`) and the schema's migrations (`migrate`).

The rule: only `database` imports the driver, and no other package writes to the table `events`.
"""
