"""The change of a user's mail address by the user itself (decision 22).

RPCs: RequestEmailChange, ConfirmEmailChange, CancelEmailChange.

The rule: whoever reads a mailbox can use neither the link of another user nor one without a session
of the user, so that nobody confirms an address for a stranger. The row of the user has the ID of
its latest request: a link with another ID is over. Only the holder of the mailbox learns that
another user has the address.
"""
