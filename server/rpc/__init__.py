"""The seam between transports and methods.

Offers `Call`, which describes one call; `Methods`, which takes each call through a deadline, the
authentication, a permission check and the method to a status, metrics and a log line; the gRPC
port, health and reflection.

The rule: every transport calls the same three functions of `Methods`, and nothing else ends a call.
"""
