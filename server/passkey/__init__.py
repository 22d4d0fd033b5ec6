"""Passkeys, and the links by which users without a token register them.

RegisterPasskey, VerifyPasskeyRegistration, ListPasskeys, RenamePasskey, RemovePasskey,
CreatePasskeyRegistrationLink.

The rule: a credential is stored only by the ceremony that its challenge was made for, once, and
only after everything it says has been verified against what that ceremony stored when it began;
and no ceremony or returned link outlives the token or role by which it was created.
"""
