"""A client of Keystead for asyncio.

`connect` opens a channel for the generated stubs (`keystead.user.v1.user_service_pb2_grpc`).
`SessionVerifier` verifies JWTs of sessions offline, `EndedSessions` watches for sessions that end,
and `Introspector` asks the server for the user of a session token.

The rule: only calls that are safe to repeat are repeated.
"""

from keystead_client.channel import connect
from keystead_client.ended_sessions import EndedSessions
from keystead_client.errors import KeysteadError
from keystead_client.introspection import Introspector
from keystead_client.key_set import KeySet, KeysUnavailableError
from keystead_client.tokens import Token, token_file
from keystead_client.verifier import RefusedSessionError, Session, SessionVerifier

__all__ = [
    "EndedSessions",
    "Introspector",
    "KeySet",
    "KeysUnavailableError",
    "KeysteadError",
    "RefusedSessionError",
    "Session",
    "SessionVerifier",
    "Token",
    "connect",
    "token_file",
]
