"""JSON over the methods of the seam, by the routes of `google.api.http`.

A stream is answered as server-sent events.

The rule: JSON has the same requests and answers as gRPC, and a member without a field is refused.
"""
