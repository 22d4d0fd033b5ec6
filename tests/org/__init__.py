"""Tests of organizations."""
