"""Values that every package uses: errors, names, addresses, origins, progress.

The rule: nothing here imports another package of the server.
"""
