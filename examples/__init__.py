"""Examples: a tour of the server (`make try`), clients, and services that verify sessions."""
