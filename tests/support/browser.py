"""A browser that keeps the session cookie, over JSON and grpc-web."""

from collections.abc import Mapping
from typing import Any, Final

import httpx2
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from tests.support import given, grpcweb_client
from tests.support.transports import GrpcWeb, Json, http_request

NAME: Final = "__Host-keystead"
OPT_IN: Final = {"x-keystead-session": "cookie"}
PROTOCOLS: Final = ("JSON", "application/grpc-web+proto", "application/grpc-web-text")


class Browser:
    """A page of the server in a browser, which keeps cookies and names the origin."""

    def __init__(self, http: httpx2.AsyncClient, protocol: str) -> None:
        self._http = http
        self._protocol = protocol
        self.token = ""

    async def call(
        self, name: str, fields: Mapping[str, Any] | None = None, **headers: str
    ) -> tuple[httpx2.Response, Any]:
        """The answer, and the message in it; None for a refusal."""
        method = given.METHOD[name]
        request = json_format.ParseDict(dict(fields or {}), GetMessageClass(method.input_type)())
        named = {"origin": str(self._http.base_url).rstrip("/"), **headers}
        if self.token:
            named["cookie"] = f"{NAME}={self.token}"
        sent = list(named.items())
        if self._protocol == "JSON":
            answer = await Json(self._http).request(*http_request(method, request), sent)
        else:
            path = f"/{method.containing_service.full_name}/{method.name}"
            body = grpcweb_client.frame(request.SerializeToString())
            answer = await GrpcWeb(self._http, self._protocol).post(path, body, sent)
        for cookie in answer.headers.get_list("set-cookie"):
            self.token = cookie.partition("=")[2].partition(";")[0]
        return answer, self._message(method, answer)

    def _message(self, method: MethodDescriptor, answer: httpx2.Response) -> Any:
        response = GetMessageClass(method.output_type)
        if self._protocol == "JSON":
            return json_format.Parse(answer.text, response()) if answer.is_success else None
        messages = grpcweb_client.Answer.of(answer).messages
        return response.FromString(messages[0]) if messages else None
