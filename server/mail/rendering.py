"""Renders mails from templates (`templates/`, whose README lists the variables) and words.

The rule: a name that a person chose for a user, a passkey or an identity provider cannot pass for
text of the mail. It is one line of at most 40 characters, without text that a mail client turns
into a link, isolated in its direction, and escaped in HTML (decision 21). Messages refer to no
external content: the logo of the brand is a part of them.
"""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import zip_longest
from pathlib import Path
from types import CodeType
from typing import Final, Protocol

import jinja2
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from server.deliveries.smtp.headers import MAIL, header_address, header_text, one_line
from server.mail.names import isolated, shown
from server.mail.outbox import MailKind
from server.mail.own_words import OwnWords, key_of
from server.mail.words import PLACE, Words, words
from server.validation.logos import media_type_of
from server.values.errors import OperatorError
from server.values.languages import ENGLISH, LANGUAGES, known
from server.values.mail_address import ascii_domain

_SUFFIXES = (".subject.txt", ".txt", ".html")
_CHOSEN_BY_USERS = frozenset(
    {
        *("recipient_name", "passkey_name", "user_name", "idp_name", "token_name"),
        *("inviter_name", "organization_name", "application_name"),
    }
)
_NAMES = _CHOSEN_BY_USERS | {"rp_name", "provider_name"}
# The argument of `say` that is a name: the variable that a template gives.
_NAME: Final = "name"
# The places of `say` that are times.
_INSTANTS: Final = ("created_at", "expiry")
# The variable with the words, for filters and `say`.
_WORDS: Final = "_words"
# The width of plain text, in characters.
_WIDTH: Final = 78
# Stands for a space at which no line ends: a name stays in its line.
_NO_BREAK: Final = "\ue000"
# The Content-ID of the logo, without its domain.
_LOGO: Final = "logo"

# The variables of each kind (`server/mail/outbox.py`), and samples of them, to check templates.
_OF_NOTICES: Final = ("further_count",)
_VARIABLES: Final[Mapping[MailKind, Sequence[str]]] = {
    MailKind.PASSKEY_REGISTRATION_LINK: ("expiry", "link"),
    MailKind.PASSKEY_RECOVERY_LINK: ("user_name", "expiry", "link"),
    MailKind.PASSKEY_INVITATION: (
        *("inviter_name", "organization_name", "application_name"),
        *("expiry", "link"),
    ),
    MailKind.SIGN_UP_LINK: ("organization_name", "expiry", "link"),
    MailKind.EMAIL_CHANGE_LINK: ("user_name", "expiry", "link"),
    MailKind.PASSKEY_ADDED: ("passkey_name", "provider_name", *_OF_NOTICES),
    MailKind.EMAIL_CHANGE_REQUESTED: ("user_name", *_OF_NOTICES),
    MailKind.EMAIL_CHANGED: ("user_name", *_OF_NOTICES),
    MailKind.ACCOUNT_RECOVERED: ("user_name", "passkey_name", "provider_name", *_OF_NOTICES),
    MailKind.IDP_LINKED: ("idp_name", *_OF_NOTICES),
    MailKind.IDP_UNLINKED: ("idp_name", *_OF_NOTICES),
    MailKind.TOKEN_CREATED: ("token_name", "expiry", "by_others", *_OF_NOTICES),
}
_SAMPLES: Final = {
    "expiry": "2026-11-22T09:00:00Z",
    "link": "https://id.example.com/passkeys/#user=ada;code=ksl_0",
    "user_name": "ada",
    "inviter_name": "Grace",
    "organization_name": "Example Ltd",
    "application_name": "Orders",
    "passkey_name": "Phone",
    "provider_name": "Example",
    "idp_name": "Example",
    "token_name": "Nightly import",
    "by_others": "true",
    "further_count": "2",
}


class MailTemplateError(OperatorError):
    """A template of the operator cannot be used. The message names the template and the reason."""


class MailBrand(Protocol):
    """The brand that people see. Without an own value, a field except for the name is empty."""

    @property
    def name(self) -> str: ...
    @property
    def logo(self) -> bytes: ...
    @property
    def color(self) -> str: ...
    @property
    def dark_color(self) -> str: ...
    @property
    def support_address(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Letter:
    """The content of one message."""

    kind: MailKind
    language: str
    message_id: str
    # The name of the sender in the text.
    rp_name: str
    sender_name: str
    sender_address: str
    # The address of replies; empty: that of the templates.
    reply_to: str
    recipient_name: str
    recipient_address: str
    created_at: datetime
    variables: Mapping[str, str]
    # Of the sender, in place of texts of the words.
    own_words: OwnWords = field(default_factory=dict, repr=False)
    # Of the brand; empty: none.
    logo: bytes = field(default=b"", repr=False)
    color: str = ""
    dark_color: str = ""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The rendered templates of a mail."""

    subject: str
    text: str
    html: str


class _CompiledTemplates(jinja2.BytecodeCache):
    """The compiled templates of this process, by name, file and checksum of their source.

    A start checks the templates before the database and again for the mail loop; compiling them
    takes most of that time.
    """

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = _CompiledTemplates()


class Templates:
    """The templates, read and checked once. MailTemplateError: a template cannot be used."""

    def __init__(
        self, *, reply_to: str | None, folder: Path | None, language: str = ENGLISH
    ) -> None:
        """`language` is that of mails to users without one of their own."""
        self._reply_to = reply_to
        self._language = language
        if folder is not None and not folder.is_dir():
            raise MailTemplateError(
                f"KEYSTEAD_MAIL_TEMPLATES_DIR is {folder}, which is not a folder."
            )
        own = [jinja2.FileSystemLoader(folder)] if folder else []
        # Words that are not complete fail the start. The templates are the same for all languages
        # but those that the operator has replaced for one.
        self._words = {language: words(language) for language in LANGUAGES}
        self._own = {
            f"{tag}/{file.name}": tag
            for tag in LANGUAGES
            if folder is not None
            for file in (folder / tag).glob("*")
        }
        self._environment = ImmutableSandboxedEnvironment(
            loader=jinja2.ChoiceLoader([*own, jinja2.PackageLoader("server.mail")]),
            autoescape=jinja2.select_autoescape(["html"], default=False),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            auto_reload=False,  # later versions would be unchecked
            bytecode_cache=_COMPILED,
        )
        self._environment.filters |= {"instant": _instant, "moment": _moment, "span": _span}
        self._environment.globals["say"] = _say
        for language in sorted({ENGLISH, *self._own.values()}):
            for kind in MailKind:
                self._check(_sample(kind, language))

    def message(self, letter: Letter) -> EmailMessage:
        """The message (RFC 5322). Equal letters differ only in the MIME boundary."""
        rendered = self._rendered(letter)
        message = EmailMessage(MAIL)
        message["Message-ID"] = letter.message_id
        message["Date"] = letter.created_at
        message["From"] = header_address(letter.sender_address, letter.sender_name)
        message["To"] = header_address(letter.recipient_address, shown(letter.recipient_name))
        if reply_to := letter.reply_to or self._reply_to:
            message["Reply-To"] = header_address(reply_to)
        message["Subject"] = rendered.subject
        # Prevents automatic replies: RFC 3834, and a header for Exchange.
        message["Auto-Submitted"] = "auto-generated"
        message["X-Auto-Response-Suppress"] = "DR, RN, NRN, OOF, AutoReply"
        # Quoted-printable: servers may refuse long lines and 8-bit text.
        message.set_content(rendered.text, cte="quoted-printable")
        message.add_alternative(rendered.html, subtype="html", cte="quoted-printable")
        if media_type := media_type_of(letter.logo):
            *_, html = message.iter_parts()
            html.add_related(
                letter.logo,
                *media_type.split("/"),
                cid=f"<{_LOGO}>",
                disposition="inline",
            )
        return message

    def language_of(self, locale: str) -> str:
        """The language of mails to a user with this locale, which may be empty."""
        return known(locale) or self._language

    def preview(
        self, kind: MailKind, brand: MailBrand, own_words: OwnWords, *, language: str
    ) -> Rendered:
        """A mail of this kind, with examples in place of a recipient, names and a link.

        Its HTML has no logo, which is another part of a message.
        """
        letter = replace(
            _sample(kind, language),
            rp_name=brand.name,
            own_words=own_words,
            color=brand.color,
            dark_color=brand.dark_color,
        )
        return self._rendered(letter)

    def text_of(self, kind: MailKind, name: str, own_words: OwnWords, *, language: str) -> str:
        """The text of a field of a kind of mail, with its places."""
        return self._words[language].with_own(own_words).texts[key_of(kind, name)]

    def _rendered(self, letter: Letter) -> Rendered:
        subject, text, html = (self._render(letter, suffix) for suffix in _SUFFIXES)
        return Rendered(header_text(subject), text, html)

    def _render(self, letter: Letter, suffix: str) -> str:
        variables = {
            **letter.variables,
            "rp_name": letter.rp_name,
            "recipient_name": letter.recipient_name,
            "recipient_address": letter.recipient_address,
            "created_at": letter.created_at.isoformat(),
            "language": letter.language,
            "color": letter.color,
            "dark_color": letter.dark_color,
            "logo": f"cid:{_LOGO}" if letter.logo else "",
        }
        return self._environment.get_template(self._file(letter, suffix)).render(
            {
                name: _variable(name, value, is_plain_text=suffix == ".txt")
                for name, value in variables.items()
            },
            **{_WORDS: self._words[letter.language].with_own(letter.own_words)},
        )

    def _file(self, letter: Letter, suffix: str) -> str:
        """The template of the operator for this language, else that for all languages."""
        name = f"{letter.kind}{suffix}"
        of_language = f"{letter.language}/{name}"
        return of_language if of_language in self._own else name

    def _check(self, letter: Letter) -> None:
        for suffix in _SUFFIXES:
            name = self._file(letter, suffix)
            try:
                rendered = self._render(letter, suffix)
            # A template is a program and may raise any exception.
            except Exception as error:
                raise MailTemplateError(
                    f"The mail template {name} cannot be used: {_reason(error)}. Correct it in"
                    " KEYSTEAD_MAIL_TEMPLATES_DIR, or remove it there to use the built-in one."
                ) from error
            needs_link = "link" in letter.variables and suffix != ".subject.txt"
            if needs_link and _as_rendered(letter.variables["link"], name) not in rendered:
                raise MailTemplateError(
                    f"The mail template {name} lacks {{{{ link }}}}, without which the mail is of"
                    " no use. Add it to the template."
                )


def message_id(mail_id: str, domain: str) -> str:
    """The header Message-ID (RFC 5322, section 3.6.4), the same in every attempt."""
    return f"<{mail_id}@{ascii_domain(domain)}>"


def _variable(name: str, value: str, *, is_plain_text: bool) -> str:
    text = shown(value) if name in _CHOSEN_BY_USERS else one_line(value)
    # In HTML, templates isolate names by the element `bdi`.
    return isolated(text) if is_plain_text and name in _NAMES else text


def _instant(value: str) -> datetime:
    return datetime.fromisoformat(value).astimezone(UTC)


@jinja2.pass_context
def _moment(context: Context, value: str) -> str:
    return _words_of(context).moment(_instant(value))


@jinja2.pass_context
def _span(context: Context, begin: str, end: str) -> str:
    return _words_of(context).span(_instant(end) - _instant(begin))


def _words_of(context: Context) -> Words:
    found: Words = context[_WORDS]
    return found


@jinja2.pass_context
def _say(context: Context, key: str, **given: str) -> str:
    """A text in the language of the mail, with values in its places.

    In HTML it is markup, and isolates the names. In plain text it has several lines. Only own
    texts have line breaks.
    """
    # The text, and the names of its places between the parts of it.
    parts = PLACE.split(_words_of(context).texts[key])
    if context.eval_ctx.autoescape:
        marked = (_markup(name, _value(context, name, given)) for name in parts[1::2])
        return Markup().join(_alternately(map(_broken, parts[::2]), marked))
    plain = (_value(context, name, given).replace(" ", _NO_BREAK) for name in parts[1::2])
    text = "".join(_alternately(parts[::2], plain))
    lines = (
        textwrap.fill(line, _WIDTH, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
    return "\n".join(lines).replace(_NO_BREAK, " ")


def _broken(text: str) -> Markup:
    return Markup("<br>").join(text.split("\n"))


def _alternately(texts: Iterable[str], values: Iterable[str]) -> Iterator[str]:
    for text, value in zip_longest(texts, values, fillvalue=""):
        yield text
        yield value


def _value(context: Context, name: str, given: Mapping[str, str]) -> str:
    if name == "span":
        return _span(context, context["created_at"], context["expiry"])
    if name in _INSTANTS:
        return _moment(context, context[name])
    value: str = given[name] if name in given else context[name]
    return value


def _markup(name: str, value: str) -> Markup:
    is_name = name in _NAMES or name == _NAME
    return Markup("<bdi>{}</bdi>").format(value) if is_name else escape(value)


def _sample(kind: MailKind, language: str) -> Letter:
    return Letter(
        kind=kind,
        language=language,
        message_id="<0@example.com>",
        rp_name="Example",
        sender_name="Example",
        sender_address="noreply@example.com",
        reply_to="",
        recipient_name="Ada",
        recipient_address="ada@example.com",
        created_at=datetime(2026, 11, 21, 9, tzinfo=UTC),
        variables={name: _SAMPLES[name] for name in _VARIABLES[kind]},
    )


def _as_rendered(secret: str, template: str) -> str:
    return str(escape(secret)) if template.endswith(".html") else secret


def _reason(error: Exception) -> str:
    line = f"line {error.lineno}: " if isinstance(error, jinja2.TemplateSyntaxError) else ""
    return f"{line}{error}".removesuffix(".")
