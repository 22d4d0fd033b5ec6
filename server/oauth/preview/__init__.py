"""The claims that an application would get of a user.

RPC: GetApplicationClaims of ApplicationService.

The rule: the functions that make ID tokens and userinfo give the claims. Nothing is issued.
"""
