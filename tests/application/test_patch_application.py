"""PatchApplication changes only the fields that the mask names."""

import asyncio
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as pb
from server.application.fields import PATCHABLE
from tests.application import calls
from tests.group import calls as groups
from tests.idp.oidc_calls import LOGO
from tests.support import given
from tests.support.given import Client

# A value of each field that differs from the default of a web application.
_OTHER: dict[str, Any] = {
    "name": "Other",
    "redirect_uris": ["https://other.example/cb"],
    "post_logout_redirect_uris": ["https://other.example/"],
    "backchannel_logout_uri": "https://other.example/logout",
    "token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST,
    "scopes": ["openid"],
    "id_token_alg": pb.ID_TOKEN_ALG_ES256,
    "first_party": True,
    "pkce": pb.APPLICATION_PKCE_NONE,
    "admits_groups_only": True,
    "audience": pb.APPLICATION_AUDIENCE_ALL,
    "access_token_lifetime_seconds": 60,
    "refresh_token_lifetime_seconds": 700_000,
    "refresh_token_idle_seconds": 3600,
    "logo": LOGO,
    "omits_id_token_claims": True,
    "access_token_typ": pb.ACCESS_TOKEN_TYP_JWT,
    "allows_http": True,
    "requires_pushed_authorization_requests": True,
}


@pytest.mark.parametrize("field", _OTHER)
async def test_only_the_field_of_the_mask_changes_and_an_empty_value_is_the_default(
    owner: Client, sql: asyncpg.Connection, field: str
) -> None:
    application_id = await calls.application(owner)
    before = await calls.get(owner, application_id)

    await calls.patch(owner, application_id, [field], **_OTHER)

    after = await calls.get(owner, application_id)
    assert getattr(after, field) == _OTHER[field]
    assert after.details.sequence > before.details.sequence
    assert (await given.logged(sql, application_id))[-1]["payload"].keys() == {field}
    if field not in ("name", "admits_groups_only"):
        await calls.patch(owner, application_id, [field])
        reset = await calls.get(owner, application_id)
        assert getattr(reset, field) == getattr(before, field)


async def test_fields_outside_of_the_mask_stay(owner: Client) -> None:
    application_id = await calls.application(owner, **_OTHER)

    patched = await calls.patch(owner, application_id, name="New")

    assert await calls.get(owner, application_id) == pb.Application(
        application_id=application_id,
        details=patched.details,
        kind=pb.APPLICATION_KIND_WEB,
        **{**_OTHER, "name": "New"},
    )


async def test_all_fields_change_at_once(owner: Client) -> None:
    application_id = await calls.application(owner)

    patched = await calls.patch(owner, application_id, ["*"], **_OTHER)

    assert await calls.get(owner, application_id) == pb.Application(
        application_id=application_id,
        details=patched.details,
        kind=pb.APPLICATION_KIND_WEB,
        **_OTHER,
    )


async def test_a_patch_that_changes_nothing_writes_no_event(
    owner: Client, sql: asyncpg.Connection
) -> None:
    added = await calls.add(owner, **_OTHER)

    again = await calls.patch(owner, added.application_id, ["*"], **_OTHER)

    assert again.details == added.details
    assert len(await given.logged(sql, added.application_id)) == 1


@pytest.mark.parametrize("path", ["kind", "application_id", "secrets", "details"])
async def test_other_fields_cannot_be_patched(owner: Client, path: str) -> None:
    application_id = await calls.application(owner)

    refused = await given.refusal(calls.patch(owner, application_id, [path]))

    assert refused.violations.keys() == {"updateMask"}
    assert path not in PATCHABLE


async def test_a_method_without_secrets_ends_them(owner: Client) -> None:
    application_id = await calls.application(owner)
    await calls.create_secret(owner, application_id)
    basic = pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC
    post = pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST
    key = pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT

    await calls.patch(owner, application_id, token_endpoint_auth_method=post)
    assert len((await calls.get(owner, application_id)).secrets) == 1
    await calls.patch(owner, application_id, token_endpoint_auth_method=key, jwks=calls.JWKS)
    await calls.patch(owner, application_id, token_endpoint_auth_method=basic, jwks="")

    assert not (await calls.get(owner, application_id)).secrets


async def test_a_removal_releases_an_origin_that_is_claimed_meanwhile(
    owner: Client, sql: asyncpg.Connection
) -> None:
    origin, meanwhile = "https://kept.example", "https://meanwhile.example"
    kind = pb.APPLICATION_KIND_GATE
    application_id = await calls.application(owner, kind=kind, origins=[origin])

    async with sql.transaction():
        query = "select from applications where id = $1 for update"
        await sql.execute(query, application_id)
        patched = asyncio.ensure_future(
            calls.patch(owner, application_id, origins=[origin, meanwhile])
        )
        await given.waiting_for_a_lock(sql)
        removed = asyncio.ensure_future(calls.remove(owner, application_id))
        await given.waiting_for_a_lock(sql, statements=2)

    await asyncio.gather(patched, removed)
    assert await calls.application(owner, kind=kind, origins=[origin, meanwhile])


async def test_origins_are_claimed_and_released(owner: Client) -> None:
    first = await calls.application(
        owner, kind=pb.APPLICATION_KIND_GATE, origins=["https://o1.example", "https://o2.example"]
    )
    second = await calls.application(
        owner, kind=pb.APPLICATION_KIND_GATE, origins=["https://o3.example"]
    )

    refused = await given.refusal(calls.patch(owner, second, origins=["https://o1.example"]))
    await calls.patch(owner, first, origins=["https://o2.example"])
    await calls.patch(owner, second, origins=["https://o3.example", "https://o1.example"])

    assert refused.reason == "ORIGIN_ALREADY_USED"
    still = await given.refusal(calls.patch(owner, second, origins=["https://o2.example"]))
    assert still.reason == "ORIGIN_ALREADY_USED"


class TestGroups:
    async def test_groups_are_named_by_id_or_name_and_read_by_id(self, owner: Client) -> None:
        staff, others = await groups.group(owner, "staff"), await groups.group(owner, "others")
        application_id = await calls.application(owner)

        await calls.patch(owner, application_id, allowed_groups=["others", staff, others])

        application = await calls.get(owner, application_id)
        assert application.allowed_groups == [others, staff]
        assert application.admits_groups_only

    async def test_every_unknown_group_is_named(self, admin: Client, owner: Client) -> None:
        foreign = await groups.group(admin)
        await groups.add(owner, "staff")
        application_id, named = await calls.application(owner), ["staff", "unknown", foreign]

        for call in (
            calls.add(owner, allowed_groups=named),
            calls.patch(owner, application_id, allowed_groups=named),
        ):
            refused = await given.refusal(call)
            assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
            assert refused.violations.keys() == {
                "application.allowedGroups.1",
                "application.allowedGroups.2",
            }

    async def test_when_its_last_group_is_removed_an_application_admits_nobody(
        self, owner: Client
    ) -> None:
        first, second = await groups.group(owner), await groups.group(owner)
        application_id = await calls.application(owner, allowed_groups=[first, second])

        await groups.remove(owner, first)
        one = await calls.get(owner, application_id)
        await groups.remove(owner, second)
        none = await calls.get(owner, application_id)
        # A client that reads the application and writes it back opens nothing.
        none.name = "Renamed"
        request = pb.PatchApplicationRequest(application=none)
        request.update_mask.paths.append("*")
        await owner.call(owner.applications.PatchApplication, request)

        assert one.allowed_groups == [second]
        assert (await calls.list_all(owner))[0].allowed_groups == []
        assert (await calls.get(owner, application_id)).admits_groups_only

    async def test_an_empty_list_admits_everybody_again(self, owner: Client) -> None:
        application_id = await calls.application(owner, allowed_groups=[await groups.group(owner)])

        await calls.patch(owner, application_id, ["allowed_groups"])

        assert not (await calls.get(owner, application_id)).admits_groups_only

    async def test_a_list_of_groups_is_not_ignored(self, owner: Client) -> None:
        application_id = await calls.application(owner, allowed_groups=[await groups.group(owner)])

        refused = await given.refusal(calls.patch(owner, application_id, admits_groups_only=False))

        assert refused.violations.keys() == {"application.admitsGroupsOnly"}

    async def test_a_group_that_is_being_removed_is_unknown(
        self, owner: Client, sql: asyncpg.Connection
    ) -> None:
        group_id, application_id = await groups.group(owner), await calls.application(owner)

        async with sql.transaction():
            await sql.execute("select from groups where id = $1 for update", group_id)
            removal = asyncio.ensure_future(groups.remove(owner, group_id))
            await given.waiting_for_a_lock(sql)
            late = asyncio.ensure_future(
                given.refusal(calls.patch(owner, application_id, allowed_groups=[group_id]))
            )
            await given.waiting_for_a_lock(sql, statements=2)

        await removal
        assert (await late).violations.keys() == {"application.allowedGroups.0"}

    async def test_patches_and_removals_of_groups_do_not_deadlock(self, owner: Client) -> None:
        group_ids = [await groups.group(owner) for _ in range(5)]
        application_ids = [await calls.application(owner) for _ in range(3)]

        ended = await given.outcomes(
            [
                *(
                    calls.patch(owner, each, allowed_groups=group_ids[place:])
                    for each in application_ids
                    for place in range(5)
                ),
                *(groups.remove(owner, group_id) for group_id in group_ids),
            ]
        )

        assert ended.keys() <= {"OK", "INVALID_FIELDS"}
        assert not (await calls.get(owner, application_ids[0])).allowed_groups


async def test_rules_between_fields_are_decided_under_the_lock(
    owner: Client, sql: asyncpg.Connection
) -> None:
    application_id = await calls.application(owner)
    patches: list[dict[str, Any]] = [
        {"refresh_token_lifetime_seconds": 3600, "refresh_token_idle_seconds": 3600},
        {"refresh_token_idle_seconds": 7200},
    ]

    async with sql.transaction():
        await sql.execute("select from applications where id = $1 for update", application_id)
        first = asyncio.ensure_future(calls.patch(owner, application_id, **patches[0]))
        await given.waiting_for_a_lock(sql)
        late = asyncio.ensure_future(
            given.refusal(calls.patch(owner, application_id, **patches[1]))
        )
        await given.waiting_for_a_lock(sql, statements=2)

    await first
    assert (await late).violations.keys() == {"application.refreshTokenIdleSeconds"}
