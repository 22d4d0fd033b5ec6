"""Keys that sign JSON Web Tokens for services that verify them offline (ES256 and RS256).

`schedule.py` decides which key of an algorithm signs, `commands.py` makes, rotates and withdraws
keys, `signer.py` signs, verifies and publishes the key set in a running server.

The rule: a key is published a day before it signs and until its last token has expired. All times
are those of the database's clock, and a private key is in plaintext only in memory (decision 14).
"""
