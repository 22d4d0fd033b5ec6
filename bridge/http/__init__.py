"""HTTP/1.1 on the web port: limits of a connection, and responses to malformed requests.

The rule: a connection that makes no call costs a bounded amount of memory and time.
"""
