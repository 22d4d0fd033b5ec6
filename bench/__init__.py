"""How fast the server is, beside the least that any server of its kind must do.

`python -m bench` starts PostgreSQL, the bare floor (`floor.py`) and the server as a user runs it,
each a process of its own, calls them in turn with k6 (`load.js`), reads from the operating system
how much processor time they took, and prints Markdown. `README.md` has the last results and says
how to read them.

The rule: a figure is never compared with one of another run. What is compared was measured in turn,
several times, and the spread is shown.
"""
