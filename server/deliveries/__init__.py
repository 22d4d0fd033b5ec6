"""The mechanism of deliveries: attempts, results, the loop, and the clients of SMTP and HTTP.

Each kind of delivery (`server/mail`, `server/push`) has its own tables, whose statements stand
whole in its `leases`: they lease due deliveries, and record results. `loop` makes several attempts
at a time, `recording` records their results, and `results` has the types that all share.

The rule: a delivery is written in the transaction of the change that it reports, or of the
checkpoint that covers the change. Only the process that holds its lease sends it, outside of any
transaction. Delivery is at least once.
"""
