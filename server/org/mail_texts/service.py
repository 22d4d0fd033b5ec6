"""The RPC methods of own texts of mails: convert messages, and call commands."""

from collections.abc import Awaitable, Callable

from keystead.mail.v1 import mail_service_pb2 as pb
from server.mail.own_words import parts_of
from server.mail.rendering import MailBrand, Templates
from server.mail.service import MailPreviewer
from server.org.mail_texts import commands, store
from server.org.mail_texts.applied import find_own_words, words_of
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import details_message, nested
from server.rpc.preconditions.changes import Objects
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "SetMailText": commands.SetMailText,
    "RemoveMailText": commands.RemoveMailText,
    "PreviewMailText": commands.SetMailText,
}

OBJECTS: Objects = {"/v1/mailTexts/{mail_text_id}": store.LOCK_SEQUENCE}


class MailTexts:
    """See `keystead/mail/v1/mail_service.proto`.

    `forget` has the mail loop read the texts of an organization in a language again.
    """

    def __init__(
        self,
        database: Database,
        *,
        templates: Templates,
        find_brand: Callable[[str], Awaitable[MailBrand]],
        forget: Callable[[str, str], None],
    ) -> None:
        self._database = database
        self._templates = templates
        self._find_brand = find_brand
        self._forget = forget

    @checks_caller
    async def SetMailText(
        self, request: pb.SetMailTextRequest, call: AnyCall
    ) -> pb.SetMailTextResponse:
        command = read(commands.SetMailText, request)
        details = await commands.set_text(self._database, command, **call.by_caller)
        self._forget_text(command.mail_text_id, call)
        return pb.SetMailTextResponse(details=details_message(details))

    async def ListMailTexts(
        self, _request: pb.ListMailTextsRequest, call: AnyCall
    ) -> pb.ListMailTextsResponse:
        found = await store.LIST.all(self._database, organization_id=call.organization_id)
        return pb.ListMailTextsResponse(mail_texts=[nested(pb.MailText, each) for each in found])

    @checks_caller
    async def RemoveMailText(
        self, request: pb.RemoveMailTextRequest, call: AnyCall
    ) -> pb.RemoveMailTextResponse:
        command = read(commands.RemoveMailText, request)
        details = await commands.remove(self._database, command, **call.by_caller)
        self._forget_text(command.mail_text_id, call)
        return pb.RemoveMailTextResponse(details=details_message(details))

    async def PreviewMailText(
        self, request: pb.PreviewMailTextRequest, call: AnyCall
    ) -> pb.PreviewMailTextResponse:
        command = read(commands.SetMailText, request)
        kind, language = parts_of(command.mail_text_id)
        organization_id = call.organization_id
        previewer = MailPreviewer(
            self._templates,
            language,
            brand=await self._find_brand(organization_id),
            beneath=await find_own_words(self._database, "", language) if organization_id else {},
        )
        return pb.PreviewMailTextResponse(preview=previewer.preview(kind, words_of([command])))

    def _forget_text(self, mail_text_id: str, call: AnyCall) -> None:
        _, _, language = mail_text_id.partition(".")
        self._database.once_written(lambda: self._forget(call.organization_id, language))
