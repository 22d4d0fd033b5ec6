"""The endpoints: the method of each, and how it reads requests and answers."""

from collections.abc import Callable, Sequence
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
    """A path, and the method that it calls.

    `read` takes the parameters in form encoding, and the headers. `refused` takes the headers of
    the request, too. Browser applications of every origin may call a `cross_origin` endpoint. One
    that `ignores_body` takes every content type.
    """

    path: str
    verbs: Sequence[str]
    method: str
    read: Callable[[bytes, Headers, RequestLimits], Message]
    answered: Callable[[Any], HttpAnswer]
    refused: Callable[[EndOfCall, Headers], HttpAnswer]
    cross_origin: bool = False
    ignores_body: bool = False

    @property
    def call_path(self) -> str:
        """The path of the method over gRPC."""
        return f"/{_SERVICE}/{self.method}"


def _of_browser(kind: type[Message]) -> Callable[[bytes, Headers, RequestLimits], Message]:
    """Reads requests to which a browser is sent."""
    return lambda text, _headers, limits: filled(kind, text, limits.values)


def _fields(message: Message) -> HttpAnswer:
    return answers.json_answer(answers.fields_of(message))


def _pushed(message: pb.PushAuthorizationRequestResponse) -> HttpAnswer:
    return answers.json_answer(answers.fields_of(message), status=201)


def _started(message: pb.StartAuthorizationResponse) -> HttpAnswer:
    if message.sealed_request:
        return answers.to_sign_in("request", message.sealed_request)
    return answers.redirect(message.redirect_uri)


def _logging_out(message: pb.StartLogoutResponse) -> HttpAnswer:
    return answers.to_sign_in("logout", message.sealed_request)


def _read_response(text: bytes, _headers: Headers, limits: RequestLimits) -> Message:
    names = {"response": "sealed_response"}
    return filled(pb.OpenAuthorizationResponseRequest, text, limits.values, names=names)


def _opened(message: pb.OpenAuthorizationResponseResponse) -> HttpAnswer:
    return form_post.page(message.redirect_uri, message.parameters)


def _of_application(
    kind: type[client_authentication.ClientRequestMessage],
) -> Callable[[bytes, Headers, RequestLimits], Message]:
    """Reads requests of an application, which authenticates."""

    def read(text: bytes, headers: Headers, limits: RequestLimits) -> Message:
        request = filled(kind, text, limits.values)
        client_authentication.complete(request, headers)
        return request

    return read


def _introspected(message: pb.IntrospectTokenResponse) -> HttpAnswer:
    claims = answers.fields_of(message).get("claims", {})
    return answers.json_answer({"active": message.active, **claims})


def _revoked(_message: pb.RevokeOAuthTokenResponse) -> HttpAnswer:
    return answers.empty()


def _read_nothing(_text: bytes, _headers: Headers, _limits: RequestLimits) -> Message:
    return pb.GetUserInfoRequest()


def _user_info(message: pb.GetUserInfoResponse) -> HttpAnswer:
    return answers.json_answer(answers.fields_of(message).get("claims", {}))


AUTHORIZATION: Final = OAuthEndpoint(
    "/oauth/authorize",
    ("GET", "POST"),
    "StartAuthorization",
    _of_browser(pb.StartAuthorizationRequest),
    _started,
    answers.error_page,
)
PUSH: Final = OAuthEndpoint(
    "/oauth/par",
    ("POST",),
    "PushAuthorizationRequest",
    _of_application(pb.PushAuthorizationRequestRequest),
    _pushed,
    answers.client_error,
    cross_origin=True,
)
FORM_POST: Final = OAuthEndpoint(
    "/oauth/form_post",
    ("GET",),
    "OpenAuthorizationResponse",
    _read_response,
    _opened,
    answers.error_page,
)
LOGOUT: Final = OAuthEndpoint(
    "/oauth/logout",
    ("GET", "POST"),
    "StartLogout",
    _of_browser(pb.StartLogoutRequest),
    _logging_out,
    answers.error_page,
)
TOKEN: Final = OAuthEndpoint(
    "/oauth/token",
    ("POST",),
    "ExchangeToken",
    _of_application(pb.ExchangeTokenRequest),
    _fields,
    answers.client_error,
    cross_origin=True,
)
DEVICE: Final = OAuthEndpoint(
    "/oauth/device",
    ("POST",),
    "StartDeviceAuthorization",
    _of_application(pb.StartDeviceAuthorizationRequest),
    _fields,
    answers.client_error,
)
INTROSPECTION: Final = OAuthEndpoint(
    "/oauth/introspect",
    ("POST",),
    "IntrospectToken",
    _of_application(pb.IntrospectTokenRequest),
    _introspected,
    answers.client_error,
)
REVOCATION: Final = OAuthEndpoint(
    "/oauth/revoke",
    ("POST",),
    "RevokeOAuthToken",
    _of_application(pb.RevokeOAuthTokenRequest),
    _revoked,
    answers.client_error,
    cross_origin=True,
)
USER_INFO: Final = OAuthEndpoint(
    "/oauth/userinfo",
    ("GET", "POST"),
    "GetUserInfo",
    _read_nothing,
    _user_info,
    answers.token_error,
    cross_origin=True,
    ignores_body=True,
)
# By the names that the discovery documents give them.
DISCOVERED: Final = {
    "authorization_endpoint": AUTHORIZATION,
    "pushed_authorization_request_endpoint": PUSH,
    "token_endpoint": TOKEN,
    "userinfo_endpoint": USER_INFO,
    "device_authorization_endpoint": DEVICE,
    "introspection_endpoint": INTROSPECTION,
    "revocation_endpoint": REVOCATION,
    "end_session_endpoint": LOGOUT,
}
ENDPOINTS: Final = (*DISCOVERED.values(), FORM_POST)
