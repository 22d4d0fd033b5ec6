"""Identity providers of an organization.

RPCs: CreateIDP, GetIDP, ListIDPs, UpdateIDP (deprecated), PatchIDP, RemoveIDP.

The rule: a query finds an identity provider only within the organization that owns it. A caller in
another organization gets NOT_FOUND.
"""
