"""Signing keys: their schedule, rotation, withdrawal and storage."""
