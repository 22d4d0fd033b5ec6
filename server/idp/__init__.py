"""Identity providers of an organization.

RPCs: AddIDP, GetIDP, ListIDPs, UpdateIDP (deprecated), PatchIDP, RemoveIDP.

The rule: an identity provider is found only together with the organization that owns it. One of
another organization does not exist.
"""
