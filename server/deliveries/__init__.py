"""The mechanism of deliveries: leases, attempts, back-off, and the loop that makes attempts.

Each kind of delivery, such as mails (`server/mail`), has its own tables, chooses the
deliveries that are due, and knows how one is sent. `leases` writes the statements for its tables,
`loop` makes several attempts at a time, and `results` has the types that both share.

The rule: a delivery is written in the transaction of the change that it reports, or of the
checkpoint that covers the change. Only the process that holds its lease sends it, outside of any
transaction. Delivery is at least once.
"""
