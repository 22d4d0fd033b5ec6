"""Calls of the methods of own texts of mails, and a text to set."""

from collections.abc import Awaitable
from typing import Any, Final

from keystead.mail.v1 import mail_service_pb2 as pb
from tests.support.given import Client

TEXT_ID: Final = "passkey_invitation.en"
FIELDS: Final[dict[str, Any]] = {
    "subject": "Welcome to {rp_name}",
    "title": "Welcome",
    "text": "Begin here.\nThe service desk helps.",
    "button": "Begin",
}


def set_text(
    client: Client, text_id: str = TEXT_ID, *, org_id: str = "", **fields: str
) -> Awaitable[pb.SetMailTextResponse]:
    request = pb.SetMailTextRequest(mail_text_id=text_id, **fields)
    return client.call(client.mails.SetMailText, request, **_of(org_id))


def preview(
    client: Client, text_id: str = TEXT_ID, *, org_id: str = "", **fields: str
) -> Awaitable[pb.PreviewMailTextResponse]:
    request = pb.PreviewMailTextRequest(mail_text_id=text_id, **fields)
    return client.call(client.mails.PreviewMailText, request, **_of(org_id))


def remove(
    client: Client, text_id: str = TEXT_ID, *, org_id: str = ""
) -> Awaitable[pb.RemoveMailTextResponse]:
    request = pb.RemoveMailTextRequest(mail_text_id=text_id)
    return client.call(client.mails.RemoveMailText, request, **_of(org_id))


async def list_all(client: Client, *, org_id: str = "") -> list[pb.MailText]:
    answer = await client.call(client.mails.ListMailTexts, pb.ListMailTextsRequest(), **_of(org_id))
    return list(answer.mail_texts)


async def shown(client: Client, *, org_id: str = "", language: str = "en") -> dict[str, Any]:
    """The previews of all kinds."""
    request = pb.ListMailPreviewsRequest(language=language)
    answer = await client.call(client.mails.ListMailPreviews, request, **_of(org_id))
    return {each.kind: each for each in answer.previews}


def _of(org_id: str) -> dict[str, Any]:
    return {"x_service_orgid": org_id} if org_id else {}
