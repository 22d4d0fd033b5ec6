"""Tests of `server/settings`."""
