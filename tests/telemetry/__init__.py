"""Tests of `server/telemetry`."""
