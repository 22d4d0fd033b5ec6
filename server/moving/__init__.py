"""Users who move in from other systems, with their passkeys, and out again.

RPCs: ImportUsers, ExportUsers.

The rule: an import has the rights of its caller, as if the caller created each user and added each
credential. Each user is written whole or not at all, and a call is one transaction. The tables of
users, passkeys, links and memberships are written by the stores of their features, in statements
for all users of a call.
"""
