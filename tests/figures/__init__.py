"""The figures of organizations."""
