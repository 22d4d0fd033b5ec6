"""The seam between transports and methods.

Offers `Methods`, which wraps every method once with a request id, a deadline, a caller, a
permission check, an error status, metrics and a log line; the gRPC port, health and reflection.

The rule: every transport calls the same wrapped handlers, and nothing else ends a call.
"""
