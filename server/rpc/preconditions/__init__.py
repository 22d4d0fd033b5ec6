"""Preconditions, validation without effect, and retries of changes (decision 11).

`demands` reads the headers of a call, `changes` knows the object that a method changes,
`run` runs the method in a transaction, and `idempotent_answers` stores its answer.

The rule: no method knows of them.
"""
