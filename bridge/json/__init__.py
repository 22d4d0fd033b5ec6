"""JSON over the methods of the seam, by the routes of `google.api.http`.

The rule: JSON accepts and answers exactly what gRPC does; a member that no field has is refused.
"""
