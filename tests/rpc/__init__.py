"""Tests of `server/rpc`."""
