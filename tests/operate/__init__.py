"""Tests of `server/operate`."""
