"""Debian's postfix, with TLS and SASL, as a mail server of the tests' own.

Its configuration, queue, users and certificates are in a temporary folder. It listens on loopback
alone and sends nothing anywhere: readers have folders. The machine's own postfix is neither changed
nor started. It needs root, as every postfix does.
"""
