"""A tour of the server for people: `make try`."""
