"""Tests of users, roles and tokens."""
