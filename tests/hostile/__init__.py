"""The fuzzing suite: malformed input to a server in its own process.

It attacks every method, route and limit that reflection and `/openapi.json` list. No answer is a
fault of the server, `/openapi.json` describes every JSON answer, and all transports refuse a
message alike. `corpus` has the inputs that mutations found, with the outcome of each.
"""
