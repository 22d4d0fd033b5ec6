"""The endpoints: the method of each, and how it reads requests and answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.message import Message

from bridge.json.http_answer import HttpAnswer
from bridge.metadata import Headers
from bridge.oauth import answers, client_authentication, form_post
from bridge.oauth.parameters import filled
from keystead.oauth.v1 import oauth_service_pb2 as pb
from server.rpc.requests import RequestLimits
from server.rpc.status import EndOfCall

_SERVICE: Final = pb.DESCRIPTOR.services_by_name["OAuthService"].full_name


@dataclass(frozen=True, slots=True)
class OAuthEndpoint:
    """A path, and the request of the method that it calls.

    `read` takes the parameters in form encoding, and the headers. `refused` takes the headers of
    the request, too. Browser applications of every origin may call a `cross_origin` endpoint. One
    that `ignores_body` takes every content type.
    """

    path: str
    verbs: Sequence[str]
    request: type[Message]
    read: Callable[[bytes, Headers, RequestLimits], Message]
    answered: Callable[[Any], HttpAnswer]
    refused: Callable[[EndOfCall, Headers], HttpAnswer]
    cross_origin: bool = False
    ignores_body: bool = False

    @property
    def call_path(self) -> str:
        """The path of the method over gRPC, after which its request is named."""
        return f"/{_SERVICE}/{self.request.DESCRIPTOR.name.removesuffix('Request')}"


def _of_browser(
    path: str,
    request: type[Message],
    answered: Callable[[Any], HttpAnswer],
    *,
    verbs: Sequence[str] = ("GET", "POST"),
    names: Mapping[str, str] | None = None,
) -> OAuthEndpoint:
    """An endpoint to which a browser is sent. A page shows its errors to the user."""

    def read(text: bytes, _headers: Headers, limits: RequestLimits) -> Message:
        return filled(request, text, limits.values, names=names)

    return OAuthEndpoint(path, verbs, request, read, answered, answers.error_page)


def _of_application(
    path: str,
    request: type[client_authentication.ClientRequestMessage],
    answered: Callable[[Any], HttpAnswer],
    *,
    cross_origin: bool,
) -> OAuthEndpoint:
    """An endpoint to which an application authenticates."""

    def read(text: bytes, headers: Headers, limits: RequestLimits) -> Message:
        message = filled(request, text, limits.values)
        client_authentication.complete(message, headers)
        return message

    return OAuthEndpoint(
        path, ("POST",), request, read, answered, answers.client_error, cross_origin=cross_origin
    )


def _started(message: pb.StartAuthorizationResponse) -> HttpAnswer:
    if sealed := message.sealed_request or message.sealed_refusal:
        return answers.to_sign_in("request", sealed)
    return answers.redirect(message.redirect_uri)


def _logging_out(message: pb.StartLogoutResponse) -> HttpAnswer:
    return answers.to_sign_in("logout", message.sealed_request)


def _opened(message: pb.OpenAuthorizationResponseResponse) -> HttpAnswer:
    return form_post.page(message.redirect_uri, message.parameters)


def _fields(message: Message) -> HttpAnswer:
    return answers.json_answer(answers.fields_of(message))


def _tokens(message: pb.ExchangeTokenResponse) -> HttpAnswer:
    # Without it, the application would have what it asked for (RFC 6749, section 5.1).
    return answers.json_answer({"scope": "", **answers.fields_of(message)})


def _pushed(message: pb.PushAuthorizationRequestResponse) -> HttpAnswer:
    return answers.json_answer(answers.fields_of(message), status=201)


def _introspected(message: pb.IntrospectTokenResponse) -> HttpAnswer:
    claims = answers.fields_of(message).get("claims", {})
    return answers.json_answer({"active": message.active, **claims})


def _revoked(_message: pb.RevokeOAuthTokenResponse) -> HttpAnswer:
    return answers.empty()


def _user_info(message: pb.GetUserInfoResponse) -> HttpAnswer:
    return answers.json_answer(answers.fields_of(message).get("claims", {}))


# By the names that the discovery documents give them.
DISCOVERED: Final = {
    "authorization_endpoint": _of_browser(
        "/oauth/authorize", pb.StartAuthorizationRequest, _started
    ),
    "pushed_authorization_request_endpoint": _of_application(
        "/oauth/par", pb.PushAuthorizationRequestRequest, _pushed, cross_origin=True
    ),
    "token_endpoint": _of_application(
        "/oauth/token", pb.ExchangeTokenRequest, _tokens, cross_origin=True
    ),
    "userinfo_endpoint": OAuthEndpoint(
        "/oauth/userinfo",
        ("GET", "POST"),
        pb.GetUserInfoRequest,
        lambda _text, _headers, _limits: pb.GetUserInfoRequest(),
        _user_info,
        answers.token_error,
        cross_origin=True,
        ignores_body=True,
    ),
    "device_authorization_endpoint": _of_application(
        "/oauth/device", pb.StartDeviceAuthorizationRequest, _fields, cross_origin=False
    ),
    "introspection_endpoint": _of_application(
        "/oauth/introspect", pb.IntrospectTokenRequest, _introspected, cross_origin=False
    ),
    "revocation_endpoint": _of_application(
        "/oauth/revoke", pb.RevokeOAuthTokenRequest, _revoked, cross_origin=True
    ),
    "end_session_endpoint": _of_browser("/oauth/logout", pb.StartLogoutRequest, _logging_out),
}
ENDPOINTS: Final = (
    *DISCOVERED.values(),
    _of_browser(
        "/oauth/form_post",
        pb.OpenAuthorizationResponseRequest,
        _opened,
        verbs=("GET",),
        names={"response": "sealed_response"},
    ),
)
