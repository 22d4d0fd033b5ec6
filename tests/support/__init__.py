"""Clients, servers and fakes shared by several suites."""
