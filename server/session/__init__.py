"""Sessions of users, from the sign-in to the end of the session.

RPCs: GetCurrentSession, SignOut, StartReauthentication, CompleteReauthentication, IssueSessionJWT,
IntrospectSession, WatchEndedSessions, ListSessions, ListOrganizationSessions, EndSession,
EndSessions.

The sign-in features start sessions with the statements of `fragments.py`: the event, and the rows
of both tables. `jwt.py` issues JWTs of sessions.

The rule: the server makes a new session token at every sign-in and never accepts one from a client.
Data that identifies a person's device stays out of the log, so that it can be erased.
"""
