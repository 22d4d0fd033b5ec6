"""Reflection, with grpcurl and buf curl."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection_pb2

from tests.support.given import Instance

_PROGRAMS = Path(sys.executable).parent
_SCHEMA = Path(__file__).parents[2] / "protos"
_ENVOY = "envoy.service.auth.v3.Authorization"
_IDPS = "keystead.idp.v1.IdentityProviderService"


async def _output(program: str, *words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        _PROGRAMS / program,
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return output.decode()


async def _grpcurl(instance: Instance, *words: str, token: str = "") -> str:
    header = ["-H", f"authorization: Bearer {token}"] if token else []
    options = [word for word in words if word.startswith("{")]
    data = ["-d", *options] if options else []
    rest = [word for word in words if not word.startswith("{")]
    return await _output(
        "grpcurl", "-plaintext", *header, *data, f"127.0.0.1:{instance.port}", *rest
    )


async def test_grpcurl_lists_the_services_without_a_token(instance: Instance) -> None:
    services = (await _grpcurl(instance, "list")).split()

    assert {_IDPS, _ENVOY, "grpc.health.v1.Health", "keystead.smtp.v1.SMTPService"} <= set(services)


@pytest.mark.parametrize(
    ("symbol", "shows"),
    [
        (_IDPS, "rpc UpdateIDP"),
        (f"{_IDPS}.UpdateIDP", "rpc UpdateIDP"),
        ("keystead.idp.v1.UpdateIDPRequest", "string name"),
        ("keystead.common.v1.Details", "uint64 sequence"),
        (_ENVOY, "rpc Check ( .keystead.gate.v1.CheckRequest )"),
        (f"{_ENVOY}.Check", "rpc Check"),
    ],
    ids=["a service", "a method", "a message", "a shared message", "an alias", "its method"],
)
async def test_grpcurl_describes(instance: Instance, symbol: str, shows: str) -> None:
    assert shows in await _grpcurl(instance, "describe", symbol)


async def test_grpcurl_calls_by_the_name_that_envoy_uses(instance: Instance) -> None:
    http = {"method": "GET", "scheme": "https", "host": "unknown.example", "path": "/"}
    request = json.dumps({"attributes": {"request": {"http": http}}})

    answer = await _grpcurl(instance, request, f"{_ENVOY}/Check", token=instance.admin.token)

    assert json.loads(answer)["deniedResponse"]["status"]["code"] == 403


@pytest.mark.parametrize("protocol", ["grpc", "grpcweb"])
async def test_buf_curl_calls_by_reflection_and_over_grpc_web_by_the_schema(
    instance: Instance, protocol: str
) -> None:
    # Reflection is a stream in both directions, which grpc-web does not support.
    options, port = ("--schema", str(_SCHEMA)), instance.web_port
    if protocol == "grpc":
        options, port = ("--http2-prior-knowledge", "--reflect"), instance.port

    answer = await _output(
        "buf",
        "curl",
        *("--protocol", protocol, *options),
        *("--header", f"authorization: Bearer {instance.admin.token}"),
        *("--data", '{"name": "By buf"}'),
        f"http://127.0.0.1:{port}/{_IDPS}/CreateIDP",
    )

    assert json.loads(answer)["idpId"]


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_both_names_of_the_protocol_list_and_describe_themselves(
    instance: Instance, version: str
) -> None:
    name = f"grpc.reflection.{version}.ServerReflection"
    ask = instance.channel.stream_stream(
        f"/{name}/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    listed, described = [
        answer
        async for answer in ask(
            iter(
                (
                    reflection_pb2.ServerReflectionRequest(list_services=""),
                    reflection_pb2.ServerReflectionRequest(file_containing_symbol=name),
                )
            )
        )
    ]

    assert name in {service.name for service in listed.list_services_response.service}
    [file] = described.file_descriptor_response.file_descriptor_proto
    assert FileDescriptorProto.FromString(file).package == f"grpc.reflection.{version}"
