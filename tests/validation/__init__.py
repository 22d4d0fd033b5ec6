"""Tests of `server/validation`."""
