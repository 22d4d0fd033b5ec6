"""Callers and their rights: tokens, roles, permissions.

Offers the `Authenticator`, which finds the caller of a bearer token, and the `Authorizer`, which
decides whether that caller may call a method.

The rule: a refusal is the same whether its target is foreign or unknown.
"""
