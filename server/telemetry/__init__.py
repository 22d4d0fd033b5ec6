"""What a running server tells its operators: logs, metrics, failures of background work.

The rule: telemetry never delays a call and never makes one fail.
"""
