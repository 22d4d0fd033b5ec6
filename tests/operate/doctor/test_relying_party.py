"""The settings of the relying party, and passkeys that do not suit them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from server import app
from server.operate.doctor import passkeys
from server.relying_party.http_client import Answer, Connections
from server.settings.settings import Settings
from server.system.checks.findings import State
from tests.conftest import MakeInstance
from tests.operate.doctor.installation import (
    before_database,
    execute,
    findings_of,
    only,
    settings_of,
)
from tests.passkey.ceremonies import register
from tests.support import given
from tests.support.given import Instance

_ELSEWHERE = {"rp_id": "example.com", "rp_origins": ("https://example.com",)}


@pytest.fixture(scope="module")
async def server(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    async with make_instance(rp_user_verification="preferred") as server:
        yield server


@pytest.fixture
async def instance(server: Instance) -> Instance:
    """A server for this file. No passkeys are registered when a test begins."""
    await execute(server, "delete from passkeys")
    return server


async def test_passkeys_of_another_relying_party_are_counted_with_their_users(
    instance: Instance,
) -> None:
    user = await given.user(instance.admin)
    await register(user)
    await register(user)
    await register(await given.user(instance.admin))

    found = await only(instance, "passkeys", **_ELSEWHERE)

    assert found.state is State.PROBLEM
    assert (
        "3 of 3 passkeys, of 2 users, can no longer be used (registered for localhost)"
        in found.message
    )


async def test_passkeys_of_another_relying_party_are_told_of_when_the_server_starts(
    instance: Instance,
) -> None:
    await register(await given.user(instance.admin))

    with structlog.testing.capture_logs() as fine:
        await app.prepare(settings_of(instance), instance.dsn)
    with structlog.testing.capture_logs() as logged:
        await app.prepare(settings_of(instance, **_ELSEWHERE), instance.dsn)

    assert not [line for line in fine if line["log_level"] == "warning"]
    [line] = [line for line in logged if line["log_level"] == "warning"]
    assert (
        "1 of 1 passkey, of 1 user, can no longer be used (registered for localhost)"
        in line["detail"]
    )


async def test_passkeys_of_an_origin_that_is_not_named_any_more_are_a_warning(
    instance: Instance,
) -> None:
    await register(await given.user(instance.admin))

    found = await only(instance, "passkey origins", rp_origins=("http://localhost:9000",))

    assert found.state is State.WARNING
    assert "1 passkey was registered on http://localhost:8080" in found.message


async def test_passkeys_without_user_verification_are_counted_once_that_is_required(
    instance: Instance,
) -> None:
    await register(await given.user(instance.admin), uv=False)
    await register(await given.user(instance.admin))

    now = await only(instance, "user verification", rp_user_verification="required")
    before = await only(instance, "user verification", rp_user_verification="preferred")

    assert (now.state, before.state) == (State.PROBLEM, State.OK)
    assert "1 user registered 1 passkey without it" in now.message


async def test_a_move_is_counted_and_a_removal_says_first_whom_it_would_lock_out(
    instance: Instance,
) -> None:
    moved = await given.user(instance.admin)
    for passkey_of in (moved, moved, await given.user(instance.admin)):
        await register(passkey_of)
    await execute(
        instance,
        "update passkeys set rp_id = 'example.com', origin = 'https://example.com'"
        " where passkey_id = (select min(passkey_id) from passkeys)",
    )
    settings = _ELSEWHERE | {"former_rp_ids": ("localhost", "gone.localhost")}

    count, removal, of_nobody = (
        each.message
        for each in await findings_of(instance, **settings)
        if each.check == "move" and each.state is State.OK
    )

    assert count.startswith("1 of 2 users with passkeys of localhost, gone.localhost have one of")
    assert "Without localhost in KEYSTEAD_FORMER_RP_IDS, 1 user would have no passkey" in removal
    assert "keystead passkey unmoved --rp-id localhost" in removal
    assert of_nobody == (
        "gone.localhost can be removed from KEYSTEAD_FORMER_RP_IDS: it locks out nobody."
    )
    assert (await only(instance, "passkeys", **settings)).state is State.OK


_DOCUMENT = '{"origins": ["https://example.com"]}'


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (_DOCUMENT, "lists the origins of today."),
        ('{"origins": ["https://other.example"]}', "does not list https://example.com"),
        ('{"origins": "https://example.com"}', "does not list https://example.com"),
        ("<html>", "did not answer with a JSON object"),
    ],
)
async def test_a_former_domain_must_list_the_origins_of_today(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, expected: str
) -> None:
    asked: list[str] = []

    async def get(_self: Connections, url: str) -> Answer:
        asked.append(url)
        return Answer("old.example", 200, answer.encode())

    monkeypatch.setattr(Connections, "get", get)
    settings = Settings.model_validate(
        {"data_dir": tmp_path, "former_rp_ids": ("old.example",), **_ELSEWHERE}
    )

    [found] = await passkeys.check_former(settings)

    assert asked == ["https://old.example/.well-known/webauthn"]
    assert (found.state is State.OK) == (answer == _DOCUMENT)
    assert expected in found.message


@pytest.mark.parametrize("check", ["passkey origins", "user verification"])
async def test_imported_passkeys_were_registered_nowhere_and_by_nobody(
    instance: Instance, check: str
) -> None:
    await register(await given.user(instance.admin))
    await execute(instance, "update passkeys set origin = '', user_verified = false")

    found = await only(instance, check, rp_user_verification="required")

    assert found.state is State.OK


@pytest.mark.parametrize(
    ("check", "settings", "message"),
    [
        (
            "relying party",
            {"http_address": "0.0.0.0:8080"},
            "passkeys work only in browsers on this machine",
        ),
        (
            "link page",
            {"passkey_page_url": "https://example.com/keys"},
            "Add https://example.com there",
        ),
        ("link page", {"passkey_page_url": "http://example.com/keys"}, "not served over https"),
        (
            "link page",
            {"http_address": "127.0.0.1:9090", "rp_origins": ("http://localhost:8080",)},
            "Name http://localhost:9090 first in KEYSTEAD_RP_ORIGINS",
        ),
        (
            "link page",
            {
                "rp_origins": ("http://localhost:8080",),
                "tls_certificate_file": "tls.pem",
                "tls_key_file": "tls.key",
            },
            "Name https://localhost:8080 first in KEYSTEAD_RP_ORIGINS",
        ),
        ("plaintext", {"http_address": "0.0.0.0:8080"}, "HTTP_ADDRESS is 0.0.0.0:8080"),
        ("plaintext", {"grpc_address": "[::]:50051"}, "GRPC_ADDRESS is [::]:50051"),
    ],
)
def test_settings_that_suit_no_user_are_found(
    tmp_path: Path, check: str, settings: dict[str, Any], message: str
) -> None:
    found, otherwise = (
        before_database(tmp_path, **settings)[check],
        before_database(tmp_path)[check],
    )

    assert found.state in (State.WARNING, State.PROBLEM)
    assert message in found.message
    assert otherwise.state is State.OK


@pytest.mark.parametrize(
    "settings",
    [
        {"http_address": "127.0.0.1:9090"},
        {"http_address": "127.0.0.1:9090", "passkey_page_url": "http://localhost:5173/keys"},
    ],
)
def test_a_page_of_links_on_another_port_can_be_chosen(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    origins = ("http://localhost:9090", "http://localhost:5173")

    assert before_database(tmp_path, rp_origins=origins, **settings)["link page"].state is State.OK
