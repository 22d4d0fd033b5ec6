"""A server beside a standby in another region than the primary."""

import contextlib
import time
from collections.abc import Callable, Sequence
from hashlib import md5
from statistics import median
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import click
import grpc
from google.protobuf import json_format, struct_pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from bench import report
from bench.database import PASSKEY_KEY, Database
from bench.link import link
from bench.load import ORIGIN
from bench.parts import EVENTS, Bench
from bench.processes import BenchError, Server
from bench.standby import standby
from examples.software_authenticator import SoftwareAuthenticator
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as idp_grpc
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.session.v1 import session_service_pb2_grpc as session_grpc
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.signin.v1 import signin_service_pb2_grpc as signin_grpc
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead.user.v1 import user_service_pb2_grpc as user_grpc

ROUND_TRIP_MS = 80
_READS = 10  # of each kind and round
_POLL_SECONDS = 0.002
_PATIENCE_SECONDS = 15
_SETTLED_SECONDS = 0.5  # the standby has the session
_MARGIN_SECONDS = 0.05


class _Caller:
    """Calls of one server. `session_token`s are bearer tokens."""

    def __init__(self, server: Server, channel: grpc.Channel) -> None:
        self._token = server.token
        self._users = user_grpc.UserServiceStub(channel)
        self._sessions = session_grpc.SessionServiceStub(channel)
        self._sign_ins = signin_grpc.SignInServiceStub(channel)
        self._idps = idp_grpc.IdentityProviderServiceStub(channel)

    def get_current_user(self, token: str) -> None:
        request = user_pb.GetCurrentUserRequest()
        self._users.GetCurrentUser(request, metadata=_bearer(token))

    def introspect(self, session_token: str) -> None:
        request = session_pb.IntrospectSessionRequest(session_token=session_token)
        self._sessions.IntrospectSession(request, metadata=_bearer(self._token))

    def sign_out(self, session_token: str) -> None:
        self._sessions.SignOut(session_pb.SignOutRequest(), metadata=_bearer(session_token))

    def update(self) -> None:
        request = idp_pb.UpdateIDPRequest(idp_id=f"{'0' * 8}-0000-7000-8000-{'0' * 12}", name="New")
        self._idps.UpdateIDP(request, metadata=_bearer(self._token))

    def watch(self) -> Any:
        request = session_pb.WatchEndedSessionsRequest()
        return self._sessions.WatchEndedSessions(request, metadata=_bearer(self._token))

    def sign_in(self) -> str:
        """The token of a new session of the first user of the database."""
        begun = self._sign_ins.StartPasskeySignIn(signin_pb.StartPasskeySignInRequest())
        options = json_format.MessageToDict(begun.public_key_credential_request_options)
        credential_id, handle = (md5(text).digest() for text in (b"passkey 0", b"0"))  # noqa: S324
        credential = SoftwareAuthenticator().get(
            options,
            origin=ORIGIN,
            credential_id=credential_id,
            key=PASSKEY_KEY,
            user_handle=handle,
        )
        assertion = struct_pb2.Struct()
        assertion.update(credential)
        request = signin_pb.CompletePasskeySignInRequest(public_key_credential=assertion)
        return str(self._sign_ins.CompletePasskeySignIn(request).session_token)


def regions(bench: Bench) -> str:
    """Reads by servers in the region of a standby, its refusals, and the age of its rows."""
    if not bench.postgresql.is_ours:
        raise BenchError("The part regions needs the embedded PostgreSQL.")
    click.echo("a standby in another region", err=True)
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(bench.postgresql.database())
        primary = stack.enter_context(bench.product("primary", database.dsn))
        database.fill(EVENTS)
        far = stack.enter_context(link(database.dsn))
        folder = bench.folder / "standby"
        admin_dsn = stack.enter_context(standby(bench.folder / "postgresql", folder, far))
        dsn = urlunsplit(urlsplit(admin_dsn)._replace(path=urlsplit(database.dsn).path))
        near = stack.enter_context(link(dsn))
        far.round_trip_seconds = ROUND_TRIP_MS / 1000
        hosts = near.dsn.replace(f":{near.port}/", f":{near.port},127.0.0.1:{far.port}/")
        beside, distant = (
            stack.enter_context(bench.product(name, url, data_dir=primary.data_dir))
            for name, url in (("reader", near.dsn), ("several-hosts", hosts))
        )
        callers = [
            _Caller(server, stack.enter_context(grpc.insecure_channel(server.grpc_address)))
            for server in (primary, beside, distant)
        ]
        return "\n".join(
            [
                _reads(database, bench.rounds, *callers[1:]),
                _refusals(callers[0], callers[1]),
                _ages(callers[0], callers[1], bench.rounds),
            ]
        )


def _reads(database: Database, rounds: int, beside: _Caller, distant: _Caller) -> str:
    """The times of reads; each is of another session, which the server has not cached."""
    tokens = list(database.session_tokens[1:])
    rows = []
    for name in ("GetCurrentUser", "IntrospectSession"):
        row = [name]
        for caller in (beside, distant):
            call = caller.get_current_user if name == "GetCurrentUser" else caller.introspect
            call(tokens.pop())  # opens the connections
            row.append(f"{median(_ms(call, tokens.pop()) for _ in range(_READS * rounds)):.1f}")
        rows.append(row)
    return report.table(["p50 ms", "URL of the standby", "URL of both hosts"], rows)


def _refusals(primary: _Caller, beside: _Caller) -> str:
    """The answers of the server beside the standby to writes."""
    token = primary.sign_in()
    _until(lambda: _is_known(beside, token))
    writes: Sequence[tuple[str, Callable[[], object]]] = (
        ("CompletePasskeySignIn", beside.sign_in),
        ("SignOut", lambda: beside.sign_out(token)),
        ("UpdateIDP", beside.update),
    )
    rows = []
    for name, write in writes:
        try:
            write()
        except grpc.RpcError as error:
            rows.append([name, error.code().name, _reason(error)])
        else:
            raise BenchError(f"{name} succeeded on a standby.")
    return report.table(["beside the standby", "status", "reason"], rows)


def _ages(primary: _Caller, beside: _Caller, rounds: int) -> str:
    """The time from the answer of the primary's server until the reader's knows the change."""
    begun, refused, told, cached = [], [], [], []
    for _ in range(rounds):
        token = primary.sign_in()
        begun.append(_until(lambda: _is_known(beside, token)))  # noqa: B023 -- called here
        stream = beside.watch()
        next(stream)  # the present position
        primary.sign_out(token)
        began = time.perf_counter()
        next(stream)
        told.append((time.perf_counter() - began) * 1000)
        stream.cancel()
        _until(lambda: not _is_known(beside, token))  # noqa: B023
        cached.append((time.perf_counter() - began) * 1000)

        unseen = primary.sign_in()  # the reader has never looked it up
        time.sleep(_SETTLED_SECONDS)
        primary.sign_out(unseen)
        time.sleep(ROUND_TRIP_MS / 2000 + _MARGIN_SECONDS)
        refused.append(not _is_known(beside, unseen))
    rows = [
        [name, f"{median(times):.0f}", f"{max(times):.0f}"]
        for name, times in (
            ("a session that has begun is valid", begun),
            ("WatchEndedSessions reports an ended session", told),
            ("an ended session that was in use is refused", cached),
        )
    ]
    share = f"{sum(refused)} of {len(refused)}"
    margin = f"refused {ROUND_TRIP_MS / 2 + _MARGIN_SECONDS * 1000:.0f} ms after its end"
    return "\n".join(
        [
            report.table(
                ["beside the standby, after the primary's answer", "p50 ms", "max ms"], rows
            ),
            report.table(["an ended session that was not in use", "sessions"], [[margin, share]]),
        ]
    )


def _ms(call: Callable[[str], object], token: str) -> float:
    began = time.perf_counter()
    call(token)
    return (time.perf_counter() - began) * 1000


def _until(condition: Callable[[], bool]) -> float:
    """The milliseconds until the condition holds."""
    began = time.perf_counter()
    while not condition():
        if time.perf_counter() - began > _PATIENCE_SECONDS:
            raise BenchError(f"The standby is more than {_PATIENCE_SECONDS} s behind.")
        time.sleep(_POLL_SECONDS)
    return (time.perf_counter() - began) * 1000


def _is_known(caller: _Caller, session_token: str) -> bool:
    try:
        caller.get_current_user(session_token)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.UNAUTHENTICATED:
            raise
        return False
    return True


def _reason(error: grpc.RpcError) -> str:
    info = error_details_pb2.ErrorInfo()
    details = rpc_status.from_call(error).details
    return str(next(info.reason for each in details if each.Unpack(info)))


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)
