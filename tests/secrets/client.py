"""Calls over every transport, and a record of all answers."""

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

import asyncpg
import grpc
import httpx2

from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from tests.secrets.marks import Marks
from tests.support import given
from tests.support.given import METHOD, Instance
from tests.support.transports import (
    Call,
    GrpcWeb,
    Headers,
    Json,
    Native,
    Transport,
    Transports,
    authorization,
)
from tests.support.web_client import web_client


class Answers:
    """All answers, except for those that give a new secret to its owner."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._is_private = False
        self.codes: set[grpc.StatusCode] = set()

    @property
    def text(self) -> bytes:
        return b"\n".join(self._parts)

    @contextlib.contextmanager
    def private(self) -> Iterator[None]:
        """Does not record the answers in this block."""
        self._is_private = True
        yield
        self._is_private = False

    def add(self, *parts: bytes) -> None:
        if not self._is_private:
            self._parts += parts

    async def add_response(self, response: httpx2.Response) -> None:
        """A hook of httpx2."""
        body = await response.aread()
        self.add(*(b": ".join(header) for header in response.headers.raw), body)
        if "grpc-web-text" in response.headers.get("content-type", ""):
            self.add(base64.b64decode(body))


class Client:
    """A caller, the administrator by default. `sql` is a connection as a superuser."""

    def __init__(
        self, instance: Instance, http: httpx2.AsyncClient, sql: asyncpg.Connection, marks: Marks
    ) -> None:
        self.instance = instance
        self.http = http
        self.sql = sql
        self.marks = marks
        self.transports = Transports(
            Native(instance.channel),
            GrpcWeb(http, "application/grpc-web+proto"),
            GrpcWeb(http, "application/grpc-web-text+proto"),
            Json(http),
        )
        self.answers = Answers()
        http.event_hooks = {"response": [self.answers.add_response]}

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, instance: Instance, marks: Marks) -> AsyncIterator[Self]:
        """A caller of a running server."""
        async with (
            web_client(instance.web_port) as http,
            given.sql(instance.dsn) as sql,
        ):
            # The changes before and during a crash survive it.
            await sql.execute("set synchronous_commit = on")
            yield cls(instance, http, sql, marks)

    async def send(
        self,
        transport: Transport,
        method: str,
        request: Any,
        *headers: tuple[str, str],
        by: str = "",
    ) -> Any:
        """The response, or None for a failure. The administrator calls unless a token is given."""
        all_headers: Headers = [
            *authorization(by or self.instance.admin.token),
            ("x-request-id", self.marks.canary),
            *headers,
        ]
        answer = await transport.answer(Call(METHOD[method], request, all_headers))
        self.answers.codes.add(answer.code)
        self.answers.add(answer.status.SerializeToString(), str(answer).encode())
        return answer.response

    async def request(self, verb: str, target: str, body: bytes, headers: Headers) -> None:
        """Any HTTP request, with the token of the administrator unless the headers have one."""
        if not any(name == "authorization" for name, _ in headers):
            headers = [*authorization(self.instance.admin.token), *headers]
        last = {name.encode(): value.encode("latin-1") for name, value in headers}
        await self.http.request(
            verb, "/", content=body, headers=last, extensions={"target": target.encode()}
        )

    def config(self, **fields: Any) -> smtp_pb.AddSMTPConfigRequest:
        """A configuration with the password, unless the fields have another one."""
        return given.smtp_config(**({"password": f"{self.marks.password} and more"} | fields))

    async def page(self, path: str) -> bytes:
        """A page of the web port, without a token, from the moment that the server serves it.

        After a crash of the database each worker becomes ready by its own next probe.
        """
        while True:
            answer = await self.http.get(path)
            if answer.status_code == 200:
                return answer.content
            assert answer.status_code == 503, path
            await asyncio.sleep(0.01)
