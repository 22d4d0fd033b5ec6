"""Connections to remote servers: the addresses and the TLS of SMTP servers and identity providers.

The rule: a name is resolved once, and the connection goes to the checked address.
"""
