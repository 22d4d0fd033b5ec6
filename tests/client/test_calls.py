"""Calls of the client: repeated attempts, their time limit, and the texts of errors."""

import itertools
import time
from datetime import timedelta
from pathlib import Path

import grpc
import pytest

from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.signin.v1 import signin_service_pb2_grpc as signin_grpc
from keystead.user.v1 import user_service_pb2 as pb
from keystead.user.v1 import user_service_pb2_grpc as pb_grpc
from keystead_client import KeysteadError, connect, methods, token_file
from server.rpc.preconditions.changes import IDEMPOTENCY_KEY
from server.values.errors import Kind
from tests.client.failing_server import failing_server, unavailable
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.openapi.headers import headers_of

# Longer than the back-off of two attempts together.
_LONG = unavailable(timedelta(seconds=0.7))
_CREATE = pb.CreateUserRequest(user_name="Mia")


async def test_a_call_has_a_token_and_its_error_has_all_details(instance: Instance) -> None:
    address = f"127.0.0.1:{instance.port}"
    async with connect(address, instance.admin.token, plaintext=True) as channel:
        users = pb_grpc.UserServiceStub(channel)
        me = await users.GetCurrentUser(pb.GetCurrentUserRequest())
        with pytest.raises(KeysteadError) as invalid:
            await users.CreateUser(pb.CreateUserRequest(), metadata=[("x-request-id", "mine")])
        with pytest.raises(KeysteadError) as missing:
            await users.GetUser(pb.GetUserRequest(user_id="nobody"))

    assert me.user.user_id == instance.admin.user_id
    assert invalid.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert invalid.value.reason == "INVALID_FIELDS"
    assert invalid.value.violations == {"userName": "must not be empty"}
    assert invalid.value.request_id == "mine"
    assert "userName: must not be empty" in str(invalid.value)
    assert missing.value.resource == ("user", "nobody")
    assert missing.value.retry_after is None


async def test_a_change_is_made_once_by_a_key_of_its_own(admin: Client, instance: Instance) -> None:
    org_id = await given.organization(admin)
    headers = [("x-service-orgid", org_id)]
    async with connect(f"127.0.0.1:{instance.port}", admin.token, plaintext=True) as channel:
        users = pb_grpc.UserServiceStub(channel)
        first = await users.CreateUser(_CREATE, metadata=[*headers, (IDEMPOTENCY_KEY, "one")])
        again = await users.CreateUser(_CREATE, metadata=[*headers, (IDEMPOTENCY_KEY, "one")])
        with pytest.raises(KeysteadError, match="USER_ALREADY_EXISTS"):
            await users.CreateUser(_CREATE, metadata=headers)

    assert again.user_id == first.user_id


async def test_a_change_is_repeated_with_its_key_after_the_time_that_the_server_names() -> None:
    started = time.monotonic()
    async with (
        failing_server(_LONG, unavailable(kind=Kind.ABORTED)) as server,
        connect(server.address, plaintext=True) as channel,
    ):
        users = pb_grpc.UserServiceStub(channel)
        await users.CreateUser(_CREATE)
        await users.CreateUser(_CREATE)

    keys = [call[IDEMPOTENCY_KEY] for call in server.calls]
    assert len(keys) == 4
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert time.monotonic() - started >= 0.7


async def test_a_read_is_repeated_without_a_key_and_with_the_token_of_the_moment() -> None:
    numbers = itertools.count(1)

    async def token() -> str:
        return f"token {next(numbers)}"

    async with (
        failing_server(unavailable(None), unavailable()) as server,
        connect(server.address, token, plaintext=True) as channel,
    ):
        await pb_grpc.UserServiceStub(channel).GetUser(pb.GetUserRequest(user_id="x"))

    assert [call["authorization"] for call in server.calls] == [
        f"Bearer token {number}" for number in (1, 2, 3)
    ]
    assert not any(IDEMPOTENCY_KEY in call for call in server.calls)


async def test_an_unsafe_or_permanently_refused_call_is_sent_once() -> None:
    aborted = unavailable(None, kind=Kind.ABORTED)
    async with (
        failing_server(unavailable(), unavailable(), aborted) as server,
        connect(server.address, plaintext=True, repeat_changes=False) as channel,
    ):
        users = pb_grpc.UserServiceStub(channel)
        sign_ins = signin_grpc.SignInServiceStub(channel)
        with pytest.raises(KeysteadError) as refused:
            await sign_ins.CompletePasskeySignIn(signin_pb.CompletePasskeySignInRequest())
        with pytest.raises(KeysteadError):
            await users.CreateUser(_CREATE)
        with pytest.raises(KeysteadError):
            await users.GetUser(pb.GetUserRequest())

    assert len(server.calls) == 3
    assert not any(IDEMPOTENCY_KEY in call for call in server.calls)
    assert refused.value.retry_after == timedelta(milliseconds=20)


async def test_a_change_that_is_only_validated_has_no_key_and_is_repeated() -> None:
    async with (
        failing_server(unavailable()) as server,
        connect(server.address, plaintext=True) as channel,
    ):
        users = pb_grpc.UserServiceStub(channel)
        await users.CreateUser(_CREATE, metadata=[("x-validate-only", "true")])

    assert len(server.calls) == 2
    assert not any(IDEMPOTENCY_KEY in call for call in server.calls)


async def test_the_deadline_is_of_all_attempts_and_no_pause_outlasts_it() -> None:
    async with (
        failing_server(unavailable(timedelta(minutes=1))) as server,
        connect(server.address, plaintext=True, timeout=timedelta(seconds=5)) as channel,
    ):
        users = pb_grpc.UserServiceStub(channel)
        started = time.monotonic()
        with pytest.raises(KeysteadError, match="TRIED"):
            await users.GetUser(pb.GetUserRequest())

    assert time.monotonic() - started < 5
    assert len(server.calls) == 1


def test_the_methods_that_take_a_key_are_those_of_the_server() -> None:
    keyed = {
        method.full_name
        for method in given.METHODS
        if methods.kind_of(f"/{method.containing_service.full_name}/{method.name}") == methods.KEYED
    }

    assert keyed == {
        method.full_name for method in given.METHODS if IDEMPOTENCY_KEY in headers_of(method, {})
    }
    assert methods.kind_of("/grpc.health.v1.Health/Check") == methods.ONCE


def test_a_token_file_is_read_again_when_it_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("first\n")
    token = token_file(file)
    assert token() == "first"

    (tmp_path / "new").write_text("second\n")
    (tmp_path / "new").rename(file)

    assert token() == "second"
