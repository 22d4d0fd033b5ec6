"""Secrets are where they belong and nowhere else."""
