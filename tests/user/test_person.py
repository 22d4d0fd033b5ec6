"""The fields of a person, and the state of the mail address."""

from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.event.disclosure import disclosed
from tests.org import calls as orgs
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.images import png
from tests.support.web_client import web_client
from tests.user import addresses, calls

_FIELDS = {
    "given_name": "Ada",
    "family_name": "King",
    "locale": "en-GB",
    "zoneinfo": "Europe/London",
    "external_id": "E-1815",
}
_BY_ADMINISTRATOR = pb.EMAIL_VERIFICATION_ADMINISTRATOR
_BY_LINK = pb.EMAIL_VERIFICATION_LINK
_NOT = pb.EMAIL_VERIFICATION_UNSPECIFIED


def _of(user: pb.User) -> dict[str, str]:
    return {name: getattr(user, name) for name in _FIELDS}


async def test_the_fields_are_set_patched_and_withheld_in_events(
    admin: Client, sql: asyncpg.Connection
) -> None:
    created = await addresses.created(admin, **_FIELDS)
    assert _of(await calls.get(admin, created.user_id)) == _FIELDS

    await calls.patch(admin, created.user_id, ["given_name", "locale"], locale="pt_BR")

    changed = _FIELDS | {"given_name": "", "locale": "pt-BR"}
    assert _of(await calls.get(admin, created.user_id)) == changed
    for event in await given.logged(sql, created.user_id):
        shown, withheld = disclosed(event["event_type"], event["payload"], to_operator=True)
        assert not shown.keys() & _FIELDS.keys()
        assert {"given_name", "locale"} <= set(withheld)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("given_name", "\u202e"),
        ("family_name", "x" * 201),
        ("locale", "english language"),
        ("zoneinfo", "Europe Berlin"),
        ("zoneinfo", "../etc/passwd"),
        ("external_id", "a\tb"),
    ],
)
async def test_a_wrong_field_is_named(admin: Client, field: str, value: str) -> None:
    refused = await given.refusal(addresses.created(admin, **{field: value}))

    [name] = refused.violations
    assert name.lower() == field.replace("_", "")


@pytest.mark.parametrize(
    ("mask", "outcome"),
    [
        (["given_name", "family_name", "locale", "zoneinfo"], "OK"),
        (["external_id"], "PERMISSION_DENIED"),
        (["email_verification"], "PERMISSION_DENIED"),
    ],
    ids=",".join,
)
async def test_a_user_changes_its_own_names_and_language(
    admin: Client, mask: list[str], outcome: str
) -> None:
    user = await addresses.user(admin)

    fields: dict[str, Any] = _FIELDS | {"email_verification": _BY_ADMINISTRATOR}
    assert await given.outcome(calls.patch(user, user.user_id, mask, **fields)) == outcome


async def test_a_picture_is_served_by_its_url_alone_until_it_changes(
    instance: Instance, admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin)
    assert (await calls.get(admin, user.user_id)).picture_uri == ""

    image = png(also=[b"gAMA"] * 100)
    await calls.patch(user, user.user_id, ["picture"], picture=image)
    first = await calls.get(user, user.user_id)
    await calls.patch(user, user.user_id, ["picture"], picture=image)
    assert (await calls.get(user, user.user_id)).details.sequence == first.details.sequence
    async with web_client(instance.web_port) as web:
        path = urlsplit(first.picture_uri).path
        answer = await web.get(path)
        assert (answer.status_code, answer.content) == (200, image)
        assert answer.headers["content-type"] == "image/png"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "content-encoding" not in answer.headers  # nobody makes the server compress images
        known = await web.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")

        await calls.patch(admin, user.user_id, ["picture"], picture=png(9))
        second = await calls.get(admin, user.user_id)
        await calls.patch(admin, user.user_id, ["picture"])
        removed = await calls.get(admin, user.user_id)
        assert (removed.picture, removed.picture_uri) == (b"", "")
        assert second.picture_uri != first.picture_uri
        for gone in (first, second):
            assert (await web.get(urlsplit(gone.picture_uri).path)).status_code == 404
        for no_key in ("", "0" * 31, "0" * 32, f"{path}/", "..%2f"):
            assert (await web.get(f"/pictures/{no_key}")).status_code == 404
    for event in await given.logged(sql, user.user_id):
        shown, _ = disclosed(event["event_type"], event["payload"], to_operator=True)
        assert not shown.keys() & {"picture", "picture_key"}


@pytest.mark.parametrize("picture", [b"<svg/>", b"\x89PNG\r\n\x1a\n", png(also=[b"gAMA"] * 4096)])
async def test_a_picture_is_a_small_raster_image(admin: Client, picture: bytes) -> None:
    user_id = (await addresses.created(admin)).user_id

    refused = await given.refusal(calls.patch(admin, user_id, ["picture"], picture=picture))

    assert refused.violations.keys() == {"user.picture"}


async def _verification(admin: Client, user_id: str) -> Any:
    user = await calls.get(admin, user_id)
    assert user.HasField("email_verified_at") == (user.email_verification != _NOT)
    return user.email_verification


async def test_an_administrator_says_that_an_address_is_verified_and_a_change_ends_it(
    admin: Client,
) -> None:
    user_id = (await addresses.created(admin)).user_id
    assert await _verification(admin, user_id) == _NOT

    mask = ["email_verification"]
    await calls.patch(admin, user_id, mask, email_verification=_BY_ADMINISTRATOR)
    assert await _verification(admin, user_id) == _BY_ADMINISTRATOR
    await calls.patch(admin, user_id, ["email"], email=addresses.unused())
    assert await _verification(admin, user_id) == _NOT
    await calls.patch(
        admin,
        user_id,
        ["email", *mask],
        email=addresses.unused(),
        email_verification=_BY_ADMINISTRATOR,
    )
    assert await _verification(admin, user_id) == _BY_ADMINISTRATOR
    await calls.patch(admin, user_id, mask)
    assert await _verification(admin, user_id) == _NOT


async def test_a_verification_is_neither_claimed_nor_lowered_by_an_administrator(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user_id = (await addresses.created(admin)).user_id
    mask = ["email_verification"]
    refused = await given.refusal(calls.patch(admin, user_id, mask, email_verification=_BY_LINK))
    assert refused.violations.keys() == {"user.emailVerification"}
    await sql.execute(
        """update users set verified_email = email, email_verification = 'LINK',
        email_verified_at = now() where id = $1""",
        user_id,
    )

    for same in (_BY_LINK, _BY_ADMINISTRATOR):
        await calls.patch(admin, user_id, mask, email_verification=same)
        assert await _verification(admin, user_id) == _BY_LINK
    for address, way in [
        (addresses.unused(), _BY_LINK),
        ((await calls.get(admin, user_id)).email, pb.EMAIL_VERIFICATION_PROVIDER),
    ]:
        other = calls.patch(admin, user_id, ["email", *mask], email=address, email_verification=way)
        assert (await given.refusal(other)).violations.keys() == {"user.emailVerification"}


async def test_an_address_that_an_earlier_release_changes_is_not_verified(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user_id = (await addresses.created(admin)).user_id
    mask = ["email_verification"]
    await calls.patch(admin, user_id, mask, email_verification=_BY_ADMINISTRATOR)

    await sql.execute("update users set email = $2 where id = $1", user_id, addresses.unused())

    assert await _verification(admin, user_id) == _NOT


async def test_an_organization_keeps_profiles_for_administrators(
    admin: Client, owner: Client, org_id: str
) -> None:
    user = await addresses.user(admin, org_id=org_id)
    await orgs.patch(admin, org_id, keeps_profiles=True)

    for mask in (["display_name"], ["locale"]):
        assert await given.outcome(calls.patch(user, user.user_id, mask)) == "PROFILE_KEPT"
    await calls.patch(owner, user.user_id, ["locale"], locale="de")
    await calls.patch(owner, owner.user_id, ["locale"], locale="de")
    await orgs.patch(admin, org_id, keeps_profiles=False)
    await calls.patch(user, user.user_id, ["locale"], locale="fr")
    assert (await calls.whoami(user)).locale == "fr"


async def test_a_user_sets_its_own_picture_ten_times_at_once(
    admin: Client, owner: Client, org_id: str
) -> None:
    user = await addresses.user(admin, org_id=org_id)
    for size in range(1, 11):
        await calls.patch(user, user.user_id, ["picture"], picture=png(size))

    refused = await given.refusal(calls.patch(user, user.user_id, ["picture"], picture=png(11)))

    assert (refused.reason, 5 * 60 < (refused.retry_seconds or 0) <= 6 * 60) == (
        "RATE_LIMITED",
        True,
    )
    await calls.patch(user, user.user_id, ["locale"], locale="fr")
    await calls.patch(owner, user.user_id, ["picture"], picture=png(11))
