"""Pages of the web port: health, metrics, documentation, passkeys. None needs a token."""
