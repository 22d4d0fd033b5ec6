"""Exports of other systems, as users that ImportUsers takes.

A source has a function `users`, which reads the content of a file and gives each user as the JSON
of ImportedUser. `Left` gets the credentials and settings that a user cannot take along.

The rule: pure functions of bytes. The import checks their values.
"""
