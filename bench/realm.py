"""A Keycloak realm moves as docs/moving-in.md says, and people sign in with their passkeys."""

import asyncio
import base64
import dataclasses
import json
import os
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

import cbor2
import click
import grpc
from google.protobuf import json_format, struct_pb2

from bench import report
from bench.applying import applied, planned
from bench.commands import Spent, run
from bench.parts import Bench
from bench.processes import BenchError, Server
from examples.software_authenticator import ES256, SoftwareAuthenticator, cose_key, generate_key
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.org.v1 import organization_service_pb2_grpc
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.signin.v1 import signin_service_pb2_grpc

REALMS = ("north", "south", "east", "west")
_RP_ID, _ORIGIN = "localhost", "http://localhost:8080"
_GROUPS = 20
_SIGN_INS = 100


def realm(bench: Bench, people: int) -> str:
    """Four realms become four organizations; a hundred people of all of them sign in."""
    click.echo(f"a realm of {people:,} people", err=True)
    bench = dataclasses.replace(bench, processors=range(os.cpu_count() or 1))  # k6 makes no calls
    authenticator, steps = SoftwareAuthenticator(), dict[str, list[Spent]]()
    exports = {name: _export(name, people // len(REALMS), authenticator) for name in REALMS}
    with (
        bench.postgresql.database() as database,
        bench.product("realm", database.dsn) as server,
    ):
        _ = server.http_address  # it serves
        asyncio.run(_add_organizations(server))
        for name, export in exports.items():
            for step, spent in _moved(bench, server, database.dsn, name, export).items():
                steps.setdefault(step, []).append(spent)
        sampled = _sample(authenticator)
        milliseconds = asyncio.run(_sign_in(server, authenticator, sampled))
    rows = [
        [
            step,
            *(
                f"{sum(getattr(each, column) for each in runs):.1f}"
                for column in ("seconds", "command", "server", "postgresql")
            ),
        ]
        for step, runs in steps.items()
    ]
    columns = ("seconds", "command CPU s", "server CPU s", "PG CPU s")
    signed_in = [[f"{len(milliseconds)} of {len(sampled)}", f"{median(milliseconds):.0f}"]]
    return "\n".join(
        [
            report.table([f"{people:,} people", *columns], rows),
            report.table(["imported passkeys that signed in", "median ms"], signed_in),
        ]
    )


def _export(name: str, people: int, authenticator: SoftwareAuthenticator) -> dict[str, Any]:
    """The export of a realm, with a passkey of its own for each person."""
    client = {
        "clientId": f"{name}-shop",
        "name": "Shop",
        "redirectUris": [f"https://{name}.example.com/callback"],
        "secret": os.urandom(24).hex(),
    }
    return {
        "realm": name,
        "webAuthnPolicyPasswordlessRpId": _RP_ID,
        "users": [_person(f"{name}-{n:05}", n, authenticator) for n in range(people)],
        "clients": [client],
    }


def _person(name: str, number: int, authenticator: SoftwareAuthenticator) -> dict[str, Any]:
    user_id, credential_id, key = str(uuid4()), os.urandom(32), generate_key(ES256)
    authenticator.credentials[credential_id] = key
    authenticator.user_handles[credential_id] = user_id.encode()
    data = {
        "aaguid": "00000000-0000-0000-0000-000000000000",
        "credentialId": _base64(credential_id),
        "counter": 3,
        "credentialPublicKey": _base64(cbor2.dumps(cose_key(key), canonical=True)),
        "attestationStatementFormat": "none",
        "transports": ["internal"],
    }
    return {
        "id": user_id,
        "username": name,
        "email": f"{name}@example.com",
        "emailVerified": True,
        "enabled": True,
        "groups": [f"/Staff/Team {number % _GROUPS}"],
        "credentials": [
            {
                "type": "webauthn-passwordless",
                "userLabel": "Key",
                "credentialData": json.dumps(data),
            }
        ],
    }


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _moved(bench: Bench, server: Server, dsn: str, name: str, export: Any) -> dict[str, Spent]:
    """The steps of docs/moving-in.md, with the server's settings."""
    folder = bench.folder / name
    folder.mkdir()
    paths = [folder / each for each in ("realm.json", "people.ndjson", "realm.yaml", "realm.env")]
    file, people, configuration, secrets = paths
    file.write_text(json.dumps(export))
    variables = {"KEYSTEAD_DATABASE_URL": dsn, "KEYSTEAD_DATA_DIR": str(server.data_dir)}
    outputs = iter(folder / f"{number}.out" for number in range(9))

    def called(*words: str) -> Spent:
        return run(bench, server, words, output=next(outputs), variables=variables)

    to = ("--to", str(people), "--configuration", str(configuration), "--secrets", str(secrets))
    migrated = called("migrate", "keycloak", str(file), *to)
    os.environ.update(_variables(secrets))
    try:
        configured = applied(bench, server, configuration, "1 object changed.", "--org", name)
        planned(bench, server, configuration, "--org", name)
    finally:
        for variable in _variables(secrets):
            del os.environ[variable]
    imported = called("import", str(people), "--org", name, "--create-groups")
    said, number = (folder / "1.out").read_text(), len(export["users"])
    if said != f"{number} users imported, 0 imported before, 0 refused.\n":
        raise BenchError(f"the import said: {said}")
    return {"migrate": migrated, "apply": configured, "import": imported}


def _variables(secrets: Path) -> dict[str, str]:
    lines = (line.partition("=") for line in secrets.read_text().splitlines())
    return {name: shlex.split(value)[0] for name, _, value in lines}


async def _add_organizations(server: Server) -> None:
    async with grpc.aio.insecure_channel(server.grpc_address) as channel:
        stub = organization_service_pb2_grpc.OrganizationServiceStub(channel)
        for name in REALMS:
            await stub.CreateOrganization(
                org_pb.CreateOrganizationRequest(name=name),
                metadata=(("authorization", f"Bearer {server.token}"),),
            )


def _sample(authenticator: SoftwareAuthenticator) -> list[bytes]:
    """Passkeys of people of all realms."""
    all_of_them = list(authenticator.credentials)
    return all_of_them[:: max(1, len(all_of_them) // _SIGN_INS)][:_SIGN_INS]


async def _sign_in(
    server: Server, authenticator: SoftwareAuthenticator, sampled: Sequence[bytes]
) -> list[float]:
    """The milliseconds of each sign-in. BenchError if another user is signed in."""
    milliseconds = []
    async with grpc.aio.insecure_channel(server.grpc_address) as channel:
        stub = signin_service_pb2_grpc.SignInServiceStub(channel)
        for credential_id in sampled:
            began = time.perf_counter()
            started = await stub.StartPasskeySignIn(signin_pb.StartPasskeySignInRequest())
            options = json_format.MessageToDict(started.public_key_credential_request_options)
            credential = struct_pb2.Struct()
            credential.update(
                authenticator.get(
                    options, origin=_ORIGIN, credential_id=credential_id, sign_count=4
                )
            )
            request = signin_pb.CompletePasskeySignInRequest(public_key_credential=credential)
            answer = await stub.CompletePasskeySignIn(request)
            milliseconds.append((time.perf_counter() - began) * 1000)
            if answer.user_id.encode() != authenticator.user_handles[credential_id]:
                raise BenchError(f"the passkey of another user signed {answer.user_id} in")
    return milliseconds
