"""A caller of the JSON routes, and its answers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self
from uuid import uuid4

import httpx2
from google.protobuf import json_format
from google.rpc import status_pb2

from tests.support.given import Client, Instance, read_status
from tests.support.web_client import web_client


@dataclass(frozen=True)
class JsonRefusal:
    """An error as a client of JSON sees it."""

    status: int
    code: int
    message: str
    reason: str
    request_id: str
    violations: Mapping[str, str]
    headers: httpx2.Headers


class JsonClient:
    """A caller with a token, on one connection."""

    def __init__(self, http: httpx2.AsyncClient, token: str) -> None:
        self.http = http
        self.token = token

    @classmethod
    @asynccontextmanager
    async def connected(cls, instance: Instance, caller: Client) -> AsyncIterator[Self]:
        """Calls the web port of a server."""
        async with web_client(instance.web_port) as http:
            yield cls(http, caller.token)

    async def send(self, verb: str, path: str, **request: Any) -> httpx2.Response:
        """Any request; `json`, `content`, `headers` and `params` as in httpx2."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= request.pop("headers", {})
        answer = await self.http.request(verb, path, headers=headers, **request)
        assert answer.headers["x-request-id"]
        return answer

    async def send_text(self, verb: str, path: str, text: str | bytes) -> httpx2.Response:
        """Sends text as it is, with the content type of JSON."""
        return await self.send(
            verb, path, content=text, headers={"content-type": "application/json"}
        )

    async def call(self, verb: str, path: str, **request: Any) -> Any:
        """The JSON of the answer to a request that must succeed."""
        answer = await self.send(verb, path, **request)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        return answer.json()

    async def idp(self, **fields: Any) -> str:
        """A new identity provider's id."""
        added = await self.call("POST", "/v1/idps", json={"name": "Provider"} | fields)
        return str(added["idpId"])

    async def user(self) -> str:
        """A new user's id."""
        added = await self.call("POST", "/v1/users", json={"userName": f"user-{uuid4().hex}"})
        return str(added["userId"])


def read_refusal(answer: httpx2.Response) -> JsonRefusal:
    """Reads an error response, and checks the details that every error must have."""
    assert answer.status_code >= 400, answer.text
    assert answer.headers["content-type"] == "application/json"
    status = json_format.ParseDict(answer.json(), status_pb2.Status())
    refused = read_status(status)
    assert refused.request_id == answer.headers["x-request-id"]
    return JsonRefusal(
        status=answer.status_code,
        code=status.code,
        message=refused.message,
        reason=refused.reason,
        request_id=refused.request_id,
        violations=refused.violations,
        headers=answer.headers,
    )
