"""Users, their roles and their tokens.

RPCs: CreateUser, GetCurrentUser, GetUser, ListUsers, PatchUser, RemoveUser, GrantRole, RevokeRole,
CreateToken, ListTokens, RevokeToken.

The rule: a user is one aggregate, and its tokens and passkeys are part of it. Every command on any
of them locks the user's row first, so what a user has is never counted or removed while it changes.
"""
