"""Pages of the web port for people, developers and monitoring. None needs a token."""
