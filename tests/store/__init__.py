"""Tests of `server/store`."""
