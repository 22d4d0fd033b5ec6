"""Services in other languages verify session JWTs offline, through a rotation of the keys."""

import asyncio
import contextlib
import shutil
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from e2e.programs import FOLDER, PROGRAM_SECONDS, go_program, required, running
from e2e.sessions import ORIGIN, post, sign_in
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import load_keyring
from server.signing import store
from server.signing.private_key import Algorithm, decrypted
from server.store.database import connected
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Instance
from tests.support.process import free_port, keystead, serve

pytestmark = pytest.mark.timeout(2 * PROGRAM_SECONDS)

_ISSUER, _AUDIENCE = "https://id.example.com", "https://orders.example.com"
_SERVICES = FOLDER.parent / "examples" / "services"
_CLIENTS = FOLDER.parent / "clients"


@dataclass(frozen=True)
class Issuer:
    """A server, and a person who is signed in."""

    http: httpx2.AsyncClient
    grpc_address: str
    dsn: str
    data_dir: Path
    session: dict[str, Any]

    async def issue(self, audience: str = _AUDIENCE) -> str:
        """A JWT of the session."""
        token = self.session["sessionToken"]
        path = "/v1/sessions/current:issueJWT"
        answer = await post(self.http, path, token, audience=audience)
        return str(answer["jwt"])

    async def forge(self, *, headers: dict[str, str] | None = None, **claims: object) -> str:
        """A JWT with other claims, signed by the server's key; None leaves a claim out."""
        keyring = load_keyring((), self.data_dir / "encryption.keys")
        async with connected(self.dsn, pool_size=1) as database:
            schedules, secrets = await store.get(database)
        current = schedules[Algorithm.ES256].current
        assert current is not None
        kid = current.kid
        key = decrypted(keyring, kid, secrets[kid]).key.private_key
        assert key is not None
        regular = jwt.decode(await self.issue(), options={"verify_signature": False})
        changed = {k: v for k, v in (regular | claims).items() if v is not None}
        return jwt.encode(
            changed, key, "ES256", headers={"kid": kid, "typ": "at+jwt"} | (headers or {})
        )

    async def a_day_passes(self) -> None:
        """For the keys."""
        await given.aged_signing_keys(self.dsn, timedelta(days=1))


@pytest.fixture
async def issuer(make_database: MakeDatabase, tmp_path: Path) -> AsyncIterator[Issuer]:
    dsn = await make_database()
    settings = {
        "database_url": dsn,
        "jwt_audiences": f"{_AUDIENCE},reports",
        "public_url": _ISSUER,
        "rp_origins": ORIGIN,
    }
    async with serve(tmp_path, **settings) as server:
        address = f"127.0.0.1:{await server.port()}"
        url = f"http://127.0.0.1:{await server.web_port()}"
        async with httpx2.AsyncClient(base_url=url, timeout=30) as http:
            admin = (tmp_path / "admin.token").read_text().strip()
            yield Issuer(http, address, dsn, tmp_path, await sign_in(http, admin))


async def _go_service(folder: Path) -> list[str]:
    return await go_program(_SERVICES / "go", folder / "go-service")


async def _typescript_service(folder: Path) -> list[str]:
    copy = Path(shutil.copytree(_SERVICES / "typescript", folder / "typescript"))
    (copy / "node_modules").mkdir()
    (copy / "node_modules" / "keystead-client").symlink_to(_CLIENTS / "typescript")
    return [required("node", "nodejs"), str(copy / "service.js")]


async def _fastapi_service(_folder: Path) -> list[str]:
    return [sys.executable, str(_SERVICES / "fastapi" / "service.py")]


_BUILDS = (_fastapi_service, _go_service, _typescript_service)


@contextlib.asynccontextmanager
async def _running(
    command: list[str], issuer: Issuer, **settings: str
) -> AsyncIterator[httpx2.AsyncClient]:
    address = f"127.0.0.1:{free_port()}"
    environment = {
        "KEYSTEAD_URL": str(issuer.http.base_url).rstrip("/"),
        "ISSUER": _ISSUER,
        "AUDIENCE": _AUDIENCE,
        **settings,
    }
    async with (
        running(*command, address=address, **environment),
        httpx2.AsyncClient(base_url=f"http://{address}", timeout=30) as service,
    ):
        yield service


async def test_services_take_its_jwts_and_no_others_through_a_rotation(
    issuer: Issuer, tmp_path: Path
) -> None:
    async def statuses(token: str) -> set[int]:
        headers = {"authorization": f"Bearer {token}"}
        answers = [await service.get("/whoami", headers=headers) for service in services]
        for answer in answers:
            if answer.status_code == 200:
                session = [issuer.session["userId"], issuer.session["sessionId"]]
                assert answer.text.split() == session, answer.url
        return {answer.status_code for answer in answers}

    commands = await asyncio.gather(*(build(tmp_path) for build in _BUILDS))
    # Given services that fetch the keys while the next one is published
    published = await keystead(
        "rotate-signing-key", data_dir=issuer.data_dir, database_url=issuer.dsn
    )
    assert published.status == 0
    await given.eventually(lambda: _publishes(issuer, 4))
    async with contextlib.AsyncExitStack() as stack:
        services = [
            await stack.enter_async_context(_running(command, issuer)) for command in commands
        ]
        before = await issuer.issue()
        assert await statuses(before) == {200}

        # When the next key signs, a day later
        await issuer.a_day_passes()
        await given.eventually(lambda: _has_another_key(issuer, before))

        # Then nothing is refused, neither new tokens nor those on their way
        assert await statuses(await issuer.issue()) == {200}
        assert await statuses(before) == {200}

        # And nothing else is accepted
        assert await statuses(await issuer.forge()) == {200}
        foreign = ec.generate_private_key(ec.SECP256R1())
        claims = jwt.decode(before, options={"verify_signature": False})
        known = {"kid": jwt.get_unverified_header(before)["kid"], "typ": "at+jwt"}
        refused = {
            "another audience": await issuer.issue("reports"),
            "another issuer": await issuer.forge(iss=f"{_ISSUER}/"),
            "expired": await issuer.forge(exp=int(time.time()) - 120),
            "no expiry": await issuer.forge(exp=None),
            "another type": await issuer.forge(headers={"typ": "JWT"}),
            "unknown key": jwt.encode(claims, foreign, "ES256", headers=known | {"kid": "unknown"}),
            "another key": jwt.encode(claims, foreign, "ES256", headers=known),
            "HS256": jwt.encode(claims, "x" * 32, "HS256", headers=known),
            "none": jwt.encode(claims, "", "none", headers=known),
            "no JWT": "nothing",
        }
        assert {why: await statuses(token) for why, token in refused.items()} == {
            why: {401} for why in refused
        }


async def test_services_refuse_users_of_organizations_that_they_do_not_name(
    issuer: Issuer, tmp_path: Path
) -> None:
    token = await issuer.issue()
    headers = {"authorization": f"Bearer {token}"}
    own = jwt.decode(token, options={"verify_signature": False})["org"]
    for build in _BUILDS:
        command = await build(tmp_path)
        for org_ids, status in ((f"other,{own}", 200), ("other", 401)):
            async with _running(command, issuer, ORG_IDS=org_ids) as service:
                answer = await service.get("/whoami", headers=headers)

            assert answer.status_code == status, command


async def test_services_answer_503_while_the_keys_cannot_be_fetched(
    issuer: Issuer, tmp_path: Path
) -> None:
    headers = {"authorization": f"Bearer {await issuer.issue()}"}
    for build in _BUILDS:
        command = await build(tmp_path)
        unused = f"http://127.0.0.1:{free_port()}"
        async with _running(command, issuer, KEYSTEAD_URL=unused) as service:
            answer = await service.get("/whoami", headers=headers)

        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


async def test_services_refuse_a_session_two_seconds_after_its_end(
    issuer: Issuer, tmp_path: Path
) -> None:
    async def statuses() -> set[int]:
        headers = {"authorization": f"Bearer {token}"}
        answers = [await service.get("/whoami", headers=headers) for service in services]
        return {answer.status_code for answer in answers}

    async def are_ready() -> bool:
        answers = [await service.get("/ready") for service in services]
        return all(answer.status_code == 204 for answer in answers)

    async def is_refused() -> bool:
        return await statuses() == {401}

    # Given services that may be told of all sessions
    port = int(issuer.grpc_address.rpartition(":")[2])
    async with Instance.connected(issuer.dsn, port, issuer.data_dir) as instance:
        roles = [user_pb.ROLE_SESSION_VERIFIER]
        verifier = await given.user(instance.admin, roles=roles)
    token_file = tmp_path / "verifier.token"
    token_file.write_text(verifier.token)
    watch = {"KEYSTEAD_GRPC_ADDRESS": issuer.grpc_address, "KEYSTEAD_TOKEN_FILE": str(token_file)}
    async with contextlib.AsyncExitStack() as stack:
        services = [
            await stack.enter_async_context(_running(await build(tmp_path), issuer, **watch))
            for build in _BUILDS
        ]
        await given.eventually(are_ready)
        token = await issuer.issue()
        assert await statuses() == {200}

        # When the user signs out
        headers = {"authorization": f"Bearer {issuer.session['sessionToken']}"}
        signed_out = await issuer.http.delete("/v1/sessions/current", headers=headers)
        assert signed_out.status_code == 200

        # Then the JWT is refused, though it is valid for five minutes
        async with asyncio.timeout(2):
            await given.eventually(is_refused)


async def _publishes(issuer: Issuer, keys: int) -> bool:
    answer = await issuer.http.get("/.well-known/jwks.json")
    return len(answer.json()["keys"]) == keys


async def _has_another_key(issuer: Issuer, token: str) -> bool:
    kids = [jwt.get_unverified_header(each)["kid"] for each in (token, await issuer.issue())]
    return bool(kids[0] != kids[1])
