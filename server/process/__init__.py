"""Processes: workers, signals, the embedded PostgreSQL.

The rule: a process that is started here ends with its parent.
"""
