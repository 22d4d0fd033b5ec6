"""Sessions of users: what a sign-in creates, until it ends.

GetCurrentSession, SignOut, StartReauthentication, CompleteReauthentication, ListSessions,
EndSession, EndSessions. Features by which people sign in start sessions with the statements of
`store.py`: the event, and the rows of both tables.

The rule: a session token is made by a successful sign-in and never adopted; and what identifies a
person's device stays out of the log, so that it can be erased.
"""
