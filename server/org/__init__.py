"""The organizations of the instance.

RPCs: CreateOrganization, GetOrganization, ListOrganizations.

The rule: exactly one organization is the default one. It is made at the first start and owns what
belongs to the instance as a whole.
"""
