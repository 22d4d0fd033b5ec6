"""Commands other than `serve`: those of the API, for an operator."""
