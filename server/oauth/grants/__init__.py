"""The grants of users to applications: what people see of them, and end.

RPCs: ListGrants and RevokeGrant of ApplicationService.

The rule: a grant ends under the lock of its user, together with its codes and tokens.
"""
