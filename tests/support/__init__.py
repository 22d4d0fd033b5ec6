"""Clients, servers and fakes that more than one suite uses."""
