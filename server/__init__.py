"""Keystead: an identity management service. See ARCHITECTURE.md for the map."""
