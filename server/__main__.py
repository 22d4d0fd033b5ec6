"""`python -m server` is the `keystead` command."""

from server.cli import main

main()
