"""Logs, metrics, traces, and the failures of background work.

The rule: telemetry never delays a call and never makes one fail.
"""
