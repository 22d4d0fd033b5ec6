"""The state of the system."""
