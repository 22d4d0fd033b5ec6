"""The operating system's side of a server: worker processes, signals, the embedded PostgreSQL.

The rule: every process that is started here ends with the process that started it.
"""
