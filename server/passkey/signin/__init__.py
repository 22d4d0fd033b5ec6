"""Signing in with a passkey: challenge, assertion, session.

StartPasskeySignIn, CompletePasskeySignIn, and reauthentication for SessionService.

The rule: an assertion is verified against a passkey that was read at one sequence of its user. The
session is written only if the user is still at that sequence.
"""
