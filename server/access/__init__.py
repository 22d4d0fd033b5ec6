"""Callers and their rights: tokens, roles, permissions.

Offers the `Authenticator`, which finds the caller of a bearer token or of a client certificate; the
`Authorizer`, which decides whether that caller may call a method; `admission`, which re-checks both
under lock; and `user_aggregate`, the row of a user for features whose objects belong to the user's
aggregate.

The rule: an object of another organization and an unknown object get the same error.
"""
