"""Connections to SMTP servers and identity providers: addresses, TLS, and the steps of a test.

The rule: a name is resolved once, and the connection goes to the checked address.
"""
