"""Tests of mails with Debian's postfix, with TLS and SASL.

Its configuration, queue, users and certificates are in a temporary folder. It listens only on
loopback, and delivers all mails into the folder. The machine's own postfix is neither changed nor
started. Postfix needs root.
"""
