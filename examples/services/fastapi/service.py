"""A service with an endpoint for people who have a session of Keystead.

Settings: ADDRESS to listen on, KEYSTEAD_URL of the web port, ISSUER and AUDIENCE of the JWTs, and
ORG_IDS, the organizations whose users are accepted, separated by commas (all by default). With
KEYSTEAD_GRPC_ADDRESS and KEYSTEAD_TOKEN_FILE, the token of a user who has ROLE_SESSION_VERIFIER, a
session that has ended is refused at once.
"""

import contextlib
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from keystead_client import (
    EndedSessions,
    KeySet,
    KeysUnavailableError,
    RefusedSessionError,
    Session,
    SessionVerifier,
    connect,
    token_file,
)

_bearer = HTTPBearer(auto_error=False, description="A JWT of IssueSessionJWT")


@contextlib.asynccontextmanager
async def _verifying(app: FastAPI) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as stack:
        ended = app.state.ended = None
        if address := os.environ.get("KEYSTEAD_GRPC_ADDRESS"):
            token = token_file(os.environ["KEYSTEAD_TOKEN_FILE"])
            # In production with TLS: without `plaintext`.
            channel = await stack.enter_async_context(connect(address, token, plaintext=True))
            ended = app.state.ended = await stack.enter_async_context(EndedSessions(channel))
        app.state.verifier = SessionVerifier(
            KeySet(os.environ["KEYSTEAD_URL"]),
            issuer=os.environ["ISSUER"],
            audience=os.environ["AUDIENCE"],
            ended=ended,
            org_ids=os.environ["ORG_IDS"].split(",") if "ORG_IDS" in os.environ else None,
        )
        yield


async def current_session(
    request: Request, bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Session:
    """The session of the caller: a dependency of each endpoint that it protects."""
    verifier: SessionVerifier = request.app.state.verifier
    try:
        return await verifier.verify(bearer.credentials if bearer else "")
    except RefusedSessionError as error:
        # RFC 6750, section 3.1
        headers = {"www-authenticate": 'Bearer error="invalid_token"'}
        raise HTTPException(401, f"A valid JWT is required. {error}", headers) from None
    except KeysUnavailableError as error:
        raise HTTPException(503, str(error), {"retry-after": "5"}) from None


CurrentSession = Annotated[Session, Depends(current_session)]
app = FastAPI(title="Orders", lifespan=_verifying)


@app.get("/whoami")
async def whoami(session: CurrentSession) -> Response:
    """The user and the session of the caller."""
    return Response(f"{session.user_id} {session.session_id}\n", media_type="text/plain")


@app.get("/ready")
async def ready(request: Request) -> Response:
    """503 while the service has not been told of ended sessions for a minute, or never yet."""
    ended: EndedSessions | None = request.app.state.ended
    is_late = ended is not None and ended.behind > timedelta(minutes=1)
    return Response(status_code=503 if is_late else 204)


if __name__ == "__main__":
    host, _, port = os.environ["ADDRESS"].rpartition(":")
    uvicorn.run(app, host=host, port=int(port))
