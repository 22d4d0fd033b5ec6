"""Texts and headers of mails, for any names and addresses."""

import email
import email.policy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from server.deliveries.smtp.envelope import trial_message
from server.mail.outbox import MailKind
from server.mail.rendering import Letter, MailTemplateError, Templates, message_id
from tests.mail.mail_instance import DESTINATION

pytestmark = pytest.mark.python_differs("email folds and quotes headers anew in patch releases")

_LINK = "https://id.example.com/passkeys/#user=ada;code=ksl_0"


def letter(**fields: Any) -> Letter:
    """A letter with a link."""
    return Letter(
        **{
            "kind": MailKind.PASSKEY_REGISTRATION_LINK,
            "language": "en",
            "message_id": "<mail@example.com>",
            "rp_name": "Example",
            "sender_name": "Example",
            "sender_address": "noreply@example.com",
            "reply_to": "",
            "recipient_name": "Ada",
            "recipient_address": "ada@example.com",
            "created_at": datetime(2026, 11, 21, 9, tzinfo=UTC),
            "variables": {"expiry": "2026-11-22T10:00:00+01:00", "link": _LINK},
            **fields,
        }
    )


def notice(name: str, provider_name: str = "", further_count: str = "") -> Letter:
    """A letter about a passkey of this name."""
    variables = {
        "passkey_name": name,
        "provider_name": provider_name,
        "further_count": further_count,
    }
    return letter(kind=MailKind.PASSKEY_ADDED, variables=variables)


def templates(**options: Any) -> Templates:
    """The templates of a server."""
    return Templates(**{"reply_to": None, "folder": None, **options})


def sent(message: EmailMessage) -> EmailMessage:
    """The message as its recipient parses it."""
    wire = message.as_bytes()
    assert all(len(line) <= 998 and line.isascii() for line in wire.splitlines())
    return email.message_from_bytes(wire, policy=email.policy.default)


def unfolded(message: EmailMessage, header: str) -> str:
    """A header as it is transmitted, in one line (RFC 5322, section 2.2.3)."""
    return str(email.message_from_bytes(message.as_bytes())[header]).replace("\r\n", "")


def decoded(text: str) -> str:
    """The text of its encoded words (RFC 2047)."""
    # Not by the parser of the default policy, which puts a space between two encoded words of a
    # name.
    return str(make_header(decode_header(text)))


def part(message: EmailMessage, subtype: str) -> str:
    """The text of this part of the message."""
    body = message.get_body((subtype,))
    assert body is not None
    return body.get_content().replace("\r\n", "\n")


def test_a_message_has_the_headers_of_an_automatic_one() -> None:
    message = sent(templates(reply_to="help@example.com").message(letter()))

    assert {name: str(message[name]) for name in message} == {
        "Message-ID": "<mail@example.com>",
        "Date": "Sat, 21 Nov 2026 09:00:00 +0000",
        "From": "Example <noreply@example.com>",
        "To": "Ada <ada@example.com>",
        "Reply-To": "help@example.com",
        "Subject": "Register a passkey for Example",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
        "MIME-Version": "1.0",
        "Content-Type": str(message["Content-Type"]),
    }
    assert message.get_content_type() == "multipart/alternative"
    assert [each.get_content_type() for each in message.iter_parts()] == [
        "text/plain",
        "text/html",
    ]


def test_answers_go_to_the_sender_unless_it_is_said_where() -> None:
    assert sent(templates().message(letter()))["Reply-To"] is None


def test_a_link_is_in_both_parts_and_until_when_it_works() -> None:
    message = sent(templates().message(letter()))

    assert f"\n{_LINK}\n" in part(message, "plain")
    assert f'href="{_LINK}"' in part(message, "html")
    for subtype in ("plain", "html"):
        text = part(message, subtype)
        assert "Sunday, 22 November 2026, 09:00 UTC" in text
        assert "24 hours" in text
        assert "f you did not expect this mail" in text
        assert "Example" in text


@pytest.mark.parametrize(
    ("expiry", "words"),
    [
        ("2026-11-21T09:01:00Z", "1 minute after"),
        ("2026-11-21T09:59:31Z", "60 minutes after"),
        ("2026-11-21T11:00:00Z", "2 hours after"),
        ("2026-11-22T09:00:00Z", "24 hours after"),
        ("2026-11-28T08:59:59Z", "7 days after"),
    ],
)
def test_how_long_a_link_works_is_said_in_words(expiry: str, words: str) -> None:
    variables = {"expiry": expiry, "link": _LINK}

    message = sent(templates().message(letter(variables=variables)))

    assert words in part(message, "plain")


@pytest.mark.parametrize(
    "name",
    [
        "Ada Lovelace",
        "Müller, Jörg",
        'Ada "the Countess" Lovelace <ada@evil.example>',
        "ada@example.com",
        "Άδα, Λάβλεϊς; (Κόμισσα)",
        "艾达·洛夫莱斯" * 20,
        "x" * 200,
        "ü" * 200,
        "ä, a; b",
        "Übergroße Donaudampfschifffahrtsgesellschaft für Österreich und die Schweiz, Zürich",
        "東京都 千代田区 丸の内 一丁目 Ada 東京都 千代田区 丸の内 一丁目 Ada 東京都",
        "👩‍💻 👩‍💻 Ada 👩‍💻 und ß 👩‍💻 Ada Ada Ada Ada Ada Ada 👩‍💻 Ada Ada Ada Ada 👩‍💻",
        '"Lovelace, Ada" (Countess), kindness, kindness, kindness, kindness, kindness, kindness',
        '"eve" <eve@evil.example>, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, Ada',
        "👩‍💻 Ada",
        "\\",
        '"',
    ],
)
def test_a_name_arrives_as_it_is(name: str) -> None:
    message = templates().message(letter(rp_name=name, sender_name=name))

    assert not sent(message).defects
    name = " ".join(name.split())
    display_name, addr_spec = parseaddr(unfolded(message, "From"))
    assert addr_spec == "noreply@example.com"
    assert decoded(display_name) == name
    assert decoded(unfolded(message, "Subject")) == f"Register a passkey for {name}"


@pytest.mark.parametrize(
    "evil",
    [
        "Ada\r\nBcc: eve@example.com",
        "Ada\nBcc: eve@example.com",
        "Ada\rBcc: eve@example.com",
        "Ada\x0bBcc: eve@example.com",
        "Ada\x1cBcc: eve@example.com",
        "Ada\x85Bcc: eve@example.com",
        "Ada\u2028Bcc: eve@example.com",
        "Ada\u2029\u202eBcc: eve@example.com",
        "Ada\0Bcc: eve@example.com",
        "Ada \u202e\u2028Bcc: eve@example.com",
    ],
)
def test_a_name_stays_in_its_line(evil: str) -> None:
    one_line, apart = "Ada Bcc: eve@example.com", "Ada Bcc: eve@ example. com"

    message = sent(templates().message(letter(rp_name=evil, recipient_name=evil, sender_name=evil)))

    assert message["Bcc"] is None
    assert message["To"].addresses[0].display_name == apart
    assert message["From"].addresses[0].display_name == one_line
    assert message["Subject"] == f"Register a passkey for {one_line}"
    assert f"\u2068{one_line}\u2069" in part(message, "plain")


def test_a_name_is_no_encoded_word() -> None:
    message = templates().message(letter(recipient_name="=?utf-8?q?Eve=E2=80=AE?="))

    assert "Eve=E2" in decoded(unfolded(message, "To"))


def test_a_name_is_no_html() -> None:
    message = sent(templates().message(notice("<img src=x onerror=alert(1)>\r\n\r\n&amp;")))

    html = part(message, "html")
    assert "<img" not in html
    assert "“<bdi>&lt;img src=x onerror=alert(1)&gt; &amp;amp;</bdi>”" in html
    assert "“\u2068<img src=x onerror=alert(1)> &amp;\u2069”\n" in part(message, "plain")


def test_a_name_is_no_template() -> None:
    message = sent(templates().message(notice("{{ rp_name }}")))

    assert "    “\u2068{{ rp_name }}\u2069”\n" in part(message, "plain")


_CHOSEN = {
    "a link": ("See https://evil.example/x", "See https: / / evil. example/ x"),
    "a domain": ("evil.example", "evil. example"),
    "a mailbox": ("help@evil.example", "help@ evil. example"),
    "dots that are no full stops": ("evil\uff0eexample\u3002com", "evil\uff0e example\u3002 com"),
    "a quotation that ends": ("Phone” was added. “Call", "Phone' was added. 'Call"),
    "overrides": ("\u202ePhone\u2069", "Phone"),
    "from right to left": ("\u05d8\u05dc\u05e4\u05d5\u05df", "\u05d8\u05dc\u05e4\u05d5\u05df"),
    "40 characters": ("x" * 40, "x" * 40),
    "200 characters": ("x " * 100, "x " * 19 + "x…"),
}


@pytest.mark.parametrize(("name", "shown"), _CHOSEN.values(), ids=_CHOSEN.keys())
@pytest.mark.parametrize("kind", MailKind)
def test_a_name_that_somebody_chose_is_quoted_cut_and_no_link(
    kind: MailKind, name: str, shown: str
) -> None:
    variables = {
        "passkey_name": name,
        "provider_name": "",
        "user_name": name,
        "idp_name": name,
        "token_name": name,
        "by_others": "",
        "inviter_name": name,
        "organization_name": name,
        "application_name": "",
        "further_count": "",
    }
    link = {"expiry": "2026-11-22T10:00:00+01:00", "link": _LINK}

    message = templates().message(
        letter(kind=kind, recipient_name=name, variables=variables | link)
    )

    assert decoded(parseaddr(unfolded(message, "To"))[0]) == shown
    for subtype, quoted in (
        ("plain", f"“\u2068{shown}\u2069”"),
        ("html", f"“<bdi>{escape(shown)}</bdi>”"),
    ):
        text = part(sent(message), subtype)
        assert (quoted in text) is (kind is not MailKind.PASSKEY_REGISTRATION_LINK)
        assert text.count(name) == text.count(shown) * (name == shown)
        assert "Hello,\n" in text or "<p>Hello,</p>" in text


@pytest.mark.parametrize(
    ("provider", "shown"),
    [("", "“\u2068Phone\u2069”"), ("Wallet", "“\u2068Phone\u2069” (\u2068Wallet\u2069)")],
)
def test_a_notice_says_which_passkey(provider: str, shown: str) -> None:
    message = sent(templates().message(notice("Phone", provider)))

    assert f"    {shown}\n" in part(message, "plain")
    assert message["Subject"] == "A passkey was added to your account at Example"
    assert "If it was not you" in part(message, "html")


@pytest.mark.parametrize(("further_count", "is_said"), [("", False), ("2", True)])
def test_the_notice_to_an_old_address_names_user_and_time(
    further_count: str, is_said: bool
) -> None:
    variables = {"user_name": "ada <1815>", "further_count": further_count}
    mail = letter(kind=MailKind.EMAIL_CHANGED, variables=variables)

    message = sent(templates().message(mail))

    assert message["Subject"] == "The mail address of your account at Example was changed"
    for subtype, name in (("plain", "ada <1815>"), ("html", "ada &lt;1815&gt;")):
        text = part(message, subtype)
        assert name in text
        assert "Saturday, 21 November 2026, 09:00 UTC" in text
        assert "ada@example.com" in text
        assert ("Further changes of this address since then: 2" in text) is is_said
        assert "http" not in text  # no link, because phishing mails imitate this mail with one


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (
            {"token_name": "import", "expiry": "2026-11-22T09:00:00Z", "by_others": "true"},
            ("import", "somebody else", "Sunday, 22 November 2026, 09:00 UTC"),
        ),
        (
            {"token_name": "", "expiry": "", "by_others": ""},
            ("Token without a name", "your own account", "it is removed"),
        ),
    ],
)
def test_the_notice_of_a_token_says_which_by_whom_and_until_when(
    variables: Mapping[str, str], said: Sequence[str]
) -> None:
    mail = letter(kind=MailKind.TOKEN_CREATED, variables={**variables, "further_count": ""})

    message = sent(templates().message(mail))

    assert message["Subject"] == "An access token was created for your account at Example"
    for subtype in ("plain", "html"):
        text = part(message, subtype)
        assert all(each in text for each in said)
        assert "http" not in text


def test_nothing_in_html_is_fetched_from_elsewhere() -> None:
    html = part(sent(templates().message(letter())), "html")

    assert "src=" not in html
    assert "url(" not in html
    assert "@import" not in html
    assert html.count("https://") == 3  # the link: twice as an address and once as text


def test_a_domain_in_headers_is_ascii() -> None:
    mail = letter(
        sender_address="post@bücher.example",
        recipient_address="ada@straße.example",
        message_id=message_id("mail", "bücher.example"),
    )

    message = sent(templates().message(mail))

    assert message["From"].addresses[0].addr_spec == "post@xn--bcher-kva.example"
    assert message["To"].addresses[0].addr_spec == "ada@xn--strae-oqa.example"
    assert message["Message-ID"] == "<mail@xn--bcher-kva.example>"


def test_a_trial_has_the_sender_that_mails_have() -> None:
    destination = replace(
        DESTINATION,
        sender_name="\u202eB\u00fccher =?x",
        sender_address="noreply@b\u00fccher.example",
    )

    trial = trial_message(destination, "ada@example.com")
    mail = templates().message(
        letter(sender_name=destination.sender_name, sender_address=destination.sender_address)
    )

    assert str(trial["From"]) == str(mail["From"])


def test_a_local_part_that_is_not_ascii_is_kept_for_servers_that_take_it() -> None:
    message = templates().message(letter(recipient_address="jörg@example.com"))

    utf8 = message.as_bytes(policy=email.policy.SMTPUTF8)

    assert "To: Ada <jörg@example.com>\r\n".encode() in utf8


def test_a_long_message_id_is_on_one_line() -> None:
    domain = ".".join(["x" * 60] * 4)
    mail = letter(message_id=message_id("0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21", domain))

    message = sent(templates().message(mail))

    assert message["Message-ID"] == f"<0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21@{domain}>"


def test_an_operator_replaces_templates_by_name(tmp_path: Path) -> None:
    (tmp_path / "passkey_added.subject.txt").write_text("Neuer Passkey bei {{ rp_name }}\n")
    (tmp_path / "layout.html").write_text("<p>Ours</p>{% block content %}{% endblock %}")
    (tmp_path / "passkey_registration_link.txt").write_text(
        '{{ link }} bis {{ (expiry | instant).strftime("%d.%m.%Y %H:%M") }}'
    )

    own = templates(folder=tmp_path)

    assert sent(own.message(notice("Phone")))["Subject"] == "Neuer Passkey bei Example"
    message = sent(own.message(letter()))
    assert part(message, "html").startswith("<p>Ours</p>")
    assert part(message, "plain") == f"{_LINK} bis 22.11.2026 09:00\n"
    assert message["Subject"] == "Register a passkey for Example"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("passkey_added.txt", "{{ nmae }}", "'nmae' is undefined"),
        ("passkey_added.html", "\n{% if %}", "line 2: Expected an expression"),
        ("passkey_added.subject.txt", "{% include 'gone' %}", "gone"),
        ("passkey_registration_link.txt", "Hello", r"lacks {{ link }}"),
        ("passkey_registration_link.html", "{{ expiry }}", r"lacks {{ link }}"),
        ("passkey_added.txt", "{{ 1 / 0 }}", "division by zero"),
        ("passkey_added.txt", "{{ ''.__class__.__mro__ }}", "unsafe"),
        ("passkey_added.txt", b"\xff", "utf-8"),
    ],
)
def test_a_wrong_template_is_refused_by_name(
    tmp_path: Path, name: str, text: str | bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    with pytest.raises(MailTemplateError, match=problem) as refused:
        templates(folder=tmp_path)

    assert f"The mail template {name} " in str(refused.value)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MailTemplateError, match="KEYSTEAD_MAIL_TEMPLATES_DIR"):
        templates(folder=tmp_path / "gone")


def test_a_template_that_is_changed_later_is_used_from_the_next_start(tmp_path: Path) -> None:
    subject = tmp_path / "passkey_added.subject.txt"
    subject.write_text("One")
    own = templates(folder=tmp_path)

    subject.write_text("{{ broken")

    assert sent(own.message(notice("Phone")))["Subject"] == "One"

    subject.write_text("Two")
    restarted = templates(folder=tmp_path)
    assert sent(restarted.message(notice("Phone")))["Subject"] == "Two"
