"""Real servers, a real PostgreSQL, real clients."""
