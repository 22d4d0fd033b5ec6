"""The RPC methods of mails: convert messages, and call commands."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import KW_ONLY, dataclass
from typing import Final

from keystead.mail.v1 import mail_service_pb2 as pb
from server.access.authorizer import may_beyond
from server.access.caller import AnyCaller
from server.crypto.keyring import Keyring
from server.deliveries.results import DeliveryState
from server.mail import commands, store
from server.mail.attempt import MailRoute
from server.mail.outbox import MailKind
from server.mail.own_words import OwnWords, fields_of
from server.mail.rendering import MailBrand, Templates, message_id
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, nested, timestamp
from server.store.database import Database
from server.validation.fields import Commands, read

# All routes, and that of attempts without one.
_ROUTES: Final = ("", *MailRoute)

COMMANDS: Commands = {
    "ListMails": commands.ListMails,
    "GetCapturedMail": commands.GetCapturedMail,
    "RetryMail": commands.RetryMail,
    "ListMailPreviews": commands.ListMailPreviews,
}


class Mails:
    """See `keystead/mail/v1/mail_service.proto`. `wake` has the mail loop look for mails."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        templates: Templates,
        find_brand: Callable[[str], Awaitable[MailBrand]],
        find_own_words: Callable[[str, str], Awaitable[OwnWords]],
        wake: Callable[[], None],
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._templates = templates
        self._find_brand = find_brand
        self._find_own_words = find_own_words
        self._wake = wake

    async def ListMails(self, request: pb.ListMailsRequest, call: AnyCall) -> pb.ListMailsResponse:
        command = read(commands.ListMails, request)
        listed = await store.LIST.read(self._database, command, call.organization_id)
        shown_routes = _routes_shown_to(call.caller, call.organization_id)
        shown = (_mail(mail, shown_routes) for mail in listed.items)
        return pb.ListMailsResponse(mails=shown, **listed.size_fields)

    async def GetCapturedMail(
        self, request: pb.GetCapturedMailRequest, call: AnyCall
    ) -> pb.GetCapturedMailResponse:
        command = read(commands.GetCapturedMail, request)
        found = await commands.get_captured(
            self._database, self._keyring, command, **call.by_caller
        )
        headers = (pb.MailHeader(name=name, value=value) for name, value in found.headers)
        mail = nested(pb.CapturedMail, found, headers=headers)
        return pb.GetCapturedMailResponse(captured_mail=mail)

    @checks_caller
    async def RetryMail(self, request: pb.RetryMailRequest, call: AnyCall) -> pb.RetryMailResponse:
        command = read(commands.RetryMail, request)
        mail = await commands.retry(self._database, command, actor=call.caller)
        self._database.once_written(self._wake)
        return pb.RetryMailResponse(mail=_mail(mail))

    async def ListMailPreviews(
        self, request: pb.ListMailPreviewsRequest, call: AnyCall
    ) -> pb.ListMailPreviewsResponse:
        command = read(commands.ListMailPreviews, request)
        language = command.language or self._templates.language_of("")
        organization_id = call.organization_id
        previewer = MailPreviewer(
            self._templates,
            language,
            brand=await self._find_brand(organization_id),
            beneath=await self._find_own_words("", language) if organization_id else {},
        )
        own_words = await self._find_own_words(organization_id, language)
        previews = (previewer.preview(kind, own_words) for kind in MailKind)
        return pb.ListMailPreviewsResponse(previews=previews)


def _routes_shown_to(caller: AnyCaller, organization_id: str) -> Collection[str]:
    """The routes of attempts whose messages the caller sees: they name hosts and answers."""
    if may_beyond(caller, "mail.read", None):
        return _ROUTES
    may_see_server = may_beyond(caller, "smtp.read", organization_id)
    return (MailRoute.ORGANIZATION,) if may_see_server else ()


@dataclass(frozen=True, slots=True)
class MailPreviewer:
    """Makes previews in a language. `beneath` are the words that empty fields have."""

    templates: Templates
    language: str
    _: KW_ONLY
    brand: MailBrand
    beneath: OwnWords

    def preview(self, kind: MailKind, own_words: OwnWords) -> Nested:
        """A mail with examples, and the fields that an own text can replace."""
        rendered = self.templates.preview(
            kind, self.brand, {**self.beneath, **own_words}, language=self.language
        )
        fields = [
            nested(
                pb.MailTextField,
                field,
                text=self.templates.text_of(kind, field.name, self.beneath, language=self.language),
                required_places=field.required,
            )
            for field in fields_of(kind)
        ]
        return nested(pb.MailPreview, rendered, kind=kind, fields=fields)


def _mail(mail: store.Mail, shown_routes: Collection[str] = _ROUTES) -> Nested:
    is_pending = mail.state is DeliveryState.PENDING
    return nested(
        pb.Mail,
        mail,
        state=pb.MailState.Value(f"MAIL_STATE_{mail.state.name}"),
        message_id=message_id(mail.mail_id, mail.message_domain),
        next_attempt_at=timestamp(mail.next_attempt_at if is_pending else None),
        attempts=(_attempt(each, shown_routes) for each in mail.attempts),
    )


def _attempt(attempt: store.PastAttempt, shown_routes: Collection[str]) -> Nested:
    route = attempt.route.upper() or "UNSPECIFIED"
    return nested(
        pb.MailAttempt,
        attempt,
        message=attempt.message if attempt.route in shown_routes else "",
        route=pb.MailRoute.Value(f"MAIL_ROUTE_{route}"),
    )
