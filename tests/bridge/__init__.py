"""Tests of the web port."""
