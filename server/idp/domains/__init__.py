"""The mail domains of an organization: claimed, and proven by a TXT record in DNS (decision 20).

RPCs: CreateMailDomain, GetMailDomain, ListMailDomains, PatchMailDomain, VerifyMailDomain,
RemoveMailDomain.

The rule: a claim has no effect. At most one organization has proven a domain (a unique claim), and
only a proven domain leads to a provider, or makes an address verified.
"""
