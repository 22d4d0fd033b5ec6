"""Limits of requests: field types, pages of lists, and their description as JSON Schema.

The rule: a limit stands once, in the type of a command's field, and every wrong field is reported.
"""
