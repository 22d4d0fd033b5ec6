"""Links of users to their identities at identity providers, by which they sign in.

RPCs: LinkIDP, ListIDPLinks, UnlinkIDP.

The rule: an identity is an issuer and a subject at one identity provider, and is linked to at most
one user. No other claim, such as a mail address, ever creates a link.
"""
