"""Passkeys: RegisterPasskey, VerifyPasskeyRegistration, ListPasskeys, RemovePasskey.

The rule: a credential is stored only by the ceremony that its challenge was made for, once, and
only after everything it says has been verified against what that ceremony stored when it began.
"""
