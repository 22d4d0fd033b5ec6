"""Identity providers of an organization.

RPCs: AddIDP, GetIDP, ListIDPs, UpdateIDP (deprecated), PatchIDP, RemoveIDP.

The rule: an identity provider is found only within the organization that owns it. To a caller in
another organization it does not exist.
"""
