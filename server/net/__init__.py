"""Addresses of remote servers: SMTP servers and identity providers.

The rule: a name is resolved once, and the connection goes to the checked address.
"""
