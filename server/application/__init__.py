"""Applications of an organization: the clients of OAuth 2.0 and OpenID Connect.

RPCs: CreateApplication, GetApplication, ListApplications, PatchApplication, RemoveApplication,
CreateApplicationSecret, RemoveApplicationSecret.

The rule: an application is stored only if all its fields together are valid
(`configuration.py`), which is decided while its row is locked. A secret is in plaintext only in the
response that creates it.
"""
