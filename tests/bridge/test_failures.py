"""Every kind of failure and every deadline has the same answer over gRPC, grpc-web and JSON."""

import contextlib
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import NoReturn, Self, cast

import grpc
import pytest
import structlog

from bridge.app import application
from bridge.port import WebPort
from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as pb_grpc
from server.access.tokens import TokenKind, new_token
from server.idp.service import IdentityProviderService
from server.rpc.native import NativePort
from server.values.errors import Failure, Kind, Resource, Violation
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import METHOD, Instance
from tests.support.transports import Answer, Call, Transports, authorization

_TEXT = 'Grüße, 100 % \N{GRINNING FACE} "quoted" \\ </script>\u2028 and a\ttab.'


class _Mistaken(IdentityProviderService):
    """A service whose methods always raise this exception."""

    def __init__(self) -> None:
        self.mistake: Exception = NotImplementedError()

    async def UpdateIDP(self, _request: object, _context: object) -> NoReturn:  # noqa: N802
        raise self.mistake


class _MistakenServer:
    """The transports of a server whose UpdateIDP fails with a chosen exception."""

    def __init__(self) -> None:
        self.methods = given.seam()
        self._service = _Mistaken()
        pb_grpc.add_IdentityProviderServiceServicer_to_server(
            self._service, cast(grpc.aio.Server, self.methods)
        )
        self._doors: Transports

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[Self]:
        """Serves until the end of the block."""
        native = NativePort(self.methods, "127.0.0.1:0", shared=False)
        web = WebPort(
            application(self.methods, pages=(), cors_origins=()),
            "127.0.0.1:0",
            shared=False,
            trusted_proxies=(),
        )
        async with (
            native.serving(),
            web.serving(),
            grpc.aio.insecure_channel(f"127.0.0.1:{native.port}") as channel,
            Transports.into(channel, web.port) as self._doors,
        ):
            yield self

    async def one_answer(self, mistake: Exception) -> Answer:
        """The answer of all transports when the method raises this exception."""
        self._service.mistake = mistake
        headers = authorization(new_token(TokenKind.USER))
        return await self._doors.one_answer(
            Call(METHOD["UpdateIDP"], pb.UpdateIDPRequest(idp_id="idp"), headers)
        )


@pytest.fixture(scope="module")
async def mistaken() -> AsyncIterator[_MistakenServer]:
    async with _MistakenServer().serving() as server:
        yield server


def _whole(kind: Kind) -> Failure:
    """A failure with every detail."""
    return Failure(
        kind,
        "REASON",
        _TEXT,
        metadata={"key": _TEXT},
        violations=[Violation("field.path", _TEXT), Violation("other", "")],
        resource=Resource("type", _TEXT),
        retry_after=timedelta(seconds=1.5),
        log_detail="not for them",
    )


FAILURES = [
    *map(_whole, Kind),
    *(
        Failure(Kind.ABORTED, "REASON", message)
        for message in ("", "%", "%41", "\u00ff", "a\r\nb: c", "\0", "x" * 2000)
    ),
    # More than grpc-web puts into headers, and less than a gRPC client accepts in trailers.
    Failure(
        Kind.INVALID_ARGUMENT,
        "MANY_VIOLATIONS",
        "Message.",
        violations=[Violation(f"field{n}", "x" * 100) for n in range(40)],
    ),
    Failure(Kind.UNAVAILABLE, "DAYS", "Message.", retry_after=timedelta(days=3)),
]


@pytest.mark.parametrize(
    "failure", FAILURES, ids=lambda each: f"{each.kind.name} {each.message!a:.12}"
)
async def test_a_failure_arrives_alike(mistaken: _MistakenServer, failure: Failure) -> None:
    answer = await mistaken.one_answer(failure)

    refused, after = answer.refusal, failure.retry_after
    assert refused.code is grpc.StatusCode[failure.kind.name]
    assert (refused.reason, refused.message) == (failure.reason, failure.message)
    assert refused.metadata == failure.metadata
    assert refused.violations == {each.field: each.description for each in failure.violations}
    resource = failure.resource
    assert refused.resource == ((resource.type, resource.name) if resource else None)
    assert refused.retry_seconds == (after.total_seconds() if after else None)
    assert answer.announcements.keys() == {"deprecation", "link"}
    assert "not for them" not in str(answer)


@pytest.mark.parametrize(
    "mistake",
    [
        KeyError("secret"),
        grpc.RpcError("secret"),
        ConnectionResetError("secret"),
        TimeoutError("secret"),
    ],
    ids=lambda mistake: type(mistake).__name__,
)
async def test_an_unexpected_error_reveals_nothing_on_any_transport(
    mistaken: _MistakenServer, mistake: Exception
) -> None:
    with structlog.testing.capture_logs():
        answer = await mistaken.one_answer(mistake)

    assert answer.refusal.code is grpc.StatusCode.INTERNAL
    assert not re.search(f"secret|{type(mistake).__name__}", str(answer))


async def test_a_server_that_shuts_down_refuses_alike() -> None:
    async with _MistakenServer().serving() as server:
        server.methods.running.close()

        refused = (await server.one_answer(KeyError())).refusal

    assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
    assert refused.retry_seconds == 1


# Deadlines


@contextlib.asynccontextmanager
async def _waiting_call(instance: Instance, *headers: tuple[str, str]) -> AsyncIterator[Call]:
    """A call that waits for a locked row until the end of the block."""
    admin = instance.admin
    idp_id = await given.idp(admin)
    request = pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")
    async with given.locked_idp(instance.dsn, idp_id):
        yield Call(METHOD["UpdateIDP"], request, [*authorization(admin.token), *headers])


async def test_the_clients_deadline_ends_a_call_alike(make_instance: MakeInstance) -> None:
    headers = [("grpc-timeout", "150m"), ("x-request-id", "one answer")]
    async with (
        make_instance(default_timeout=3600) as instance,  # longer than a test may last
        _waiting_call(instance, *headers) as call,
        Transports.of(instance) as transports,
    ):
        answers = {name: await transport.answer(call) for name, transport in transports.all.items()}

    # On a busy machine, gRPC may end the call before the server's answer, which has the details.
    assert answers.pop("gRPC").code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert answers["grpc-web"] == answers["grpc-web in text"] == answers["JSON"]
    assert answers["JSON"].refusal.reason == "DEADLINE_EXCEEDED"
    assert answers["JSON"].announcements.keys() == {"deprecation", "link"}


async def test_the_end_of_a_deprecated_method_is_announced_alike(
    make_instance: MakeInstance,
) -> None:
    async with (
        make_instance(update_idp_sunset="2027-06-01") as instance,
        Transports.of(instance) as transports,
    ):
        headers = authorization(instance.admin.token)
        request = pb.UpdateIDPRequest(idp_id=await given.idp(instance.admin), name="Provider")
        answered = await transports.one_answer(Call(METHOD["UpdateIDP"], request, headers))
        refused = await transports.one_answer(Call(METHOD["UpdateIDP"], request))

    assert answered.code is grpc.StatusCode.OK
    assert answered.announcements == refused.announcements
    assert answered.announcements == {
        "deprecation": "@1795219200",
        "link": '</keystead.idp.v1.IdentityProviderService/PatchIDP>; rel="successor-version"',
        "sunset": "Tue, 01 Jun 2027 00:00:00 GMT",
    }
