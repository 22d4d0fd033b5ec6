"""Preconditions and retries of every change, by the methods of the schema."""
