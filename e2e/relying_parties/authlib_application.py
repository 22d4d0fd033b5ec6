"""An application with Authlib and Starlette.

Settings: ADDRESS to listen on, ISSUER, CLIENT_ID and CLIENT_SECRET.
"""

import os
import secrets

import uvicorn
from authlib.integrations.starlette_client import OAuth
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

_HOME = f"http://{os.environ['ADDRESS']}"

_oauth = OAuth()
_keystead = _oauth.register(
    "keystead",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{os.environ['ISSUER']}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email groups", "code_challenge_method": "S256"},
)


async def _whoami(request: Request) -> Response:
    if (person := request.session.get("person")) is not None:
        return JSONResponse(person)
    redirect: Response = await _keystead.authorize_redirect(request, f"{_HOME}/callback")
    return redirect


async def _callback(request: Request) -> Response:
    token = await _keystead.authorize_access_token(request)
    user_info = await _keystead.userinfo(token=token)
    request.session["person"] = {"id_token": token["userinfo"], "userinfo": user_info}
    request.session["id_token"] = token["id_token"]
    return RedirectResponse("/whoami")


async def _logout(request: Request) -> Response:
    id_token = request.session.pop("id_token")
    del request.session["person"]
    redirect: Response = await _keystead.logout_redirect(
        request, f"{_HOME}/goodbye", id_token_hint=id_token
    )
    return redirect


async def _goodbye(request: Request) -> Response:
    await _keystead.validate_logout_response(request)
    return PlainTextResponse("Goodbye")


app = Starlette(
    routes=[
        Route("/whoami", _whoami),
        Route("/callback", _callback),
        Route("/logout", _logout),
        Route("/goodbye", _goodbye),
    ],
    middleware=[
        Middleware(SessionMiddleware, secret_key=secrets.token_urlsafe(), session_cookie="authlib")
    ],
)

if __name__ == "__main__":
    host, _, port = os.environ["ADDRESS"].rpartition(":")
    uvicorn.run(app, host=host, port=int(port), log_level="warning")
