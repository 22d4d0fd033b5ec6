"""The command line beside `serve`: the same commands as the API, for an operator."""
