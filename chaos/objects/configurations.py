"""Identity providers, and the SMTP configurations of organizations."""

from itertools import count
from typing import Any, Self

from chaos.history import OK, Made
from chaos.objects.subject import CALL_SECONDS, Hand, Subject, by_chance
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from tests.support import given

# Each value is written once.
_VALUES = count()


class Provider(Subject):
    """An identity provider. It is added once, since the server chooses its ID."""

    model = "configuration"

    @classmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        admin, value = hand.admin, _value()
        made = Made(hand.number, cls.model, "", "add", value)
        request = idp_pb.CreateIDPRequest(name=value)
        made.object = (await admin.call(admin.idps.CreateIDP, request, timeout=CALL_SECONDS)).idp_id
        hand.history.add(made, OK)
        return cls(made.object)

    async def step(self, hand: Hand) -> Any:
        idp_id = self.name
        if by_chance(0.6):
            server, stale = hand.reader
            read = idp_pb.GetIDPRequest(idp_id=idp_id)
            call = server.call(server.idps.GetIDP, read, timeout=CALL_SECONDS)
            return await self.make(
                hand, "read", call, answer=lambda found: found.idp.name, stale_seconds=stale
            )
        admin = hand.admin
        if by_chance(0.02):
            removal = idp_pb.RemoveIDPRequest(idp_id=idp_id)
            call = admin.call(admin.idps.RemoveIDP, removal, timeout=CALL_SECONDS)
            return await self.make(hand, "remove", call)
        value = _value()
        update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name=value)
        call = admin.call(admin.idps.UpdateIDP, update, timeout=CALL_SECONDS)
        return await self.make(hand, "update", call, argument=value)


class Mailing(Subject):
    """The SMTP configuration of an organization. It can be added only if none is set."""

    model = "configuration"

    @classmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        return cls(await given.organization(hand.admin))

    async def step(self, hand: Hand) -> Any:
        options: dict[str, Any] = {"timeout": CALL_SECONDS, "x_service_orgid": self.name}
        if by_chance(0.5):
            server, stale = hand.reader
            read = smtp_pb.GetSMTPConfigRequest()
            call = server.call(server.smtp.GetSMTPConfig, read, **options)
            return await self.make(hand, "read", call, answer=_sender, stale_seconds=stale)
        admin = hand.admin
        if by_chance(0.2):
            removal = smtp_pb.RemoveSMTPConfigRequest()
            call = admin.call(admin.smtp.RemoveSMTPConfig, removal, **options)
            return await self.make(hand, "remove", call)
        value = _value()
        if by_chance(0.5):
            call = admin.call(
                admin.smtp.AddSMTPConfig, given.smtp_config(sender_name=value), **options
            )
            return await self.make(hand, "add", call, argument=value)
        update = given.smtp_update(sender_name=value)
        call = admin.call(admin.smtp.UpdateSMTPConfig, update, **options)
        return await self.make(hand, "update", call, argument=value)


def _sender(read: smtp_pb.GetSMTPConfigResponse) -> str:
    return read.smtp_config.sender_name


def _value() -> str:
    return f"Value {next(_VALUES)}"
