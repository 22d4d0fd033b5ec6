"""SetMailText, ListMailTexts, RemoveMailText, PreviewMailText, and the texts that mails have."""

from collections.abc import AsyncIterator

import grpc
import pytest

from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.mail.v1 import mail_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.mail.outbox import MailKind
from server.org.mail_texts import applied
from server.org.mail_texts.applied import OwnMailWords, find_own_words
from server.store.database import connected
from server.values.languages import LANGUAGES
from tests.org.mail_text_calls import (
    FIELDS,
    TEXT_ID,
    list_all,
    preview,
    remove,
    set_text,
    shown,
)
from tests.support import given
from tests.support.given import Client, Instance

_KIND = MailKind.PASSKEY_INVITATION


@pytest.fixture
async def blank(instance: Instance) -> AsyncIterator[Client]:
    """The administrator of an instance without own texts."""
    yield instance.admin
    for each in await list_all(instance.admin):
        await remove(instance.admin, each.mail_text_id)


async def test_a_text_is_read_back_until_it_is_removed(org_id: str, admin: Client) -> None:
    first = await set_text(admin, org_id=org_id, title="Hello")
    second = await set_text(admin, org_id=org_id, **FIELDS)

    assert await list_all(admin, org_id=org_id) == [
        pb.MailText(details=second.details, mail_text_id=TEXT_ID, **FIELDS)
    ]
    assert second.details.resource_owner == org_id
    assert second.details.creation_date == first.details.creation_date
    assert second.details.sequence > first.details.sequence
    removed = await remove(admin, org_id=org_id)
    assert removed.details.sequence > second.details.sequence
    assert await list_all(admin, org_id=org_id) == []
    assert await given.outcome(remove(admin, org_id=org_id)) == "MAIL_TEXT_NOT_FOUND"
    assert await given.outcome(remove(admin, "unknown", org_id=org_id)) == "MAIL_TEXT_NOT_FOUND"


async def test_texts_of_the_instance_and_of_organizations_are_apart(
    org_id: str, blank: Client
) -> None:
    of_instance = await set_text(blank, title="Of the instance")
    default_id = of_instance.details.resource_owner
    await set_text(blank, org_id=default_id, title="Of the default organization")

    assert [each.title for each in await list_all(blank)] == ["Of the instance"]
    assert [each.title for each in await list_all(blank, org_id=default_id)] == [
        "Of the default organization"
    ]
    assert await list_all(blank, org_id=org_id) == []
    await remove(blank, org_id=default_id)
    assert len(await list_all(blank)) == 1


async def test_owners_set_the_texts_of_their_organization_alone(org_id: str, admin: Client) -> None:
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    auditor = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_AUDITOR])
    other = await given.organization(admin)

    await set_text(owner, org_id=org_id, **FIELDS)

    assert len(await list_all(auditor, org_id=org_id)) == 1
    for refused in (
        set_text(owner),
        set_text(owner, org_id=other),
        preview(owner),
        set_text(auditor, org_id=org_id),
        preview(auditor, org_id=org_id),
        remove(auditor, org_id=org_id),
    ):
        assert (await given.refusal(refused)).code is grpc.StatusCode.PERMISSION_DENIED


async def test_an_empty_field_has_the_text_of_the_instance_or_else_that_of_keystead(
    org_id: str, blank: Client
) -> None:
    await set_text(blank, title="Of the instance", button="Instance")
    await set_text(blank, org_id=org_id, title="Of the organization")

    mail = (await shown(blank, org_id=org_id))[_KIND]

    assert "<h1>Of the organization</h1>" in mail.html
    assert ">Instance</a>" in mail.html
    assert mail.subject.startswith("You are invited to ")
    assert "<h1>Of the instance</h1>" in (await shown(blank))[_KIND].html


async def test_the_fields_of_a_kind_have_the_texts_that_apply_without_an_own_one(
    org_id: str, blank: Client
) -> None:
    await set_text(blank, title="Of the instance")
    await set_text(blank, org_id=org_id, title="Of the organization")

    fields = (await shown(blank, org_id=org_id))[_KIND].fields

    assert {each.name: each.text for each in fields} == {
        "subject": "You are invited to {rp_name}",
        "title": "Of the instance",
        "text": "With this link you register a passkey, which signs you in by your fingerprint,"
        " your face or the PIN of your device, or by a security key.",
        "button": "Accept the invitation",
    }
    added = {each.name: each for each in (await shown(blank))[MailKind.PASSKEY_ADDED].fields}
    assert added.keys() == {"subject", "title", "text"}
    assert added["text"].places == ["rp_name", "created_at"]
    assert added["text"].required_places == ["created_at"]


async def test_a_text_is_that_of_its_language_alone(org_id: str, admin: Client) -> None:
    await set_text(admin, "passkey_invitation.de", org_id=org_id, title="Willkommen")

    assert "Willkommen" in (await shown(admin, org_id=org_id, language="de"))[_KIND].html
    for language in LANGUAGES.keys() - {"de"}:
        mail = (await shown(admin, org_id=org_id, language=language))[_KIND]
        assert "Willkommen" not in mail.html


async def test_a_preview_shows_a_text_that_is_not_stored(org_id: str, admin: Client) -> None:
    found = (await preview(admin, org_id=org_id, **FIELDS)).preview

    assert found.subject.startswith("Welcome to ")
    assert "<p>Begin here.<br>The service desk helps.</p>" in found.html
    assert "\nBegin here.\nThe service desk helps.\n" in found.text
    assert "https://id.example.com/passkeys/#user=ada;code=ksl_0" in found.text
    assert "Do not open the link" in found.text
    assert await list_all(admin, org_id=org_id) == []


_ADDED = "passkey_added.en"
_LINK = "must not contain a link, a web address or a mail address"
_WRONG: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("passkey_added.tlh", {}, {"mailTextId": "must end with a language (en, "}),
    ("welcome.en", {}, {"mailTextId": "must begin with a kind of mail (passkey_reg"}),
    ("", {}, {"mailTextId": "must not be empty"}),
    (
        TEXT_ID,
        {"subject": "a\r\nBcc: b", "title": "a\x00", "text": "a\tb", "button": 61 * "a"},
        {
            "subject": "must not contain control characters",
            "title": "must not contain control characters",
            "text": "must not contain control characters other than line breaks",
            "button": "must be at most 60 characters",
        },
    ),
    (
        TEXT_ID,
        {"subject": 201 * "a", "title": 201 * "a", "text": 2001 * "a"},
        {
            "subject": "must be at most 200 characters",
            "title": "must be at most 200 characters",
            "text": "must be at most 2000 characters",
        },
    ),
    (TEXT_ID, {"text": 20 * "a\n" + "a"}, {"text": "must have at most 20 lines"}),
    (
        _ADDED,
        {"subject": "{created_at}", "text": "Hello", "button": "Go"},
        {
            "subject": "must not have {created_at}; the places are {rp_name}",
            "text": "must have {created_at}",
            "button": "must be empty: this kind of mail has no button of its own",
        },
    ),
    (
        TEXT_ID,
        {"subject": "{", "title": "{{rp_name}}", "text": "{rp_name!r}", "button": "}rp_name{"},
        dict.fromkeys(
            ("subject", "title", "text", "button"),
            "must have braces only around the name of a place: {rp_name}",
        ),
    ),
    (
        TEXT_ID,
        {"subject": "a\u202eb", "title": "a\u2028b", "text": "pass\u200bkey"},
        {
            "subject": "must not contain U+202E",
            "title": "must not contain invisible characters",
            "text": "must not contain invisible characters",
        },
    ),
    (
        TEXT_ID,
        {
            "subject": "https://evil",
            "title": "Visit evil.example",
            "text": "help@localhost",
            "button": "evil\uff0eexample",
        },
        dict.fromkeys(("subject", "title", "text", "button"), _LINK),
    ),
    (
        TEXT_ID,
        {
            "subject": "{rp_name}.com",
            "title": "evil.{rp_name}",
            "text": "10.0.0.1",
            "button": "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
        },
        dict.fromkeys(("subject", "title", "text", "button"), _LINK),
    ),
    (
        TEXT_ID,
        {
            "subject": "evil\u200d.example",
            "title": "evil.e\u034fxample",
            "text": "evil\ufe0f.example",
            "button": "https:\u200d//evil",
        },
        dict.fromkeys(("subject", "title", "text", "button"), _LINK),
    ),
]


@pytest.mark.parametrize(("text_id", "fields", "expected"), _WRONG)
async def test_every_wrong_field_is_named(
    org_id: str, admin: Client, text_id: str, fields: dict[str, str], expected: dict[str, str]
) -> None:
    for call in (set_text, preview):
        refused = await given.refusal(call(admin, text_id, org_id=org_id, **fields))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == expected.keys()
        for field, description in expected.items():
            assert refused.violations[field].startswith(description), field
    assert await list_all(admin, org_id=org_id) == []


async def test_a_text_without_words_is_refused_and_the_stored_one_stays(
    org_id: str, admin: Client
) -> None:
    await set_text(admin, org_id=org_id, **FIELDS)

    refused = await given.refusal(set_text(admin, org_id=org_id))

    assert refused.violations.keys() == {"subject"}
    (stored,) = await list_all(admin, org_id=org_id)
    assert stored.title == FIELDS["title"]


async def test_abbreviations_numbers_and_emoji_are_no_links(org_id: str, admin: Client) -> None:
    text = "  z.B. e.g. 3.5 kg, ext. 12-34. Hallo 👩\u200d💻!\r\n\r\nリンクです。登録。  "

    await set_text(admin, org_id=org_id, text=text)

    [found] = await list_all(admin, org_id=org_id)
    assert found.text == text.strip().replace("\r\n", "\n")


async def test_events_show_the_text(org_id: str, admin: Client) -> None:
    await set_text(admin, org_id=org_id, **FIELDS)
    await remove(admin, org_id=org_id)

    request = event_pb.ListEventsRequest(aggregate_id=org_id)
    answer = await admin.call(admin.events.ListEvents, request, x_service_orgid=org_id)

    removed, added = answer.events[:2]
    assert added.event_type == "organization.mail_text_set"
    assert dict(added.payload) == {**FIELDS, "of_instance": False, "mail_text_id": TEXT_ID}
    assert removed.event_type == "organization.mail_text_removed"
    assert dict(removed.payload) == {"of_instance": False, "mail_text_id": TEXT_ID}


async def test_mails_have_a_text_of_another_server_within_seconds_and_of_their_own_at_once(
    instance: Instance, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applied, "_CACHED_SECONDS", 3600.0)
    admin = instance.admin
    async with connected(instance.dsn, pool_size=1) as database:
        own_words = OwnMailWords(database)
        assert await own_words.of(org_id, "en") == {}

        await set_text(admin, org_id=org_id, title="New")

        assert await own_words.of(org_id, "en") == {}
        own_words.forget(org_id, "en")
        assert await own_words.of(org_id, "en") == {"passkey_invitation.title": "New"}
        assert await own_words.of("", "en") == {}
        monkeypatch.setattr(applied, "_CACHED_SECONDS", 0.0)
        await set_text(admin, org_id=org_id, title="Newer")
        assert await own_words.of(org_id, "en") == {"passkey_invitation.title": "Newer"}


async def test_a_stored_text_that_would_not_be_accepted_is_not_used(
    instance: Instance, org_id: str
) -> None:
    await set_text(instance.admin, org_id=org_id, **FIELDS)
    async with connected(instance.dsn, pool_size=1) as database, given.sql(instance.dsn) as sql:
        await sql.execute("update mail_texts set text = '{gone}' where org_id = $1", org_id)

        found = await find_own_words(database, org_id, "en")

    assert found.keys() == {f"{_KIND}.{name}" for name in ("subject", "title", "button")}
