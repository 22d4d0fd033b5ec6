"""The commands on own texts of mails.

`organization_id` selects the texts of an organization; empty: those of the instance.
"""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints, ValidationInfo

from server.access.caller import Actor
from server.access.checked_append import written_by
from server.mail import own_words
from server.mail.outbox import MailKind
from server.org import store as org_store
from server.org.mail_texts import store
from server.org.mail_texts.events import MailTextRemoved, MailTextSet
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, OptionalName, described
from server.values.errors import Violation, invalid
from server.values.languages import LANGUAGES
from server.values.names import CONTROL_CHARACTER, legible

MAX_TEXT: Final = 2000
MAX_BUTTON: Final = 60
_without_text: Final = Violation(
    "subject",
    "must not be empty if title, text and button are: RemoveMailText removes an own text",
    "EMPTY",
)
_ID: Final = rf"^({'|'.join(MailKind)})\.({'|'.join(map(re.escape, LANGUAGES))})$"


def _known(mail_text_id: str) -> str:
    own_words.parts_of(mail_text_id)
    return mail_text_id


def _of_kind(text: str, information: ValidationInfo) -> str:
    mail_text_id = information.data.get("mail_text_id")  # missing if invalid
    if mail_text_id is None or information.field_name is None:
        return text
    kind, _ = own_words.parts_of(mail_text_id)
    return own_words.checked(kind, information.field_name, text)


def _lines(text: str) -> str:
    text = text.replace("\r\n", "\n")
    if CONTROL_CHARACTER.search(text.replace("\n", "")):
        raise ValueError("must not contain control characters other than line breaks")
    return legible(text) if text else text


_Line = Annotated[OptionalName, AfterValidator(_of_kind)]
_Button = Annotated[
    OptionalName, StringConstraints(max_length=MAX_BUTTON), AfterValidator(_of_kind)
]
_Lines = Annotated[
    str,
    StringConstraints(max_length=MAX_TEXT),
    AfterValidator(_lines),
    AfterValidator(_of_kind),
]


class SetMailText(Command):
    """Set all fields of the own text of a kind of mail in a language."""

    mail_text_id: Annotated[Id, AfterValidator(_known), described(pattern=_ID)]
    subject: _Line
    title: _Line
    text: _Lines
    button: _Button


class RemoveMailText(Command):
    """Select an own text."""

    mail_text_id: Id


async def set_text(
    database: Statements, command: SetMailText, *, actor: Actor, organization_id: str
) -> Details:
    """Sets an own text. `Failure` NOT_FOUND, INVALID_ARGUMENT."""
    if not any(getattr(command, field) for field in own_words.FIELDS):
        raise invalid(_without_text)
    event = MailTextSet.of(command, of_instance=not organization_id)
    return await store.SET.details(
        database,
        event,
        **written_by(actor),
        organization_id=organization_id,
        owner=await _owner(database, organization_id),
    )


async def remove(
    database: Statements, command: RemoveMailText, *, actor: Actor, organization_id: str
) -> Details:
    """Removes an own text. `Failure` NOT_FOUND."""
    event = MailTextRemoved.of(command, of_instance=not organization_id)
    return await store.REMOVE.details(
        database,
        event,
        **written_by(actor),
        organization_id=organization_id,
        owner=await _owner(database, organization_id),
    )


async def _owner(database: Statements, organization_id: str) -> str:
    return organization_id or await org_store.default_organization_id(database) or ""
