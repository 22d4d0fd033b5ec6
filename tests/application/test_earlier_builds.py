"""Applications of earlier builds, with `requires_pkce` and `id_token_claims`."""

import json

import pytest

from keystead.application.v1 import application_service_pb2 as pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.application import calls
from tests.support import given
from tests.support.given import Client, Instance


async def _settings(owner: Client, application_id: str) -> tuple[int, bool]:
    application = await calls.get(owner, application_id)
    return application.pkce, application.omits_id_token_claims


@pytest.mark.parametrize(
    ("requires_pkce", "id_token_claims", "expected"),
    [
        (True, [], (pb.APPLICATION_PKCE_REQUIRED, True)),
        (False, ["name"], (pb.APPLICATION_PKCE_NONE, False)),
    ],
)
async def test_a_row_of_an_older_server_keeps_its_behaviour(
    owner: Client,
    instance: Instance,
    requires_pkce: bool,
    id_token_claims: list[str],
    expected: tuple[int, bool],
) -> None:
    application_id = await calls.application(owner)
    async with given.sql(instance.dsn) as sql:
        await sql.execute(
            """
            update applications set pkce = null, omits_id_token_claims = null,
                requires_pkce = $2, id_token_claims = $3
            where id = $1""",
            application_id,
            requires_pkce,
            id_token_claims,
        )

    assert await _settings(owner, application_id) == expected

    await calls.patch(owner, application_id, pkce=pb.APPLICATION_PKCE_PKCE_OR_NONCE)
    assert await _settings(owner, application_id) == (
        pb.APPLICATION_PKCE_PKCE_OR_NONCE,
        expected[1],
    )


async def test_events_of_an_earlier_build_are_rebuilt(own_instance: Instance) -> None:
    admin = own_instance.admin
    application_id = await calls.application(admin)
    async with (
        given.sql(own_instance.dsn) as sql,
        connected(own_instance.dsn, pool_size=2) as database,
    ):
        for old_id, number, payload in (
            ("added", 0, {"requires_pkce": True, "id_token_claims": ["name"]}),
            ("changed", 0, {"requires_pkce": True, "id_token_claims": ["name"]}),
            ("changed", 1, {"requires_pkce": False, "id_token_claims": []}),
        ):
            await sql.execute(
                """
                insert into events
                select $2, sequence + $3, aggregate_type, case $3 when 0 then event_type
                        else 'application.changed' end, 1,
                    case $3 when 0 then payload - 'pkce' - 'omits_id_token_claims'
                        else '{}'::jsonb end || $4::text::jsonb, creator, owner, created_at
                from events where aggregate_id = $1""",
                application_id,
                old_id,
                number,
                json.dumps(payload),
            )

        await rebuild(database, repair=True)

    assert await _settings(admin, "added") == (pb.APPLICATION_PKCE_REQUIRED, False)
    assert await _settings(admin, "changed") == (pb.APPLICATION_PKCE_NONE, True)


@pytest.mark.parametrize(
    ("pkce", "omits", "row"),
    [
        (pb.APPLICATION_PKCE_REQUIRED, True, (True, [])),
        (pb.APPLICATION_PKCE_PKCE_OR_NONCE, False, (True, ["name", "email", "groups"])),
        (pb.APPLICATION_PKCE_NONE, False, (False, ["name", "email", "groups"])),
    ],
)
async def test_an_older_server_allows_no_more(
    own_instance: Instance, pkce: pb.ApplicationPKCE, omits: bool, row: tuple[bool, list[str]]
) -> None:
    admin = own_instance.admin
    await calls.application(admin, pkce=pkce, omits_id_token_claims=omits)
    changed = await calls.application(admin)
    await calls.patch(admin, changed, pkce=pkce, omits_id_token_claims=omits)

    async with (
        given.sql(own_instance.dsn) as sql,
        connected(own_instance.dsn, pool_size=2) as database,
    ):
        rows = await sql.fetch("select requires_pkce, id_token_claims from applications")
        assert [tuple(each) for each in rows] == [row, row]
        assert not (await rebuild(database, repair=False)).differences
