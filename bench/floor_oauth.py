"""The OpenID provider of the floor: the statements of the product, without seals and signatures."""

from datetime import timedelta
from secrets import token_bytes
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

from uuid_utils import uuid7

from bench.database import REDIRECT_URI, SCOPES
from keystead.oauth.v1 import oauth_service_pb2 as pb
from keystead.oauth.v1 import oauth_service_pb2_grpc
from server.access.tokens import TokenKind, new_token, token_hash
from server.access.user_aggregate import _LOCK as LOCK_USER
from server.application.store import _FIND_CLIENT as FIND_CLIENT
from server.oauth.grant_store import _FIND as FIND_GRANT
from server.oauth.refresh_token import RefreshToken
from server.oauth.store import _ADD as ADD_AUTHORIZATION
from server.oauth.store import _USE_CODE as USE_CODE
from server.oauth.store import _USE_REFRESH_TOKEN as USE_REFRESH_TOKEN
from server.session.store import GET as GET_SESSION
from server.user.store import GET as GET_USER
from server.values.pkce import challenge_of

_USER: Final = "00000000-0000-7000-8000-000000000000"  # with a session of the same ID
_DAY: Final = timedelta(days=1)

Answer: TypeAlias = Any


class OAuth(oauth_service_pb2_grpc.OAuthServiceServicer):
    """The code flow, refresh and client credentials."""

    def __init__(self, database: Any) -> None:
        self._database = database

    async def StartAuthorization(
        self, request: pb.StartAuthorizationRequest, _context: Any
    ) -> Answer:
        await self._database.fetch_row(FIND_CLIENT, client_id=request.client_id)
        return pb.StartAuthorizationResponse(
            sealed_request=f"{request.client_id} {request.code_challenge}"
        )

    async def ApproveAuthorization(
        self, request: pb.ApproveAuthorizationRequest, _context: Any
    ) -> Answer:
        client_id, code_challenge = request.sealed_request.split()
        fetch_row = self._database.fetch_row
        await fetch_row(FIND_CLIENT, client_id=client_id)
        await fetch_row(LOCK_USER, user_id=_USER)
        await fetch_row(GET_SESSION, user_id=_USER, session_id=_USER, idle_timeout=_DAY)
        await fetch_row(FIND_GRANT, user_id=_USER, application_id=client_id)
        code = new_token(TokenKind.APPLICATION_CODE)
        await fetch_row(
            ADD_AUTHORIZATION,
            authorization_id=str(uuid7()),
            application_id=client_id,
            user_id=_USER,
            session_id=_USER,
            redirect_uri=REDIRECT_URI,
            code_challenge=code_challenge,
            nonce="nonce",
            scopes=SCOPES,
            id_token_claims=(),
            user_info_claims=(),
            resources=(),
            resource_ids=(),
            resource_scopes=(),
            began_with=(),
            code_hash=token_hash(code),
            code_expires_at=None,
            code_lifetime=timedelta(minutes=1),
        )
        parameters = urlencode({"code": code, "state": "state"})
        return pb.ApproveAuthorizationResponse(redirect_uri=f"{REDIRECT_URI}?{parameters}")

    async def ExchangeToken(self, request: pb.ExchangeTokenRequest, _context: Any) -> Answer:
        await self._database.fetch_row(FIND_CLIENT, client_id=request.client_id)
        response = pb.ExchangeTokenResponse(expires_in=300)
        if request.code:
            refresh_token = RefreshToken.new()
            row = await self._database.fetch_row(
                USE_CODE,
                code_hash=token_hash(request.code),
                application_id=request.client_id,
                redirect_uri=request.redirect_uri,
                code_challenge=challenge_of(request.code_verifier),
                resource="",
                family=refresh_token.family,
                generation=refresh_token.generation,
                idle=_DAY,
                lifetime=_DAY,
            )
        elif request.refresh_token:
            refresh_token = RefreshToken(request.refresh_token)
            salt = token_bytes(16)
            row = await self._database.fetch_row(
                USE_REFRESH_TOKEN,
                family=refresh_token.family,
                generation=refresh_token.generation,
                successor=refresh_token.successor(salt).generation,
                salt=salt,
                rotates=False,
                application_id=request.client_id,
                scopes=(),
                resource="",
                idle=_DAY,
            )
        else:
            return response
        user_id, session_id = row["user_id"], row["session_id"]
        await self._database.fetch_row(
            GET_SESSION, user_id=user_id, session_id=session_id, idle_timeout=_DAY
        )
        await self._database.fetch_row(GET_USER, user_id=user_id)
        response.refresh_token = refresh_token.text
        return response
