"""Passkeys: the ceremony as pure functions, and the four methods over the native port."""
