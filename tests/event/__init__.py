"""Tests of the event log as an API."""
