"""Constructs the objects of a server and of commands from the settings.

`services.py` constructs the services of a server, with `policies.py` and `options.py`.
`dependencies.py` has the dependencies of commands other than the database, for the server and the
command line.

The rule: nothing here runs. Features get the functions of other features and the values of settings
from here. This file imports nothing, so that the command line loads no transport.
"""
