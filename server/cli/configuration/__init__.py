"""`keystead plan`, `apply` and `export configuration`: an organization or the instance as a file.

`kinds.py` is the table of what a file can have; `fields.py` derives the fields of a kind from the
schema. `document.py` reads a file, `wanted.py` checks what it wants, and `reading.py` reads the
server. `plan.py` compares them, `apply.py` makes the `changes.py`, `words.py` shows them, and
`running.py` does all of it. `export.py` writes a file, and `client.py` calls a server.

The rule: a server is called by its public API, with a token, and a new kind is a row of the table.
"""
