"""HTTP/1.1 on the web port: limits of a connection, and answers to bytes that are no request.

The rule: a connection that makes no call costs a bounded amount of memory and time.
"""
