"""The time until an end of access is seen everywhere: `python -m chaos.revocation`.

`places.py` has the places that refuse, or are told, and `installation.py` runs them. `ends.py` has
the kinds of ends, and `measured.py` the times.

The rule: a time is that from the answer to the call that ends access, to the first request that is
refused. Requests are sent every 50 ms, so it is an upper bound. A request that begins after the
bound of its place, and is accepted, is a broken promise.
"""
