"""Tests of `server/access`."""
