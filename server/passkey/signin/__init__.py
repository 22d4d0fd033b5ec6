"""Signing in with a passkey: challenge, assertion, session.

RPCs: StartPasskeySignIn, CompletePasskeySignIn, SignInAfterRegistration, CheckReturn, and the
reauthentication of SessionService.

The rule: an assertion is verified against a passkey that was read at one sequence of its user. The
session is written only if the user is still at that sequence.
"""
