"""Values that every package uses: errors, network addresses, mail addresses, origins.

The rule: nothing here imports another package of the server.
"""
