"""The authorization of devices without a browser (RFC 8628, decision 26).

The rule: of a user code or a device code, only a hash is stored, and each use of a user code counts
before it is looked up. An approval is a row of `oauth_authorizations`, as every other one.
"""
