"""Tests of `server/push`."""
