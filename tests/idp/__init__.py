"""Tests of identity providers."""
