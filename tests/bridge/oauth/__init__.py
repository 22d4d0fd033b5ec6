"""The endpoints of OAuth over HTTP."""
