"""Searches for secrets in every place where they could leak."""
