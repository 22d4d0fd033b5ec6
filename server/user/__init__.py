"""Users, their roles and their tokens.

RPCs: CreateUser, GetCurrentUser, GetUser, ListUsers, PatchUser, RemoveUser, LockUser, UnlockUser,
GrantRole, RevokeRole, CreateToken, CreateCertificate, CreateWorkloadCredential, ListTokens,
RevokeToken.
`attributes/` has its own.

The rule: a user is one aggregate, and its tokens and passkeys are part of it. Every command on a
part of the aggregate locks the user's row first, so that counts and removals are exact.
"""
