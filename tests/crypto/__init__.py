"""Tests of `server/crypto`."""
