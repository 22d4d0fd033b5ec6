"""The RPC methods of the SMTP configuration: convert, call, convert."""

from typing import Any

from keystead.smtp.v1 import smtp_service_pb2 as pb
from keystead.smtp.v1 import smtp_service_pb2_grpc as pb_grpc
from server.database import Database
from server.encryption import Keyring
from server.messages import details_message
from server.rpc import current_call
from server.smtp import commands, store
from server.validation import read


class SMTPService(pb_grpc.SMTPServiceServicer):
    """See `keystead/smtp/v1/smtp_service.proto`."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._keyring = keyring

    async def AddSMTPConfig(
        self, request: pb.AddSMTPConfigRequest, _context: Any
    ) -> pb.AddSMTPConfigResponse:
        command = read(commands.AddSMTPConfig, request)
        details = await commands.add(
            self._database, self._keyring, command, caller_id=current_call().caller.user_id
        )
        return pb.AddSMTPConfigResponse(details=details_message(details))

    async def GetSMTPConfig(
        self, _request: pb.GetSMTPConfigRequest, _context: Any
    ) -> pb.GetSMTPConfigResponse:
        return pb.GetSMTPConfigResponse(
            smtp_config=_smtp_config(await commands.get(self._database))
        )

    async def UpdateSMTPConfig(
        self, request: pb.UpdateSMTPConfigRequest, _context: Any
    ) -> pb.UpdateSMTPConfigResponse:
        password = request.password if request.HasField("password") else None
        command = read(commands.UpdateSMTPConfig, request, password=password)
        details = await commands.update(
            self._database, self._keyring, command, caller_id=current_call().caller.user_id
        )
        return pb.UpdateSMTPConfigResponse(details=details_message(details))

    async def UpdateSMTPConfigPassword(
        self, request: pb.UpdateSMTPConfigPasswordRequest, _context: Any
    ) -> pb.UpdateSMTPConfigPasswordResponse:
        command = read(commands.UpdateSMTPConfigPassword, request)
        details = await commands.update_password(
            self._database, self._keyring, command, caller_id=current_call().caller.user_id
        )
        return pb.UpdateSMTPConfigPasswordResponse(details=details_message(details))

    async def RemoveSMTPConfig(
        self, _request: pb.RemoveSMTPConfigRequest, _context: Any
    ) -> pb.RemoveSMTPConfigResponse:
        details = await commands.remove(self._database, caller_id=current_call().caller.user_id)
        return pb.RemoveSMTPConfigResponse(details=details_message(details))

    async def TestSMTPConfig(
        self, _request: pb.TestSMTPConfigRequest, _context: Any
    ) -> pb.TestSMTPConfigResponse:
        raise NotImplementedError


def _smtp_config(config: store.SMTPConfig) -> pb.SMTPConfig:
    return pb.SMTPConfig(
        details=details_message(config.details),
        sender_address=config.sender_address,
        sender_name=config.sender_name,
        tls=config.tls,
        host=config.host,
        user=config.user,
        password_set=config.password_secret_id is not None,
    )
