"""Passkeys, and the links by which users without a token register passkeys.

RPCs: RegisterPasskey, CheckPasskeyRegistration, VerifyPasskeyRegistration, ListPasskeys,
ListUnmovedUsers, RenamePasskey, RemovePasskey, CreatePasskeyRegistrationLink,
RequestPasskeyRecovery.

The rule: a credential is stored once, only by the ceremony of its challenge, and only after every
check against the values that the ceremony stored at its start. No ceremony or returned link
outlives the token or role by which it was created.
"""
