"""Tests of `server/log`."""
