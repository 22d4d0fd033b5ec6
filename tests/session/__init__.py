"""Tests of sign-ins and sessions."""
