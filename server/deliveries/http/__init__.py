"""An HTTP client: sends pushes to targets, over connections that it keeps for a while."""
