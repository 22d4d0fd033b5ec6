"""Passkeys: the ceremony as pure functions, and its methods over the native port."""
