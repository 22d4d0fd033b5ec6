"""Limits of fields. A refusal names all wrong fields, by their JSON names."""

import base64
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Annotated

import pytest

from server.idp.signin.commands import ListSignInOptions
from server.validation.fields import (
    Command,
    HostPort,
    Id,
    MailAddress,
    Name,
    OptionalMailAddress,
    OptionalName,
    case_folded,
    is_id,
    read,
)
from server.validation.paging import Page
from server.validation.uris import MAX_URI, check_https_uri
from server.validation.value_lists import MAX_VALUES, Values, each
from server.values.errors import Failure, Kind

pytestmark = pytest.mark.python_differs("unicodedata has another version of Unicode")

_ID = "01937f4e-7a3b-7000-8000-000000000001"


class _Command(Command):
    user_id: Id = "id"
    user_name: Name = "name"
    display_name: OptionalName = ""
    sender_address: MailAddress = "noreply@example.com"
    reply_address: OptionalMailAddress = ""
    host: HostPort = "smtp.example.com:25"
    addresses: Annotated[Values, each(check_https_uri)] = ()


def _read(**fields: object) -> _Command:
    return read(_Command, SimpleNamespace(**(_Command().model_dump() | fields)))


def _violations(**fields: object) -> dict[str, str]:
    """The reasons of refusal by field."""
    with pytest.raises(Failure) as refused:
        _read(**fields)
    assert refused.value.kind is Kind.INVALID_ARGUMENT
    assert refused.value.reason == "INVALID_FIELDS"
    return {violation.field: violation.description for violation in refused.value.violations}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("user_name", "n"),
        ("user_name", "n" * 200),
        ("user_name", "💥" * 200),
        ("user_name", "Zoë O'Brien-Łukasz, 山田 <x> \"q\" \\ %00 {} ';--"),
        ("user_name", "\u05d0\u05d3\u05d4 (Ada)\u200f"),  # a mark that the text needs
        ("user_name", "e\u0301"),
        ("user_name", "\U0001f469\u200d\U0001f4bb"),
        ("display_name", ""),
        ("display_name", "n" * 200),
        ("sender_address", "a@b"),
        ("sender_address", "a" * 188 + "@example.com"),
        ("sender_address", "müller@bücher.example"),
        ("sender_address", "noreply@corp.local"),
        ("sender_address", "root@localhost"),
        ("reply_address", ""),
        ("host", "h:1"),
        ("host", "h" * 497 + ":25"),
    ],
)
def test_values_within_the_limits_are_accepted(field: str, value: str) -> None:
    command = _read(**{field: value})

    assert getattr(command, field) == value


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("victim@\uff45xample.com", "victim@example.com"),
        ("victim@EXAMPLE\u3002com", "victim@example.com"),
        ("victim@B\u00dcCHER.example", "victim@b\u00fccher.example"),
        ("victim@xn--bcher-kva.example", "victim@b\u00fccher.example"),
        ("jo\u0308rg@example.com", "j\u00f6rg@example.com"),
        ("Victim@example.com", "Victim@example.com"),  # only its host may ignore case
    ],
)
def test_an_address_is_read_in_one_spelling(written: str, address: str) -> None:
    command = _read(sender_address=written, reply_address=written)

    assert command.sender_address == command.reply_address == address


@pytest.mark.parametrize(
    ("field", "value", "json_name", "description"),
    [
        ("user_id", "", "userId", "must not be empty"),
        ("user_id", "x" * 201, "userId", "must be at most 200 characters"),
        ("user_id", "x\0", "userId", "must not contain control characters"),
        ("user_name", "", "userName", "must not be empty"),
        ("user_name", "n" * 201, "userName", "must be at most 200 characters"),
        ("user_name", "💥" * 201, "userName", "must be at most 200 characters"),
        ("user_name", "a\0b", "userName", "must not contain control characters"),
        ("user_name", "a\r\nBcc: b", "userName", "must not contain control characters"),
        ("user_name", "\x7f", "userName", "must not contain control characters"),
        ("user_name", "\x85", "userName", "must not contain control characters"),
        *(
            ("user_name", unseen, "userName", "must contain a visible character")
            for unseen in (
                *(" ", "  ", "\u00a0", "\u200b", " \u2060\ufeff", "\u2028", "\u2800", "\u3164"),
                *("\ufe0f", "\u0301", "\u00ad", "\u200e\u200f\u061c", "\U000e0020"),
            )
        ),
        ("display_name", "\u200b", "displayName", "must contain a visible character"),
        *(
            ("user_name", f"a{turn}b", "userName", f"must not contain U+{ord(turn):04X}, which")
            for turn in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        ),
        ("display_name", "\u202egnp.exe", "displayName", "must not contain U+202E, which"),
        ("display_name", "n" * 201, "displayName", "must be at most 200 characters"),
        ("display_name", "\t", "displayName", "must not contain control characters"),
        ("sender_address", "", "senderAddress", "must not be empty"),
        ("sender_address", "a" * 201, "senderAddress", "must be at most 200 characters"),
        ("sender_address", "nobody", "senderAddress", "must be a mail address like"),
        ("sender_address", "a@b@c", "senderAddress", "must be a mail address like"),
        ("sender_address", "A <a@b.example>", "senderAddress", "must be a mail address like"),
        (
            "sender_address",
            "=?utf-8?q?=0d=0aBcc=3ax?=@c.example",
            "senderAddress",
            "must be a mail address like name@example.com: '=?'",
        ),
        ("sender_address", "a b@c.example", "senderAddress", "must be a mail address like"),
        ("sender_address", "a@b\r\nBcc: c", "senderAddress", "must not contain control"),
        ("sender_address", "a@b\u2028c", "senderAddress", "must be a mail address like"),
        (
            "sender_address",
            "a@" + ".".join(["\ufb03" * 20] * 4),  # each of them becomes three letters
            "senderAddress",
            "must be at most 200 characters",
        ),
        ("reply_address", "nobody", "replyAddress", "must be a mail address like"),
        ("host", "", "host", "must not be empty"),
        ("host", "h" * 501, "host", "must be at most 500 characters"),
        ("host", "h", "host", "must include the port"),
    ],
)
def test_values_beyond_the_limits_are_named_with_the_correction(
    field: str, value: str, json_name: str, description: str
) -> None:
    violations = _violations(**{field: value})

    assert violations.keys() == {json_name}
    assert violations[json_name].startswith(description)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("user_id", "", "EMPTY"),
        ("user_name", "n" * 201, "TOO_LONG"),
        ("user_name", "a\0b", "CONTROL_CHARACTERS"),
        ("user_name", "\u200b", "NO_VISIBLE_CHARACTER"),
        ("sender_address", "nobody", "INVALID_MAIL_ADDRESS"),
        ("host", "h", ""),
    ],
)
def test_frequent_causes_have_a_reason_and_rare_ones_none(
    field: str, value: str, reason: str
) -> None:
    with pytest.raises(Failure) as refused:
        _read(**{field: value})

    assert [each.reason for each in refused.value.violations] == [reason]


@pytest.mark.parametrize(
    ("values", "reasons"),
    [
        (["https://a.example", "ftp://b.example"], {"addresses.1": "HTTPS_REQUIRED"}),
        (["https://a.example/" + "a" * MAX_URI], {"addresses.0": "TOO_LONG"}),
        (["https://a.example"] * 2, {"addresses.1": ""}),
        (["https://a.example"] * (MAX_VALUES + 1), {"addresses": "TOO_MANY_ENTRIES"}),
    ],
)
def test_a_wrong_value_of_a_list_has_the_reason_of_its_cause(
    values: Sequence[str], reasons: dict[str, str]
) -> None:
    with pytest.raises(Failure) as refused:
        _read(addresses=values)

    assert {wrong.field: wrong.reason for wrong in refused.value.violations} == reasons


def test_all_wrong_fields_are_named_at_once() -> None:
    violations = _violations(user_id="", user_name="\0", display_name="n" * 201, host="h")

    assert list(violations) == ["userId", "userName", "displayName", "host"]


def test_a_refusal_does_not_contain_the_sent_value() -> None:
    with pytest.raises(Failure) as refused:
        _read(user_name="secret\0")

    assert "secret" not in repr(refused.value)
    assert refused.value.__suppress_context__


def test_a_command_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        _Command().user_name = "another"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Admin", "aDMIN"),
        ("straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("\u00e9", "e\u0301"),
        ("Ⅳ", "iv"),
    ],
)
def test_names_that_people_take_for_the_same_are(one: str, other: str) -> None:
    assert case_folded(one) == case_folded(other)


@pytest.mark.parametrize("value", ["", "x", "\0", _ID.upper(), f"{{{_ID}}}", _ID.replace("-", "")])
def test_a_value_that_was_never_issued_is_no_id(value: str) -> None:
    assert is_id(_ID)
    assert not is_id(value)


@pytest.mark.parametrize(
    ("page_size", "expected"),
    [(0, 50), (1, 1), (200, 200), (201, 200), (2**31 - 1, 200)],
)
def test_a_page_has_as_many_rows_as_are_wanted_up_to_the_limit(
    page_size: int, expected: int
) -> None:
    page = Page(page_size=page_size, page_token="")
    rows = [_ID] * page.limit()

    shown, _ = page.cut(rows, "parent", str)

    assert len(shown) == expected


def test_a_page_token_leads_on_after_the_last_row() -> None:
    rows, token = Page(page_size=1, page_token="").cut([_ID, "next"], "parent", str)

    assert rows == [_ID]
    assert Page(page_size=1, page_token=token).after("parent") == _ID


def test_the_last_page_has_no_token() -> None:
    assert Page(page_size=1, page_token="").cut([_ID], "parent", str) == ([_ID], "")


def _encoded(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).decode()


@pytest.mark.parametrize(
    "page_token",
    [
        *("x", "é", "💥", "\0", "=", "====", "OjE=", "/w==", "a" * 1_000_000),
        *map(_encoded, (b"nope:", b"\xff\xfe", b"parent:", b"parent:' or true --", b"\0:\0")),
    ],
    ids=lambda token: ascii(token[:20]),
)
def test_a_page_token_that_was_never_given_out_is_refused(page_token: str) -> None:
    with pytest.raises(Failure) as refused:
        Page(page_size=1, page_token=page_token).after("parent")

    assert [violation.field for violation in refused.value.violations] == ["pageToken"]


def test_a_page_token_of_another_list_is_refused() -> None:
    _, token = Page(page_size=1, page_token="").cut([_ID, "next"], "parent", str)

    with pytest.raises(Failure):
        Page(page_size=1, page_token=token).after("another")


def test_a_list_of_large_items_has_a_smaller_maximum() -> None:
    command = ListSignInOptions(org_id="org", page_size=200, page_token="")

    assert (command.size(), command.limit()) == (50, 51)


def test_a_negative_page_size_is_refused() -> None:
    with pytest.raises(Failure) as refused:
        read(Page, SimpleNamespace(page_size=-1, page_token=""))

    assert [(violation.field, violation.description) for violation in refused.value.violations] == [
        ("pageSize", "must be at least 0")
    ]
