"""Applications by client ID metadata documents (draft-ietf-oauth-client-id-metadata-document).

The `client_id` is the https URL of a document with the configuration of the application, which
nobody has to add. An organization names the hosts whose documents its users may use.

The rule: a document is fetched only from a host that an organization admits, and within budgets.
It is never first-party, and no other URL of it is fetched except for keys of its own origin.
"""
