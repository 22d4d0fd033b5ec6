"""Tests of `server/signup`."""
