"""Processes: workers, signals, garbage collection, the embedded PostgreSQL.

The rule: a process that is started here ends with its parent.
"""
