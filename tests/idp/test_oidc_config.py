"""OpenID Connect settings of an identity provider."""

from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.idp.v1 import oidc_config_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import Keyring, read_key_file
from server.idp.commands import OneIDP
from server.idp.oidc import commands, store
from server.operate.rebuild.run import rebuild
from server.store import pages
from server.store.database import Database, connected
from server.validation.colors import contrast
from server.values.errors import Failure
from tests.idp import calls
from tests.idp.oidc_calls import FIELDS, LOGO, get, remove, set_config, try_out
from tests.support import given, images
from tests.support.given import Client, Instance


async def secrets(sql: asyncpg.Connection, idp_id: str) -> list[asyncpg.Record]:
    return await sql.fetch("select * from secrets where aggregate_id = $1", idp_id)


@pytest.fixture
async def idp_id(admin: Client) -> str:
    return await given.idp(admin)


async def test_settings_are_read_back_without_the_secret(idp_id: str, admin: Client) -> None:
    button = pb.OIDCButton(logo=LOGO, background_color="#1A3C6E", text_color="#ffffff")

    answer = await set_config(admin, idp_id, button=button)

    config = await get(admin, idp_id)
    assert config == pb.OIDCConfig(
        idp_id=idp_id,
        details=answer.details,
        issuer="https://login.example.com",
        client_id="keystead",
        client_secret_set=True,
        client_secret_set_at=config.client_secret_set_at,
        scopes=["profile", "email"],
        token_endpoint_auth_method=pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC,
        button=pb.OIDCButton(logo=LOGO, background_color="#1a3c6e", text_color="#ffffff"),
    )
    delay = answer.details.change_date.ToNanoseconds() - config.client_secret_set_at.ToNanoseconds()
    assert abs(delay) < 60e9


async def test_the_preset_is_the_one_that_the_issuer_tells(idp_id: str, admin: Client) -> None:
    await set_config(admin, idp_id, issuer="https://accounts.google.com")

    assert (await get(admin, idp_id)).preset == "google"


@pytest.mark.parametrize("call", [get, remove, try_out])
async def test_settings_that_are_not_set_or_foreign_are_not_found(
    admin: Client, call: Callable[[Client, str], Awaitable[object]]
) -> None:
    outsider = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    unset, foreign = await given.idp(admin), await given.idp(outsider)
    await set_config(outsider, foreign)

    refusals = [await given.refusal(call(admin, idp_id)) for idp_id in (unset, foreign)]

    assert {each.code for each in refusals} == {grpc.StatusCode.NOT_FOUND}
    assert [each.reason for each in refusals] == ["OIDC_CONFIG_NOT_FOUND", "IDP_NOT_FOUND"]
    assert (await get(outsider, foreign)).client_secret_set


_WRONG: list[tuple[dict[str, Any], set[str]]] = [
    ({"issuer": ""}, {"issuer"}),
    ({"issuer": "http://login.example.com"}, {"issuer"}),
    ({"issuer": "https://login.example.com?a=b"}, {"issuer"}),
    ({"issuer": "https://login.example.com#a"}, {"issuer"}),
    ({"issuer": "https://user@login.example.com"}, {"issuer"}),
    ({"issuer": "https://login.example.com:99999"}, {"issuer"}),
    ({"issuer": "https://login .example.com"}, {"issuer"}),
    ({"issuer": "https://" + "a" * 500}, {"issuer"}),
    ({"issuer": "https://login.microsoftonline.com/common/v2.0"}, {"issuer"}),
    ({"issuer": "https://login.microsoftonline.com/organizations/v2.0"}, {"issuer"}),
    ({"issuer": "https://login.microsoftonline.com/consumers/v2.0"}, {"issuer"}),
    ({"issuer": "https://login.microsoftonline.com/{tenantid}/v2.0"}, {"issuer"}),
    ({"issuer": "https://login.microsoftonline.us/common/v2.0"}, {"issuer"}),
    ({"issuer": "https://sts.windows.net/common/"}, {"issuer"}),
    ({"client_id": ""}, {"clientId"}),
    ({"client_id": "a\n"}, {"clientId"}),
    ({"client_id": "a" * 501}, {"clientId"}),
    ({"scopes": ["a b"]}, {"scopes"}),
    ({"scopes": [f"scope{n}" for n in range(21)]}, {"scopes"}),
    ({"client_secret": ""}, {"clientSecret"}),
    ({"client_secret": "a" * 1001}, {"clientSecret"}),
    ({"client_secret": None}, {"clientSecret"}),
    ({"token_endpoint_auth_method": 3}, {"clientSecret"}),
    ({"token_endpoint_auth_method": 4}, {"tokenEndpointAuthMethod"}),
    ({"button": pb.OIDCButton(logo=b"<svg/>")}, {"button.logo"}),
    ({"button": pb.OIDCButton(logo=LOGO + b"<p>")}, {"button.logo"}),
    ({"button": pb.OIDCButton(logo=LOGO + bytes(32768))}, {"button.logo"}),
    ({"button": pb.OIDCButton(background_color="blue")}, {"button.backgroundColor"}),
    ({"button": pb.OIDCButton(background_color="#ffffff")}, {"button.textColor"}),
    ({"button": pb.OIDCButton(text_color="#ffffff")}, {"button.textColor"}),
    (
        {"button": pb.OIDCButton(background_color="#ffffff", text_color="#777777")},
        {"button.textColor"},
    ),
    ({"issuer": "", "client_id": "", "scopes": [""]}, {"issuer", "clientId", "scopes"}),
]


async def test_every_wrong_field_is_named(idp_id: str, admin: Client) -> None:
    for fields, violations in _WRONG:
        refused = await given.refusal(set_config(admin, idp_id, **fields))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, fields
        assert refused.violations.keys() == violations, fields


@pytest.mark.parametrize("logo", [images.webp(), images.jpeg()])
async def test_webp_and_jpeg_are_logos_too(idp_id: str, admin: Client, logo: bytes) -> None:
    await set_config(admin, idp_id, button=pb.OIDCButton(logo=logo))

    assert (await get(admin, idp_id)).button.logo == logo


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


async def test_the_stored_secret_is_kept_for_the_same_client(
    idp_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    await set_config(admin, idp_id)
    before = await secrets(sql, idp_id)

    await set_config(admin, idp_id, client_secret=None, scopes=[])

    assert await secrets(sql, idp_id) == before
    config = await get(admin, idp_id)
    assert (config.client_secret_set, list(config.scopes)) == (True, [])


@pytest.mark.parametrize("change", [{"issuer": "https://evil.example"}, {"client_id": "other"}])
async def test_a_secret_is_not_kept_for_another_issuer_or_client(
    idp_id: str, admin: Client, change: dict[str, str]
) -> None:
    await set_config(admin, idp_id)

    refused = await given.refusal(set_config(admin, idp_id, client_secret=None, **change))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "OIDC_CLIENT_SECRET_REQUIRED"
    await set_config(admin, idp_id, client_secret="another-secret", **change)


async def test_a_secret_that_is_moved_to_another_issuer_cannot_be_read(
    idp_id: str, instance: Instance, admin: Client, sql: asyncpg.Connection, database: Database
) -> None:
    await set_config(admin, idp_id)
    keyring = Keyring(read_key_file(instance.data_dir / "encryption.keys"))
    command = OneIDP(idp_id=idp_id)
    organization_id = await sql.fetchval("select owner from idps where id = $1", idp_id)
    config = await commands.get(database, command, organization_id=organization_id)
    assert commands.relying_party(keyring, config).client_secret == "a-client-secret"

    await sql.execute(
        "update idp_oidc_configs set issuer = 'https://evil.example' where idp_id = $1", idp_id
    )

    moved = await commands.get(database, command, organization_id=organization_id)
    with pytest.raises(Failure) as raised:
        commands.relying_party(keyring, moved)
    assert raised.value.reason == "OIDC_CLIENT_SECRET_UNREADABLE"


async def test_a_public_client_has_no_secret(
    idp_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    await set_config(admin, idp_id)

    method = pb.TOKEN_ENDPOINT_AUTH_METHOD_NONE
    await set_config(admin, idp_id, client_secret=None, token_endpoint_auth_method=method)

    assert not (await get(admin, idp_id)).client_secret_set
    assert await secrets(sql, idp_id) == []


async def test_the_same_settings_again_are_no_event(
    idp_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    first = await set_config(admin, idp_id, button=pb.OIDCButton(logo=LOGO))

    again = await set_config(admin, idp_id, client_secret=None, button=pb.OIDCButton(logo=LOGO))

    assert again == first
    assert len(await given.logged(sql, idp_id)) == 2


async def test_update_and_patch_leave_the_settings_alone(idp_id: str, admin: Client) -> None:
    await set_config(admin, idp_id)
    before = await get(admin, idp_id)

    await calls.update(admin, idp_id, name="Updated")
    await calls.patch(admin, idp_id, ["name"], name="Patched")

    assert await get(admin, idp_id) == before


@pytest.mark.parametrize("removal", [calls.remove, remove], ids=["provider", "settings"])
async def test_removal_erases_the_secret(
    idp_id: str, admin: Client, sql: asyncpg.Connection, removal: Any
) -> None:
    await set_config(admin, idp_id)

    await removal(admin, idp_id)

    assert await secrets(sql, idp_id) == []
    assert (await given.refusal(get(admin, idp_id))).code is grpc.StatusCode.NOT_FOUND


async def test_settings_do_not_outlive_a_provider_that_is_removed_meanwhile(
    admin: Client, sql: asyncpg.Connection
) -> None:
    for _ in range(5):
        idp_id = await given.idp(admin)

        ended = await given.outcomes([set_config(admin, idp_id), calls.remove(admin, idp_id)])

        assert ended in ({"OK": 2}, {"OK": 1, "IDP_NOT_FOUND": 1})
        assert await secrets(sql, idp_id) == []
        rows = await sql.fetch("select from idp_oidc_configs where idp_id = $1", idp_id)
        assert rows == []


async def test_the_secret_is_in_no_event(
    idp_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    await set_config(admin, idp_id)

    events = await given.logged(sql, idp_id)
    assert len(events) == 2
    assert "a-client-secret" not in str(events)


async def test_secrets_move_to_a_new_key(
    file_instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "ROWS_OF_PAGE", 2)
    admin = file_instance.admin
    idp_ids = [await given.idp(admin) for _ in range(3)]
    for idp_id in idp_ids:
        await set_config(admin, idp_id)
    keys = read_key_file(file_instance.data_dir / "encryption.keys")
    new = Keyring([b"n" * 32, *keys])
    await given.accept_every_key(file_instance.dsn)

    async with connected(file_instance.dsn, pool_size=2) as database:
        assert await commands.rotate_secrets(database, new) == 3
        assert await commands.rotate_secrets(database, new) == 0
        config = await store.get(database, idp_ids[-1])

    assert config is not None
    secret = commands.relying_party(Keyring([b"n" * 32]), config).client_secret
    assert secret == "a-client-secret"


async def test_a_rebuild_reproduces_the_settings(file_instance: Instance) -> None:
    admin = file_instance.admin
    for removal in (None, remove, calls.remove):
        idp_id = await given.idp(admin)
        await set_config(admin, idp_id, button=pb.OIDCButton(logo=LOGO))
        await set_config(admin, idp_id, client_id="changed")
        if removal is not None:
            await removal(admin, idp_id)

    async with connected(file_instance.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


async def test_a_change_of_settings_that_have_changed_is_refused(
    idp_id: str, admin: Client
) -> None:
    read = (await set_config(admin, idp_id)).details.sequence
    await set_config(admin, idp_id, scopes=[])
    request = pb.SetOIDCConfigRequest(idp_id=idp_id, **FIELDS)

    refused = await given.refusal(
        admin.call(admin.oidc_configs.SetOIDCConfig, request, if_match=f'"{read}"')
    )

    assert refused.reason == "ETAG_MISMATCH"
    assert list((await get(admin, idp_id)).scopes) == []


async def test_a_trial_says_what_to_change(idp_id: str, admin: Client) -> None:
    await set_config(admin, idp_id, issuer="https://127.0.0.1:1")

    [step] = (await try_out(admin, idp_id)).steps
    assert (step.name, step.succeeded, step.reason) == ("discovery", False, "ADDRESS_NOT_ALLOWED")
    assert "KEYSTEAD_IDP_ALLOWED_NETWORKS" in step.message
