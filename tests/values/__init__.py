"""Tests of `server/values`."""
