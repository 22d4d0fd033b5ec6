"""The commands on mails: list and retry."""

from typing import Annotated, Final

from pydantic import AfterValidator

from server.access.authorizer import authorize_role
from server.access.caller import Actor
from server.access.checked_append import check_admitted
from server.access.growing import GrowingPage
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.results import DeliveryState
from server.mail import captured, store
from server.mail.captured import CapturedMail
from server.store.database import Statements
from server.validation.fields import Command, Id, described, is_id
from server.values.errors import FixedFailure, NotFound
from server.values.languages import LANGUAGES, listed


class ListMails(GrowingPage):
    """List mails."""

    filters = store.LIST.filters


class RetryMail(Command):
    """Try a mail again."""

    mail_id: Id


class GetCapturedMail(Command):
    """Select a captured mail."""

    mail_id: Id


def _language(tag: str) -> str:
    return tag and listed(tag)


class ListMailPreviews(Command):
    """Show a mail of each kind in a language. Empty: that of users without one of their own."""

    language: Annotated[str, AfterValidator(_language), described(enum=["", *LANGUAGES])]


async def get_captured(
    database: Statements,
    keyring: Keyring,
    command: GetCapturedMail,
    *,
    actor: Actor,
    organization_id: str,
) -> CapturedMail:
    """The message of a captured mail, of any organization if none is given.

    Who reads its link can act as its user, and so needs all permissions of that user. `Failure`
    NOT_FOUND; PERMISSION_DENIED; FAILED_PRECONDITION CAPTURED_MAIL_UNREADABLE.
    """
    if not is_id(command.mail_id):
        raise _not_found(command.mail_id)
    stored = await captured.get(database, command.mail_id, organization_id=organization_id)
    if stored is None:
        raise _not_found(command.mail_id)
    for role in stored.roles:
        authorize_role(actor, role)
    try:
        return stored.read(keyring)
    except EncryptionKeyError as error:
        raise _unreadable(str(error)) from None


async def retry(database: Statements, command: RetryMail, *, actor: Actor) -> store.Mail:
    """Makes a mail due now, or within a minute after the failure of an attempt in progress.

    `Failure` NOT_FOUND; FAILED_PRECONDITION MAIL_ALREADY_SENT, MAIL_CANCELLED, MAIL_SECRET_ERASED.
    """
    if not is_id(command.mail_id):
        raise _not_found(command.mail_id)
    async with database.transaction() as transaction:  # no attempt starts before `get`
        outcome = await store.retry(transaction, command.mail_id)
        await check_admitted(transaction, actor)
        mail = await store.get(transaction, command.mail_id)
    if outcome is None or mail is None:
        raise _not_found(command.mail_id)
    _must_be_retried(*outcome)
    return mail


def _must_be_retried(state: DeliveryState, has_secrets: bool) -> None:
    if state is DeliveryState.SENT:
        raise _already_sent()
    if state is DeliveryState.CANCELLED:
        raise _cancelled()
    if state is DeliveryState.FAILED and has_secrets:
        raise _secret_erased()


_already_sent: Final = FixedFailure("MAIL_ALREADY_SENT", "The mail has been sent.")

_cancelled: Final = FixedFailure(
    "MAIL_CANCELLED", "The mail was cancelled, because its content is out of date."
)

_secret_erased: Final = FixedFailure(
    "MAIL_SECRET_ERASED",
    "The link in the mail was erased when the mail failed. Create a new link with"
    " CreatePasskeyRegistrationLink.",
)

_unreadable: Final = FixedFailure(
    "CAPTURED_MAIL_UNREADABLE",
    "The message cannot be decrypted. Give every server of this database the same encryption keys"
    " (`keystead doctor` names the missing ones).",
)

_not_found: Final = NotFound("mail", "The mail does not exist. Find the right id with ListMails.")
