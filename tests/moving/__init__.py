"""Users who move in, and out."""
