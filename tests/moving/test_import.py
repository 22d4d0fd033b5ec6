"""ImportUsers: what moves in."""

from datetime import UTC, datetime
from typing import Any

import asyncpg
import grpc
import pytest
from cryptography.exceptions import UnsupportedAlgorithm
from pydantic import ValidationError

from examples.software_authenticator import EDDSA, ES256, RS256
from keystead.attribute.v1 import attribute_service_pb2 as attribute_pb
from keystead.user.v1 import user_import_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.moving.imported import ImportedPasskey
from server.passkey.webauthn import cose
from tests.group import calls as group_calls
from tests.idp import signins
from tests.idp.signins import Site
from tests.moving import people
from tests.moving.people import IMPORTED, REFUSED, SAME
from tests.passkey import ceremonies
from tests.support import given
from tests.support.given import Client
from tests.support.images import png
from tests.user import calls

LONG_AGO = datetime(2019, 5, 4, 3, 2, 1, tzinfo=UTC)


async def test_a_user_keeps_its_id_its_times_and_its_lock(owner: Client) -> None:
    moved = people.user(
        user_name="ada",
        display_name="Ада Лавлейс",
        email="Ada@EXAMPLE.com",
        created_at=LONG_AGO,
        is_locked=True,
        lock_reason="left",
    )

    assert await people.states(owner, moved) == [IMPORTED]

    user = await calls.get(owner, moved.user_id)
    assert (user.user_name, user.display_name, user.email) == (
        "ada",
        "Ада Лавлейс",
        "Ada@example.com",
    )
    assert user.details.creation_date.ToDatetime(tzinfo=UTC) == LONG_AGO
    assert (user.HasField("locked_at"), user.lock_reason) == (True, "left")


async def test_the_fields_of_a_person_move(owner: Client) -> None:
    request = attribute_pb.CreateAttributeDefinitionRequest(
        name="department", type=attribute_pb.ATTRIBUTE_TYPE_TEXT
    )
    await owner.call(owner.attributes.CreateAttributeDefinition, request)
    moved = people.user(
        email="ada@example.com",
        email_verified=True,
        given_name="Ada",
        family_name="Lovelace",
        locale="pt_BR",
        zoneinfo="Europe/London",
        external_id="E-1815",
        attributes=given.struct({"department": "Mathematics"}),
    )

    assert await people.states(owner, moved) == [IMPORTED]

    user = await calls.get(owner, moved.user_id)
    assert (user.given_name, user.family_name) == ("Ada", "Lovelace")
    assert (user.locale, user.zoneinfo, user.external_id) == ("pt-BR", "Europe/London", "E-1815")
    assert dict(user.attributes) == {"department": "Mathematics"}
    assert user.email_verification == user_pb.EMAIL_VERIFICATION_IMPORT
    assert user.HasField("email_verified_at")


@pytest.mark.parametrize(
    "name", ["Ada Lovelace", "Γιώργος", "أحمد", "渡辺 直美", "Søren"], ids=str.encode
)
async def test_names_of_every_script_move(owner: Client, name: str) -> None:
    assert await people.states(owner, people.user(user_name=name, display_name=name)) == [IMPORTED]


@pytest.mark.parametrize("algorithm", [EDDSA, ES256, RS256])
@pytest.mark.parametrize("handle", [b"\0", b"x" * 36, b"y" * 64], ids=["1", "36", "64"])
async def test_an_imported_passkey_signs_in(owner: Client, algorithm: int, handle: bytes) -> None:
    passkey = people.passkey(algorithm, user_handle=handle, sign_count=7)
    moved = people.user(passkeys=[passkey.message])
    await people.send(owner, moved)

    session = await passkey.sign_in(owner, sign_count=8)

    assert session.answer.user_id == moved.user_id
    assert await calls.whoami(session.client) == await calls.get(owner, moved.user_id)


@pytest.mark.parametrize(
    "parts", [{"user_handle": b"another"}, {"user_handle": None}, {"sign_count": 7}], ids=str
)
async def test_a_sign_in_compares_the_handle_and_the_count(
    owner: Client, parts: dict[str, Any]
) -> None:
    passkey = people.passkey(sign_count=7)
    await people.send(owner, people.user(passkeys=[passkey.message]))

    refused = await given.refusal(passkey.sign_in(owner, **{"sign_count": 8} | parts))

    assert refused.reason == "SIGN_IN_FAILED"


async def test_a_passkey_keeps_its_times_and_flags(owner: Client) -> None:
    passkey = people.passkey(
        name="YubiKey",
        aaguid="2FC0579F-8113-47EA-B116-BB5A8DB9202A",
        backup_eligible=True,
        backed_up=True,
        transports=["usb", "nfc"],
        created_at=LONG_AGO,
        last_used_at=LONG_AGO,
    )
    elsewhere = people.passkey(rp_id="old.example.net")
    moved = people.user(passkeys=[passkey.message, elsewhere.message])
    await people.send(owner, moved)

    first, second = sorted(await ceremonies.passkeys(owner, moved.user_id), key=lambda it: it.rp_id)

    assert (first.name, first.aaguid) == ("YubiKey", "2fc0579f-8113-47ea-b116-bb5a8db9202a")
    assert (first.backup_eligible, first.backed_up) == (True, True)
    assert list(first.transports) == ["usb", "nfc"]
    assert first.details.creation_date.ToDatetime(tzinfo=UTC) == LONG_AGO
    assert first.last_used_at.ToDatetime(tzinfo=UTC) == LONG_AGO
    assert (second.name, second.rp_id) == ("Passkey", "old.example.net")
    assert second.aaguid == "00000000-0000-0000-0000-000000000000"


async def test_a_user_with_an_imported_passkey_registers_another(owner: Client) -> None:
    passkey = people.passkey(user_handle=b"of elsewhere")
    await people.send(owner, people.user(passkeys=[passkey.message]))
    session = await passkey.sign_in(owner)

    begun = await ceremonies.begin(session.client)

    assert begun.options["user"]["id"] == passkey.message.user_handle


async def test_groups_are_named_by_id_or_name(owner: Client) -> None:
    staff, ops = await group_calls.group(owner, "staff"), await group_calls.group(owner, "ops")
    moved = people.user(groups=["staff", ops, staff])

    assert await people.states(owner, moved) == [IMPORTED]

    [first, second] = await group_calls.of_user(owner, moved.user_id)
    assert {first.group_id, second.group_id} == {staff, ops}


async def test_groups_of_a_link_end_with_it(site: Site) -> None:
    staff = await group_calls.group(site.owner, "staff")
    await group_calls.group(site.owner, "ops")
    link = pb.ImportedIDPLink(
        idp=await people.name_of_idp(site), subject="ada", groups=["ops", staff]
    )
    moved = people.user(groups=["staff"], idp_links=[link])

    assert await people.states(site.owner, moved) == [IMPORTED]

    before = await group_calls.of_user(site.owner, moved.user_id)
    [linked] = await signins.links(site.owner, moved.user_id)
    await signins.unlink(site.owner, linked.link_id, moved.user_id)
    after = await group_calls.of_user(site.owner, moved.user_id)
    assert {each.name for each in before} == {"staff", "ops"}
    assert [each.name for each in after] == ["staff"]


@pytest.mark.parametrize("by", ["id", "name"])
async def test_a_linked_identity_signs_in(site: Site, by: str) -> None:
    named = {"id": site.idp_id, "name": await people.name_of_idp(site)}[by]
    moved = people.user(idp_links=[pb.ImportedIDPLink(idp=named, subject="ada")])

    assert await people.states(site.owner, moved) == [IMPORTED]

    assert (await site.sign_in()).answer.user_id == moved.user_id


async def test_the_same_user_again_changes_nothing(owner: Client, sql: asyncpg.Connection) -> None:
    passkey = people.passkey()
    moved, other = people.user(passkeys=[passkey.message]), people.user()
    await people.send(owner, moved)
    await calls.patch(owner, moved.user_id, ["display_name"], display_name="Changed since")
    before = await sql.fetch("select * from users where id = $1", moved.user_id)

    assert await people.states(owner, moved, other) == [SAME, IMPORTED]

    assert await sql.fetch("select * from users where id = $1", moved.user_id) == before


async def test_a_trial_writes_nothing(owner: Client) -> None:
    moved = people.user(passkeys=[people.passkey().message])
    trial = {"x_validate_only": "true"}

    [tried, refused] = (
        await people.send(owner, moved, people.user(email="?"), headers=trial)
    ).results

    assert (tried.state, refused.state) == (IMPORTED, REFUSED)
    assert [each.field for each in refused.wrong_fields] == ["email"]
    assert await people.states(owner, moved) == [IMPORTED]


async def test_a_removed_user_moves_in_again(owner: Client) -> None:
    moved = people.user(passkeys=[people.passkey().message])
    await people.send(owner, moved)
    await calls.remove(owner, moved.user_id)

    assert await people.states(owner, moved) == [IMPORTED]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"user_id": "-a"}, {"userId"}),
        ({"user_id": "a" * 129}, {"userId"}),
        ({"user_id": "auth0|1"}, {"userId"}),
        ({"user_id": "operator"}, {"userId"}),
        ({"user_id": "recovery"}, {"userId"}),
        ({"user_id": "me"}, {"userId"}),
        ({"user_name": "", "email": "x", "lock_reason": "\0"}, {"userName", "email", "lockReason"}),
        ({"created_at": datetime(2999, 1, 1, tzinfo=UTC)}, {"createdAt"}),
        ({"picture": b"<svg/>"}, {"picture"}),
        ({"picture": png(2001)}, {"picture"}),
        ({"picture": png(also=[b"gAMA"] * 2731)}, {"picture"}),
        ({"email_verified": True}, {"emailVerified"}),
        ({"attributes": given.struct({"a": 1, "b": None})}, {"attributes.a", "attributes.b"}),
        ({"attributes": given.struct({"a\0": 1})}, {"attributes"}),
        ({"locale": "?", "zoneinfo": "?"}, {"locale", "zoneinfo"}),
        ({"groups": ["a"] * 101}, {"groups"}),
        ({"groups": ["none", ""]}, {"groups.1"}),
        ({"groups": ["none"]}, {"groups.0"}),
        ({"idp_links": [pb.ImportedIDPLink(idp="x", subject="y")] * 21}, {"idpLinks"}),
        ({"idp_links": [pb.ImportedIDPLink(idp="x", subject="y")]}, {"idpLinks.0.idp"}),
        ({"idp_links": [pb.ImportedIDPLink()]}, {"idpLinks.0.idp", "idpLinks.0.subject"}),
        (
            {"idp_links": [pb.ImportedIDPLink(idp="x", subject="y", groups=["none"])]},
            {"idpLinks.0.idp", "idpLinks.0.groups.0"},
        ),
    ],
    ids=range(22),
)
async def test_every_wrong_field_is_named(
    owner: Client, fields: dict[str, Any], wrong: set[str]
) -> None:
    assert await people.wrong(owner, people.user(**fields)) == wrong


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"credential_id": ""}, "credentialId"),
        ({"credential_id": "A" * 1400}, "credentialId"),
        ({"user_handle": "A" * 88}, "userHandle"),
        ({"public_key": "AA"}, "publicKey"),
        ({"public_key": people.KEY + "AAAA"}, "publicKey"),
        ({"rp_id": "https://example.com"}, "rpId"),
        ({"sign_count": 2**32}, "signCount"),
        ({"backed_up": True}, "backedUp"),
        ({"transports": ["usb"] * 17}, "transports"),
        ({"transports": ["\u00fc"]}, "transports.0"),
        ({"aaguid": "x"}, "aaguid"),
        ({"name": " "}, "name"),
        ({"last_used_at": datetime(2999, 1, 1, tzinfo=UTC)}, "lastUsedAt"),
    ],
    ids=range(13),
)
async def test_every_wrong_member_of_a_passkey_is_named(
    owner: Client, fields: dict[str, Any], wrong: str
) -> None:
    passkey = people.passkey().message
    wrong_passkey = pb.ImportedPasskey(
        **{name.name: value for name, value in passkey.ListFields()} | fields
    )

    assert await people.wrong(owner, people.user(passkeys=[wrong_passkey])) == {
        f"passkeys.0.{wrong}"
    }


def test_a_key_that_the_build_of_openssl_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(_key: object) -> None:
        raise UnsupportedAlgorithm("no")

    monkeypatch.setattr(cose, "load", unsupported)
    fields = {"credential_id": "AA", "public_key": people.KEY, "user_handle": "AA", "rp_id": "a.b"}

    with pytest.raises(ValidationError, match="that this server cannot use"):
        ImportedPasskey.model_validate(fields)


async def test_a_user_has_one_handle_and_a_limit_of_passkeys(owner: Client) -> None:
    two = [people.passkey(user_handle=handle).message for handle in (b"a", b"b")]
    many = [people.passkey().message for _ in range(101)]

    assert await people.wrong(owner, people.user(passkeys=two)) == {"passkeys"}
    assert await people.wrong(owner, people.user(passkeys=many)) == {"passkeys"}
    assert await people.wrong(owner, people.user(passkeys=many[:50])) == {"passkeys"}


@pytest.mark.parametrize("number", [0, 501])
async def test_a_call_has_one_to_500_users(owner: Client, number: int) -> None:
    users = [people.user() for _ in range(number)]

    refused = await given.refusal(people.send(owner, *users))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(refused.violations) == ["users"]


_MEMBERS = ("credentialId", "publicKey", "userHandle", "rpId", "transports")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"groups": [""] * 1_000_000}, {"groups"}),
        ({"passkeys": [pb.ImportedPasskey()] * 1_000_000}, {"passkeys"}),
        (
            {"passkeys": [pb.ImportedPasskey(transports=[""] * 1_000_000)]},
            {f"passkeys.0.{name}" for name in _MEMBERS},
        ),
    ],
    ids=["groups", "passkeys", "transports"],
)
async def test_entries_beyond_a_limit_are_not_read(
    owner: Client, fields: dict[str, Any], wrong: set[str]
) -> None:
    """A message of 4 MiB holds two million of them."""
    assert await people.wrong(owner, people.user(**fields)) == wrong


async def test_a_call_has_a_limit_of_values_together(owner: Client) -> None:
    crowded = {"groups": ["staff"] * 90, "passkeys": [people.passkey().message] * 10}
    values = {f"a{n}": [True] * 50 for n in range(50)}

    for fields, number in ((crowded, 251), ({"attributes": given.struct(values)}, 10)):
        users = [people.user(**fields) for _ in range(number)]
        refused = await given.refusal(people.send(owner, *users))
        assert refused.violations.keys() == {"users"}
        assert "25,000 values" in refused.violations["users"]


async def test_very_many_wrong_fields_are_cut(owner: Client) -> None:
    moved = people.user(passkeys=[pb.ImportedPasskey()] * 100)

    [result] = (await people.send(owner, moved)).results

    assert len(result.wrong_fields) == 100


async def test_events_say_imported(owner: Client, sql: asyncpg.Connection) -> None:
    await group_calls.group(owner, "staff")
    moved = people.user(passkeys=[people.passkey().message], groups=["staff"])
    await people.send(owner, moved)

    rows = await sql.fetch(
        "select event_type, creator from events where aggregate_id = $1 order by sequence",
        moved.user_id,
    )
    assert [row["event_type"] for row in rows] == [
        "user.imported",
        "user.passkeys_imported",
        "user.groups_imported",
    ]
    assert {row["creator"] for row in rows} == {owner.user_id}


async def test_lists_have_chosen_ids(owner: Client) -> None:
    moved = [people.user(user_id=f"{prefix}:a.b_c-{owner.user_id}") for prefix in ("0", "Q", "z")]
    assert await people.states(owner, *moved) == [IMPORTED] * 3
    listed, token = list[str](), ""
    while not listed or token:
        request = user_pb.ListUsersRequest(page_size=1, page_token=token)
        answer = await owner.call(owner.users.ListUsers, request)
        listed += [user.user_id for user in answer.users]
        token = answer.next_page_token

    assert {*listed} >= {user.user_id for user in moved}
    assert listed == sorted(set(listed))
