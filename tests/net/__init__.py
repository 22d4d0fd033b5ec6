"""Tests of addresses that the server connects to."""
