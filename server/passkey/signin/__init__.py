"""Signing in with a passkey: the challenge, the verified assertion, the session.

StartPasskeySignIn, CompletePasskeySignIn, and the ceremony of SessionService's reauthentication.

The rule: an assertion is verified against the passkey as it was read at one sequence of its user,
and counts only if the user is still at that sequence when the session is written.
"""
