"""The organizations of the instance.

RPCs: CreateOrganization, GetOrganization, PatchOrganization, RemoveOrganization, ListOrganizations.

The rule: exactly one organization is the default organization. The first start creates it, and it
owns the resources of the whole instance.
"""
