"""The bridge with buf curl, over grpc-web and over native gRPC."""

import asyncio
import base64
import json
import sys
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2

from tests.support import given
from tests.support.given import Instance

_PROGRAMS = Path(sys.executable).parent
_SCHEMA = Path(__file__).parents[2] / "protos"
_CREATE_IDP = "keystead.idp.v1.IdentityProviderService/CreateIDP"


@dataclass(frozen=True)
class Result:
    """The output of a run of buf curl: the answer, or the error as JSON among other lines."""

    status: int
    output: str
    errors: str

    @property
    def answer(self) -> Any:
        """The message, as JSON."""
        assert self.status == 0, self.errors
        return json.loads(self.output)

    @property
    def error(self) -> Any:
        """The error, as JSON."""
        assert self.status != 0, self.output
        return json.loads(self.errors)


BufCurl = Callable[..., Awaitable[Result]]


async def _start(*words: str | Path) -> Process:
    return await asyncio.create_subprocess_exec(
        *(_PROGRAMS / "buf", "curl", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _finish(process: Process) -> Result:
    output, errors = await process.communicate()
    assert process.returncode is not None
    return Result(process.returncode, output.decode(), errors.decode())


@pytest.fixture(params=["grpc-web by the schema", "gRPC by reflection"])
def buf_curl(request: pytest.FixtureRequest, instance: Instance) -> BufCurl:
    """`buf curl` with a method, a message and further arguments, as the administrator."""
    # Reflection is a stream in both directions, which grpc-web does not support.
    options: tuple[str | Path, ...]
    if request.param == "gRPC by reflection":
        options, port = ("--protocol", "grpc", "--http2-prior-knowledge"), instance.port
    else:
        options, port = ("--protocol", "grpcweb", "--schema", _SCHEMA), instance.web_port

    async def call(method: str, message: object, *words: str) -> Result:
        url = f"http://127.0.0.1:{port}/{method}"
        header = ("--header", f"authorization: Bearer {instance.admin.token}")
        return await _finish(
            await _start(*options, *header, *words, "--data", json.dumps(message), url)
        )

    return call


async def test_a_call_is_answered(buf_curl: BufCurl, instance: Instance) -> None:
    org_id = await given.organization(instance.admin)

    added = (
        await buf_curl(_CREATE_IDP, {"name": "身份"}, "-H", f"x-service-orgid: {org_id}")
    ).answer

    assert added["idpId"]
    assert added["details"]["resourceOwner"] == org_id


async def test_an_error_comes_with_all_its_details(buf_curl: BufCurl) -> None:
    error = (await buf_curl(_CREATE_IDP, {"name": ""}, "-H", "x-request-id: from buf")).error

    assert error["code"] == "invalid_argument"
    details = {detail["type"]: _decoded(detail["value"]) for detail in error["details"]}
    info = error_details_pb2.ErrorInfo.FromString(details["google.rpc.ErrorInfo"])
    request = error_details_pb2.RequestInfo.FromString(details["google.rpc.RequestInfo"])
    bad_request = error_details_pb2.BadRequest.FromString(details["google.rpc.BadRequest"])
    assert (info.reason, info.domain) == ("INVALID_FIELDS", "keystead")
    assert request.request_id == "from buf"
    assert [violation.field for violation in bad_request.field_violations] == ["name"]


async def test_a_stream_is_read_while_it_goes_on(instance: Instance, tmp_path: Path) -> None:
    schema = tmp_path / "health.binpb"
    image = FileDescriptorSet()
    health_pb2.DESCRIPTOR.CopyToProto(image.file.add())
    schema.write_bytes(image.SerializeToString())
    url = f"http://127.0.0.1:{instance.web_port}/grpc.health.v1.Health/Watch"

    watch = await _start("--protocol", "grpcweb", "--schema", schema, url)
    try:
        assert watch.stdout is not None
        first = await watch.stdout.readuntil(b"}")
    finally:
        watch.terminate()
        end = await _finish(watch)

    assert json.loads(first) == {"status": "SERVING"}
    assert end.error["code"] == "canceled"


def _decoded(value: str) -> bytes:
    return base64.b64decode(value + "=" * (-len(value) % 4))  # buf omits the padding
