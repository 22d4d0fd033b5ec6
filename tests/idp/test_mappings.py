"""Claims of a provider become fields, attributes and groups of its users, as its mappings say."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import grpc
import pytest

from keystead.attribute.v1 import attribute_service_pb2 as attribute_pb
from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.idp.v1 import identity_provider_service_pb2 as pb
from server.access.roles import PERMISSIONS_OF
from server.gate import commands as gate_commands
from server.idp.signin.mapped import values_of
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.gate import behind
from tests.gate.behind import Browser, EnvoyProxy
from tests.group import calls as groups
from tests.idp import calls, mail_domains, signins
from tests.idp.signins import Session, Site
from tests.idp.test_hostile_claims import TEXTS, VALUES
from tests.support import given
from tests.support.dns_server import Zone
from tests.support.given import Instance
from tests.support.oidc_provider import Provider
from tests.user import attribute_calls as attributes
from tests.user import calls as users

FIRST, EVERY = pb.IDP_MAPPING_TIME_FIRST_SIGN_IN, pb.IDP_MAPPING_TIME_EVERY_SIGN_IN


def row(
    claim: str, attribute: str = "", when: Any = EVERY, groups: Mapping[str, str] | None = None
) -> pb.IDPMapping:
    return pb.IDPMapping(claim=claim, attribute=attribute or claim, when=when, groups=groups)


async def map_claims(site: Site, *mappings: pb.IDPMapping) -> None:
    await calls.patch(site.owner, site.idp_id, ["mappings"], mappings=mappings)


async def sign_in(site: Site, subject: str = "ada", **claims: Any) -> Session:
    site.provider.speak_of(subject, **claims)
    return await site.sign_in()


async def groups_of(site: Site, session: Session) -> list[str]:
    return sorted(each.name for each in await groups.of_user(site.owner, session.answer.user_id))


async def skipped_of(site: Site, session: Session) -> dict[str, str]:
    [link] = await signins.links(site.owner, session.answer.user_id)
    return dict(link.skipped_mappings)


async def events_of(site: Site, session: Session) -> list[str]:
    async with given.sql(site.instance.dsn) as sql:
        events = await given.logged(sql, session.answer.user_id)
    return [each["event_type"] for each in events]


async def _is_rebuilt(site: Site) -> bool:
    async with connected(site.instance.dsn, pool_size=2) as database:
        return (await rebuild(database, repair=False)).differences == ()


_CLAIMS: dict[str, Any] = {
    "a": {"b": 1, "b.c": 2, "": 3},
    "a.b": {"x": 4},
    "a.b.d": 5,
    "list": [6, {"x": 7}],
    "text": "list",
    "https://a.example.com/roles": ["writers"],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.b.d", 5),
        ("a.b.x", 4),
        ("a.b.c", 2),  # `a.b` has no `c`
        ("a.", 3),
        ("list.0", 6),
        ("list.1.x", 7),
        ("https://a.example.com/roles.0", "writers"),
        *((f"list.{index}", None) for index in ("2", "-1", "x", "", "0x", "\u0660", "9" * 99)),
        ("text.0", None),
        ("list.0.x", None),
        (".a", None),
    ],
)
def test_a_claim_is_found_by_its_path(path: str, value: object) -> None:
    assert next(values_of(_CLAIMS, path), None) == value


# The claims that providers document, the mappings of them, and the user that follows: fields, the
# attribute `department`, and groups.
_DOCUMENTED: dict[str, tuple[dict[str, Any], list[pb.IDPMapping], dict[str, Any]]] = {
    # https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference: `groups` are
    # object IDs, `roles` values of app roles; names are optional claims.
    "Entra": (
        {
            "preferred_username": "ada@contoso.example",
            "email": "ada@contoso.example",
            "given_name": "Ada",
            "family_name": "Lovelace",
            "groups": ["0d6bd6a0-7a0b-4a37-a4b5-2b8c6d3ee9b1", "5e0f3d2c-unknown"],
            "roles": ["Task.Write"],
        },
        [
            row("given_name"),
            row("family_name"),
            row("email", when=FIRST),
            row("groups", groups={"0d6bd6a0-7a0b-4a37-a4b5-2b8c6d3ee9b1": "engineers"}),
            row("roles", "groups", groups={"Task.Write": "writers"}),
        ],
        {
            "given_name": "Ada",
            "family_name": "Lovelace",
            "email": "ada@contoso.example",
            "groups": ["engineers", "writers"],
        },
    ),
    # https://developers.google.com/identity/openid-connect/openid-connect: no groups.
    "Google": (
        {"given_name": "Ada", "family_name": "Lovelace", "locale": "en", "hd": "example.com"},
        [row("given_name"), row("family_name"), row("locale"), row("hd", "department")],
        {"given_name": "Ada", "locale": "en", "department": "example.com"},
    ),
    # https://developer.okta.com/docs/guides/customize-tokens-groups-claim/
    "Okta": (
        {"zoneinfo": "America/Los_Angeles", "locale": "en_US", "groups": ["Everyone", "engineers"]},
        [row("zoneinfo"), row("locale"), row("groups")],
        {"zoneinfo": "America/Los_Angeles", "locale": "en-US", "groups": ["engineers"]},
    ),
    # https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers: full paths of groups,
    # roles in objects; names of claims of other clients may contain dots.
    "Keycloak": (
        {
            "groups": ["/engineering/backend"],
            "realm_access": {"roles": ["offline_access", "writers"]},
            "resource_access": {"a.client": {"roles": ["engineers"]}},
            "organization": ["acme"],
        },
        [
            row("groups", groups={"/engineering/backend": "backend"}),
            row("realm_access.roles", "groups"),
            row("resource_access.a.client.roles", "groups"),
            row("organization.0", "department"),
        ],
        {"groups": ["backend", "engineers", "writers"], "department": "acme"},
    ),
}


@pytest.mark.parametrize("name", _DOCUMENTED)
async def test_claims_as_providers_document_them_become_a_user(site: Site, name: str) -> None:
    claims, mappings, expected = _DOCUMENTED[name]
    for group in ("engineers", "writers", "backend"):
        await groups.group(site.owner, group)
    await attributes.create(site.owner, "department")
    await map_claims(site, *mappings)

    first = await sign_in(site, **claims)
    second = await sign_in(site, **claims)

    user = await users.get(site.owner, second.answer.user_id)
    found = {each: getattr(user, each) for each in expected if each not in ("groups", "department")}
    if "department" in expected:
        found["department"] = user.attributes["department"]
    if "groups" in expected:
        found["groups"] = await groups_of(site, first)
    assert found == expected
    assert await skipped_of(site, second) == {}
    # The second sign-in changed nothing.
    assert (await events_of(site, second))[-1] == "user.session_started_by_idp"
    assert await _is_rebuilt(site)


async def test_only_mappings_of_every_sign_in_replace_what_is_set_here(site: Site) -> None:
    await attributes.create(site.owner, "floor", type=attribute_pb.ATTRIBUTE_TYPE_NUMBER)
    await map_claims(
        site,
        row("given_name", when=FIRST),
        row("family_name"),
        row("floor"),
        row("nick", "display_name"),
    )
    session = await sign_in(site, given_name="Ada", family_name="Byron", floor=3, nick="Countess")
    user_id = session.answer.user_id
    await users.patch(
        site.owner, user_id, ["given_name", "family_name"], given_name="A", family_name="B"
    )

    await sign_in(site, given_name="Ada", family_name="Lovelace", floor=4.5)

    user = await users.get(site.owner, user_id)
    assert (user.given_name, user.family_name, user.display_name) == ("A", "Lovelace", "Countess")
    assert user.attributes["floor"] == 4.5
    async with given.sql(site.instance.dsn) as sql:
        [*_, changed] = await given.logged(sql, user_id, "user.changed")
    assert "Lovelace" in str(changed["payload"])
    assert "Lovelace" not in str(await _shown_events(site, user_id))


async def _shown_events(site: Site, user_id: str) -> Any:
    request = event_pb.ListEventsRequest(aggregate_id=user_id)
    return await site.owner.call(site.owner.events.ListEvents, request)


async def test_a_mapped_address_is_verified_only_as_the_provider_is_trusted_for_it(
    site: Site, zone: Zone
) -> None:
    await mail_domains.prove(site.owner, zone, "example.com")
    await map_claims(site, row("contact", "email"))
    verified: dict[str, Any] = {"email": "ada@example.com", "email_verified": True}

    session = await sign_in(site, contact="ada@example.org", **verified)
    user_id = session.answer.user_id
    user = await users.get(site.owner, user_id)
    assert (user.email, user.email_verification) == ("ada@example.org", 0)

    await sign_in(site, contact="ada@example.com", **verified)
    user = await users.get(site.owner, user_id)
    assert (user.email, bool(user.email_verification)) == ("ada@example.com", True)

    await users.create(site.owner, user_name="other", email="taken@example.com")
    session = await sign_in(site, contact="taken@example.com", **verified)
    assert (await users.get(site.owner, user_id)).email == "ada@example.com"
    assert await skipped_of(site, session) == {"email": "ADDRESS_TAKEN"}


async def test_a_user_leaves_only_groups_that_the_provider_gave_it(site: Site) -> None:
    ids = {name: await groups.group(site.owner, name) for name in ("given", "kept", "mine")}
    await map_claims(site, row("groups"))
    session = await sign_in(site, groups=["given", "kept", "kept"])
    await groups.add_member(site.owner, ids["mine"], session.answer.user_id)
    assert await groups_of(site, session) == ["given", "kept", "mine"]
    [link] = await signins.links(session.client)
    marks = {
        name: member.link_id
        for name, each in ids.items()
        for member in await groups.members(site.owner, each)
    }
    assert marks == {"given": link.link_id, "kept": link.link_id, "mine": ""}

    await sign_in(site, groups=["kept", "mine"])
    assert await groups_of(site, session) == ["kept", "mine"]

    await sign_in(site)  # without groups, providers send no claim
    assert await groups_of(site, session) == ["mine"]
    assert await _is_rebuilt(site)


async def test_a_group_that_a_claim_takes_closes_the_gate_before_it_forgets_the_visit(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    group_id, host = await groups.group(site.owner, "given"), f"{site.idp_id}.example"
    await behind.application(site.owner, host, allowed_groups=[group_id])
    gate = await behind.gate_user(site.instance.admin, site.org_id)
    browser = Browser(EnvoyProxy(gate), host)
    await map_claims(site, row("groups"))
    session = await sign_in(site, groups=["given"])
    monkeypatch.setattr(gate_commands, "CACHE_SECONDS", 3600)  # until the test has failed
    await browser.enter(session.client)
    assert (await browser.get("/")).is_allowed

    await sign_in(site)

    async def is_closed() -> bool:
        return not (await browser.get("/")).is_allowed

    await given.eventually(is_closed)


async def test_groups_of_the_first_sign_in_stay(site: Site) -> None:
    await groups.group(site.owner, "welcome")
    await map_claims(site, row("groups", when=FIRST))
    session = await sign_in(site, groups=["welcome"])

    await sign_in(site, groups=[])
    [link] = await signins.links(session.client)
    await signins.unlink(site.owner, link.link_id, session.answer.user_id)

    assert await groups_of(site, session) == ["welcome"]
    assert await _is_rebuilt(site)


@pytest.mark.parametrize("ending", ["link", "provider"])
async def test_groups_that_a_provider_gave_end_with_the_link(site: Site, ending: str) -> None:
    group_id = await groups.group(site.owner, "given")
    await map_claims(site, row("groups"))
    session = await sign_in(site, groups=["given"])

    if ending == "link":
        [link] = await signins.links(session.client)
        await signins.unlink(site.owner, link.link_id, session.answer.user_id)
    else:
        await calls.remove(site.owner, site.idp_id)

    assert await groups.members(site.owner, group_id) == []
    assert await _is_rebuilt(site)


# https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference, groups overage
_OVERAGE: dict[str, Any] = {
    "_claim_names": {"groups": "src1"},
    "_claim_sources": {
        "src1": {"endpoint": "https://graph.microsoft.com/v1.0/users/a/getMemberObjects"}
    },
}


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        (_OVERAGE, "CLAIM_OMITTED"),
        ({"hasgroups": True}, "CLAIM_OMITTED"),
        ({"groups": {"given": True}}, "VALUE_INVALID"),
        ({"groups": ["given", 7]}, "VALUE_INVALID"),
        ({"groups": ["given", None]}, "VALUE_INVALID"),
        ({"groups": [["given"]]}, "VALUE_INVALID"),
        ({"groups": True}, "VALUE_INVALID"),
        ({"groups": [f"g{n}" for n in range(1001)]}, "TOO_MANY_GROUPS"),
    ],
    ids=str,
)
async def test_a_claim_that_is_no_list_of_groups_takes_none_away(
    site: Site, claims: dict[str, Any], reason: str
) -> None:
    await groups.group(site.owner, "given")
    await map_claims(site, row("groups"))
    session = await sign_in(site, groups="given")  # a list of one, as some providers send it

    await sign_in(site, **claims)
    assert await groups_of(site, session) == ["given"]
    assert await skipped_of(site, session) == {"groups": reason}

    await sign_in(site, groups=["given"])
    assert await skipped_of(site, session) == {}
    assert (await events_of(site, session)).count("user.idp_mappings_skipped") == 2
    assert await _is_rebuilt(site)


async def test_five_hundred_groups_are_joined_by_one_event(site: Site) -> None:
    names = [f"g{n}" for n in range(40)]
    for name in names:
        await groups.group(site.owner, name)
    await map_claims(site, row("groups"))

    session = await sign_in(site, groups=[*names, *(f"unknown{n}" for n in range(460)), *names])

    assert await groups_of(site, session) == sorted(names)
    assert (await events_of(site, session)).count("user.groups_mapped") == 1


async def test_values_of_claims_name_no_group_of_others_and_none_by_id(
    site: Site, relying: Instance, other_provider: Provider
) -> None:
    other = await signins.site(relying, other_provider)
    foreign = await groups.group(other.owner, "admins")
    own = await groups.group(site.owner, "staff")
    await map_claims(site, row("groups"))

    session = await sign_in(site, groups=["admins", foreign, own, *TEXTS.values()])

    assert await groups_of(site, session) == []
    refused = await given.refusal(map_claims(site, row("groups", groups={"a": foreign})))
    assert refused.violations.keys() == {"idp.mappings.0.groups"}
    refused = await given.refusal(
        calls.patch(other.owner, site.idp_id, ["mappings"], mappings=[row("groups")])
    )
    assert refused.reason == "IDP_NOT_FOUND"


def test_who_writes_mappings_may_write_groups_attributes_and_users() -> None:
    writers = [role for role, has in PERMISSIONS_OF.items() if "idp.write" in has]

    assert writers
    for role in writers:
        assert PERMISSIONS_OF[role] >= {"group.write", "attribute.write", "user.write"}


async def test_a_value_that_does_not_fit_is_skipped_and_the_user_signs_in(site: Site) -> None:
    kinds = {
        "text": attribute_pb.ATTRIBUTE_TYPE_TEXT,
        "number": attribute_pb.ATTRIBUTE_TYPE_NUMBER,
        "texts": attribute_pb.ATTRIBUTE_TYPE_TEXT_LIST,
    }
    for name, kind in kinds.items():
        await attributes.create(site.owner, name, type=kind)
    fields = ("display_name", "email", "given_name", "locale", "zoneinfo", "external_id")
    await map_claims(site, *(row("wrong", name) for name in (*kinds, *fields, "undeclared")))

    for case, value in {**TEXTS, **VALUES}.items():
        session = await sign_in(site, case, wrong=value)
        user = await users.get(site.owner, session.answer.user_id)
        skipped = await skipped_of(site, session)
        assert skipped.pop("undeclared") == "ATTRIBUTE_UNKNOWN"
        assert set(skipped.values()) == {"VALUE_INVALID"}, case
        assert skipped.keys() == {*kinds, *fields} - user.attributes.keys() - _set(user), case


def _set(user: Any) -> set[str]:
    names = ("given_name", "locale", "zoneinfo", "external_id")
    return {name for name in names if getattr(user, name)}


async def test_two_sign_ins_at_once_leave_what_one_of_them_says(site: Site) -> None:
    for name in ("red", "blue"):
        await groups.group(site.owner, name)
    await map_claims(site, row("groups"), row("given_name"))
    session = await sign_in(site)
    said = {"red": "Rosa", "blue": "Blau"}
    callbacks = [await site.callback() for _ in range(6)]

    async def complete(callback: Any, colour: str) -> None:
        site.provider.speak_of("ada", groups=[colour], given_name=said[colour])
        await site.complete(callback)

    colours = ["red", "blue"] * 3
    await asyncio.gather(*map(complete, callbacks, colours))

    [colour] = await groups_of(site, session)
    user = await users.get(site.owner, session.answer.user_id)
    assert user.given_name == said[colour]
    assert await _is_rebuilt(site)


async def test_a_full_group_and_a_removed_group_are_skipped(site: Site) -> None:
    ids = [await groups.group(site.owner, name) for name in ("full", "removed", "open")]
    await map_claims(site, row("groups", groups=dict(zip("abc", ids, strict=True))))
    async with given.sql(site.instance.dsn) as sql:
        await sql.execute(
            """
            insert into users (id, owner, user_name, display_name, email, roles, user_handle,
                passkey_count, sequence, creation_date, change_date)
            select $1 || n, $1, n, '', '', '{}', decode(md5(n::text), 'hex'), 0, 1, now(), now()
            from generate_series(1, 10000) as n""",
            site.org_id,
        )
        await sql.execute(
            """
            insert into group_members (user_id, group_id, sequence, creation_date, change_date)
            select $1 || n, $2, 1, now(), now() from generate_series(1, 10000) as n""",
            site.org_id,
            ids[0],
        )
    await groups.remove(site.owner, ids[1])
    # The row keeps the removed group, so that it can be changed.
    kept = list((await calls.get(site.owner, site.idp_id)).mappings)
    await map_claims(site, *kept, row("locale", when=FIRST))

    session = await sign_in(site, groups=["b", "c"])
    assert await skipped_of(site, session) == {"groups": "GROUP_UNKNOWN"}
    await sign_in(site, groups=["a", "c"])
    assert await skipped_of(site, session) == {"groups": "GROUP_FULL"}

    assert await groups_of(site, session) == ["open"]
    async with given.sql(site.instance.dsn) as sql:
        await sql.execute("delete from users where id like $1 || '%' and sequence = 1", site.org_id)


_WRONG: dict[str, tuple[Sequence[pb.IDPMapping], str]] = {
    "user name": ([row("x", "user_name")], "mappings.0.attribute"),
    "roles": ([row("x", "roles")], "mappings.0.attribute"),
    "no claim": ([pb.IDPMapping(attribute="email", when=EVERY)], "mappings.0.claim"),
    "no attribute": ([pb.IDPMapping(claim="x", when=EVERY)], "mappings.0.attribute"),
    "NUL": ([row("x\0", "email")], "mappings.0.claim"),
    "long claim": ([row("x" * 201, "email")], "mappings.0.claim"),
    "deep claim": ([row(".".join("x" * 12), "email")], "mappings.0.claim"),
    "long attribute": ([row("x", "y" * 65)], "mappings.0.attribute"),
    "no time": ([pb.IDPMapping(claim="x", attribute="email")], "mappings.0.when"),
    "groups of an address": ([row("x", "email", groups={"a": "b"})], "mappings.0"),
    "empty value": ([row("x", "groups", groups={"": "b"})], "mappings.0.groups"),
    "twice": ([row("x", "email"), row("y", "email")], "mappings"),
    "two times": ([row("x", "groups"), row("y", "groups", FIRST)], "mappings"),
    "21 rows": ([row("x", f"a{n}") for n in range(21)], "mappings"),
    "101 groups": ([row("x", "groups", groups={f"{n}": "g" for n in range(101)})], "mappings"),
}


async def test_a_row_of_groups_does_not_come_to_mean_all_groups(site: Site) -> None:
    await groups.group(site.owner, "engineers")
    limited, unlimited = row("groups", groups={"e": "engineers"}), row("groups")
    await map_claims(site, row("locale", when=FIRST), limited)

    refused = await given.refusal(map_claims(site, unlimited))
    await map_claims(site)
    await map_claims(site, unlimited)

    assert refused.violations.keys() == {"idp.mappings.0.groups"}


@pytest.mark.parametrize("case", _WRONG)
async def test_wrong_mappings_are_refused_by_name(site: Site, case: str) -> None:
    mappings, violation = _WRONG[case]

    refused = await given.refusal(map_claims(site, *mappings))
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {f"idp.{violation}"}
    refused = await given.refusal(calls.add(site.owner, mappings=mappings))
    assert refused.violations.keys() == {violation}


async def test_mappings_are_patched_whole_and_left_out_of_lists(site: Site) -> None:
    group_id = await groups.group(site.owner, "engineers")
    rows = [row("groups", groups={"e": "engineers"}), row("locale", when=FIRST)]
    await map_claims(site, *rows)
    sequence = (await calls.get(site.owner, site.idp_id)).details.sequence
    await map_claims(site, *rows)
    await calls.update(site.owner, site.idp_id, name="Provider", auto_register=True)

    idp = await calls.get(site.owner, site.idp_id)
    assert idp.details.sequence == sequence
    assert [*idp.mappings] == [row("groups", groups={"e": group_id}), row("locale", when=FIRST)]
    listed = await site.owner.call(site.owner.idps.ListIDPs, pb.ListIDPsRequest())
    assert [*listed.idps[0].mappings] == []
    made = await calls.add(site.owner, mappings=rows)
    assert [*(await calls.get(site.owner, made.idp_id)).mappings] == [*idp.mappings]
