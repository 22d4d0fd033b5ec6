"""The OpenID provider."""
