"""Own texts of mails: any text that is accepted leaves a mail in its form."""

import contextlib
import re
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from server.mail.outbox import MailKind
from server.mail.own_words import fields_of, key_of, text_id
from server.mail.rendering import Templates
from server.org.mail_texts.commands import SetMailText
from server.validation.fields import read
from server.values.errors import Failure
from server.values.languages import LANGUAGES
from tests.mail.test_rendering import decoded, letter, part, sent, templates, unfolded

pytestmark = pytest.mark.python_differs("email folds headers anew in patch releases")

_MAILS: Final = Templates(reply_to=None, folder=None)
_NAMES: Final = ("rp_name", "created_at", "user_name", "organization_name")
# Pieces of which texts break headers, markup, templates, words or places.
_PIECES: Final = st.sampled_from(
    [
        *("<b>", "</p></main>", "<!--", "&amp;", '"', "'", "=?utf-8?q?a?=", "\r\n", "\n", "\n\n"),
        *(
            "-- \n",
            "{{ link }}",
            "{% raw %}",
            "{",
            "}",
            "{0}",
            "%s",
            "\\",
            ": ",
            "\ue000",
            "\u2028",
        ),
        *("Bcc: eve", "。", ".", " ", "\u00a0", "\u200d", "\ufe0f", "\u0301", "ü" * 90, "x" * 80),
        *(f"{{{name}}}" for name in _NAMES),
    ]
)
_TEXTS: Final = st.lists(st.one_of(_PIECES, st.text(max_size=12)), max_size=12).map("".join)
_VARIABLES: Final = {
    **dict.fromkeys(("user_name", "inviter_name", "organization_name"), "Ada & Co"),
    **dict.fromkeys(("application_name", "passkey_name", "idp_name", "token_name"), "Phone"),
    **dict.fromkeys(("provider_name", "further_count", "by_others"), ""),
    "expiry": "2026-11-22T10:00:00+01:00",
    "link": "https://id.example.com/passkeys/#user=ada;code=ksl_0",
}


class _Tags(HTMLParser):
    """The elements of a document in their order, without line breaks and isolated names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "bdi"):
            self.found.append((tag, dict(attrs).get("href")))

    def handle_comment(self, _data: str) -> None:
        raise AssertionError("a comment hides a part of the mail")


@examples(
    kind=st.sampled_from(MailKind),
    language=st.sampled_from(sorted(LANGUAGES)),
    texts=st.fixed_dictionaries(dict.fromkeys(("subject", "title", "text", "button"), _TEXTS)),
)
def test_any_accepted_text_leaves_headers_markup_and_places_in_form(
    kind: MailKind, language: str, texts: dict[str, str]
) -> None:
    own_words: dict[str, str] = {}
    for name, text in texts.items():
        fields = {**dict.fromkeys(texts, ""), "mail_text_id": text_id(kind, language), name: text}
        with contextlib.suppress(Failure):
            accepted = getattr(read(SetMailText, SimpleNamespace(**fields)), name)
            own_words |= {key_of(kind, name): accepted} if accepted else {}
    of: dict[str, Any] = {"kind": kind, "language": language, "variables": _VARIABLES}

    message = sent(_MAILS.message(letter(**of, own_words=own_words)))
    usual = sent(_MAILS.message(letter(**of)))

    assert not message.defects
    assert message.keys() == usual.keys()
    assert {name: message[name] for name in message if name not in ("Subject", "Content-Type")} == {
        name: usual[name] for name in usual if name not in ("Subject", "Content-Type")
    }
    assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]
    assert _Tags(part(message, "html")).found == _Tags(part(usual, "html")).found
    for subtype in ("plain", "html"):
        found, expected = part(message, subtype), part(usual, subtype)
        assert found.count(_VARIABLES["link"]) == expected.count(_VARIABLES["link"])
        assert not re.search(r"\{\w+\}", found)
        for field in fields_of(kind):
            for name in field.required:
                value = "2026" if name == "created_at" else "Ada"
                assert value in found


def test_an_own_subject_is_one_header() -> None:
    own_words = {"passkey_registration_link.subject": "Grüße von {rp_name} " + 30 * "ä b "}

    message = templates().message(letter(own_words=own_words))

    assert decoded(unfolded(message, "Subject")) == f"Grüße von Example {30 * 'ä b '}".strip()


def test_parts_about_safety_stay_those_of_keystead() -> None:
    for kind in MailKind:
        own_words = {key_of(kind, each.name): "Own" for each in fields_of(kind)}
        of: dict[str, Any] = {"kind": kind, "variables": _VARIABLES}
        own, usual = (
            part(sent(_MAILS.message(letter(**of, own_words=each))), "plain").splitlines()
            for each in (own_words, {})
        )

        # Of the lines of Keystead, own ones replace the text alone.
        assert len(set(usual) - set(own)) <= 4
        assert own[-3:] == usual[-3:]
