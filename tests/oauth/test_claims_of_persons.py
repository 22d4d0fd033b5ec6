"""The claims about a person: those of `profile` and `email`, and the table of an application."""

from typing import Any

import asyncpg
import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.attribute.v1 import attribute_service_pb2 as attribute_pb
from tests.application import calls
from tests.oauth import flow
from tests.session import jwts
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client
from tests.support.images import png
from tests.user import attribute_calls
from tests.user import calls as users

_BOTH = "openid profile email"
_PERSON = {
    "given_name": "Ada",
    "family_name": "King",
    "locale": "en-GB",
    "zoneinfo": "Europe/London",
}


async def _claims(app: flow.App, ada: SignedIn, scope: str) -> tuple[dict[str, Any], ...]:
    """Those of the ID token, and those of userinfo."""
    tokens = await flow.tokens(app, ada.client, scope=scope)
    info = await flow.user_info(app.client, tokens.access_token)
    return jwts.unverified(tokens.id_token), info


async def test_the_scope_profile_carries_the_fields_that_have_values(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner)
    _, before = await _claims(app, ada, "openid profile")
    assert not before.keys() & _PERSON.keys()

    await users.patch(owner, ada.person.user_id, [*_PERSON, "picture"], picture=png(), **_PERSON)

    picture = (await users.get(owner, ada.person.user_id)).picture_uri
    for claims in await _claims(app, ada, "openid profile"):
        assert claims.items() >= (_PERSON | {"picture": picture}).items()
        assert claims["updated_at"] >= before["updated_at"]
    assert _PERSON.keys().isdisjoint((await _claims(app, ada, "openid email"))[1])


@pytest.mark.parametrize(
    ("way", "claimed"),
    [("", False), ("LINK", True), ("PROVIDER", True), ("IMPORT", True), ("ADMINISTRATOR", False)],
)
async def test_email_verified_says_how_the_address_was_verified(
    owner: Client, ada: SignedIn, sql: asyncpg.Connection, way: str, claimed: bool
) -> None:
    await sql.execute(
        """update users set email = 'ada@example.com', verified_email = 'ada@example.com',
        email_verification = $2, email_verified_at = now() where id = $1""",
        ada.person.user_id,
        way,
    )

    for claims in await _claims(await flow.app(owner), ada, _BOTH):
        assert claims["email"] == "ada@example.com"
        assert claims["email_verified"] is claimed


_TABLE = (
    {"name": "https://example.com/level", "attribute": "level"},
    {"name": "teams", "attribute": "teams", "target": pb.CLAIM_TARGET_ID_TOKEN},
    {"name": "employee", "attribute": "external_id", "target": pb.CLAIM_TARGET_USERINFO},
    {"name": "tenant", "text": "acme"},
    {"name": "unknown", "attribute": "unknown"},
)


async def test_a_table_gives_an_application_attributes_fields_and_texts(
    owner: Client, ada: SignedIn
) -> None:
    kinds = {
        "level": attribute_pb.ATTRIBUTE_TYPE_NUMBER,
        "teams": attribute_pb.ATTRIBUTE_TYPE_TEXT_LIST,
    }
    for name, kind in kinds.items():
        request = attribute_pb.CreateAttributeDefinitionRequest(name=name, type=kind)
        await owner.call(owner.attributes.CreateAttributeDefinition, request)
    app = await flow.app(owner, claims=[pb.ApplicationClaim(**each) for each in _TABLE])
    names = {str(each["name"]) for each in _TABLE}
    empty = [claims.keys() & names for claims in await _claims(app, ada, "openid")]
    assert empty == [{"tenant"}] * 2

    await users.patch(
        owner,
        ada.person.user_id,
        ["attributes", "external_id"],
        attributes=given.struct({"level": 0, "teams": ["a", "b"]}),
        external_id="E-1",
    )

    id_token, info = await _claims(app, ada, "openid")
    assert {name: id_token[name] for name in names & id_token.keys()} == {
        "https://example.com/level": 0,
        "teams": ["a", "b"],
        "tenant": "acme",
    }
    del info["sub"]
    assert info == {"https://example.com/level": 0, "employee": "E-1", "tenant": "acme"}
    other = await flow.app(owner)
    assert not names & (await _claims(other, ada, _BOTH))[1].keys()


async def test_the_longest_claims_are_left_out_of_long_tokens(owner: Client, ada: SignedIn) -> None:
    names = [f"a{n}" for n in range(4)]
    for name in names:
        await attribute_calls.create(owner, name)
    table: list[dict[str, Any]] = [
        *({"name": name, "attribute": name} for name in names),
        {"name": "b", "text": "c"},
    ]
    app = await flow.app(owner, claims=[pb.ApplicationClaim(**each) for each in table])
    values = {name: "x" * (1900 - n) for n, name in enumerate(names)}
    attributes = given.struct(values)
    await users.patch(owner, ada.person.user_id, ["attributes"], attributes=attributes)

    id_token, info = await _claims(app, ada, "openid")

    assert info.items() >= {**values, "b": "c"}.items()
    assert {name for name in (*names, "b") if name in id_token} == {"a2", "a3", "b"}


async def test_a_table_is_read_back_and_patched(owner: Client) -> None:
    table = [pb.ApplicationClaim(**each) for each in _TABLE]
    application_id = await calls.application(owner, claims=table)

    read = (await calls.get(owner, application_id)).claims
    for each in table:
        each.target = each.target or pb.CLAIM_TARGET_BOTH
    assert list(read) == table
    await calls.patch(owner, application_id, ["claims"])
    assert not (await calls.get(owner, application_id)).claims


@pytest.mark.parametrize(
    ("claims", "wrong"),
    [
        ([{"name": name, "text": "a"}], "claims.0.name")
        for name in (
            "",
            "two words",
            "x" * 201,
            "sub",
            "exp",
            "email_verified",
            "groups",
            "scope",
            "Email",
            "SUB",
        )
    ]
    + [
        ([{"name": "a"}], "claims.0"),
        ([{"name": "a", "attribute": "a", "text": "a"}], "claims.0"),
        ([{"name": "a", "text": "x" * 201}], "claims.0.text"),
        ([{"name": "a", "text": "a", "target": 9}], "claims.0.target"),
        ([{"name": "a", "text": "a"}] * 2, "claims"),
        ([{"name": f"a{number}", "text": "a"} for number in range(21)], "claims"),
    ],
)
async def test_a_wrong_claim_is_named(
    owner: Client, claims: list[dict[str, Any]], wrong: str
) -> None:
    table = [pb.ApplicationClaim(**each) for each in claims]

    refused = await given.refusal(calls.add(owner, claims=table))

    assert refused.violations.keys() == {f"application.{wrong}"}


@pytest.mark.parametrize("kind", ["SERVICE", "RESOURCE"])
async def test_an_application_that_signs_nobody_in_has_no_claims(owner: Client, kind: str) -> None:
    table = [pb.ApplicationClaim(name="a", text="a")]
    identifier = "https://api.example.com" if kind == "RESOURCE" else ""

    refused = await given.refusal(
        calls.add(owner, kind=f"APPLICATION_KIND_{kind}", identifier=identifier, claims=table)
    )

    assert refused.violations.keys() == {"application.claims"}
