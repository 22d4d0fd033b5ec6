"""Callers and their rights: tokens, roles, permissions.

The `Authenticator` finds the caller of a bearer token. The `Authorizer` decides whether that caller
may call a method. `admission` re-checks the caller once its rows are locked.

The rule: an object of another organization and an unknown object get the same error.
"""
