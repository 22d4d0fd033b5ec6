"""Measures the server against a minimal one.

`python -m bench` starts PostgreSQL, the minimal server (`floor.py`, the floor) and the product as
separate processes, calls them in turn with k6 (`load.js`), reads their processor time from the
operating system, and prints Markdown. `README.md` has the last results and explains them.

The rule: figures of different runs are never compared. Compared figures are measured in turn,
several times, and shown with their spread.
"""

import server  # noqa: F401 -- sets the variables of gRPC, which are read at its import
