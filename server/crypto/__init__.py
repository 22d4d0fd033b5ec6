"""Secrets at rest: encryption under a keyring, and files that only their owner can read.

The rule: a secret is stored encrypted, with its owner as associated data, and never logged.
"""
