"""The RPC methods of SMTP configurations: convert messages, and call commands."""

from typing import Final

from keystead.smtp.v1 import smtp_service_pb2 as pb
from keystead.smtp.v1 import smtp_service_pb2_grpc as pb_grpc
from server.crypto.keyring import Keyring
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.transport import try_out
from server.net.trial import Step
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import Nested, details_message, duration, nested, timestamp
from server.rpc.preconditions.changes import Objects
from server.smtp import commands, store
from server.smtp.oauth import commands as oauth_commands
from server.smtp.oauth.presets import preset_of
from server.smtp.oauth.tokens import MailboxTokens, RefreshTurns
from server.store.database import Database
from server.validation.fields import Commands, read
from server.values.errors import FixedFailure
from server.values.ids import created_at

# The time between the end of a test and the deadline of its call; at most a fifth of the time left.
_LEAD_SECONDS = 1.0

COMMANDS: Commands = {
    "AddSMTPConfig": commands.AddSMTPConfig,
    "UpdateSMTPConfig": commands.UpdateSMTPConfig,
    "UpdateSMTPConfigPassword": commands.UpdateSMTPConfigPassword,
    "TestSMTPConfig": commands.TestSMTPConfig,
    "SetSMTPOAuth": oauth_commands.SetSMTPOAuth,
}

OBJECTS: Objects = {"/v1/smtp": store.LOCK_SEQUENCE}


class SMTPService(pb_grpc.SMTPServiceServicer):
    """See `keystead/smtp/v1/smtp_service.proto`."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        transport: TransportOptions,
        captures: bool,
    ) -> None:
        """`captures`: mails are kept in place of their delivery."""
        self._database = database
        self._keyring = keyring
        self._transport = transport
        self._captures = captures
        self._turns = RefreshTurns()

    @checks_caller
    async def AddSMTPConfig(
        self, request: pb.AddSMTPConfigRequest, call: AnyCall
    ) -> pb.AddSMTPConfigResponse:
        command = read(commands.AddSMTPConfig, request)
        details = await commands.add(self._database, self._keyring, command, **call.by_caller)
        return pb.AddSMTPConfigResponse(details=details_message(details))

    async def GetSMTPConfig(
        self, _request: pb.GetSMTPConfigRequest, call: AnyCall
    ) -> pb.GetSMTPConfigResponse:
        config = await commands.get(self._database, call.organization_id)
        return pb.GetSMTPConfigResponse(smtp_config=_smtp_config(config))

    @checks_caller
    async def UpdateSMTPConfig(
        self, request: pb.UpdateSMTPConfigRequest, call: AnyCall
    ) -> pb.UpdateSMTPConfigResponse:
        password = request.password if request.HasField("password") else None
        command = read(commands.UpdateSMTPConfig, request, password=password)
        details = await commands.update(self._database, self._keyring, command, **call.by_caller)
        return pb.UpdateSMTPConfigResponse(details=details_message(details))

    @checks_caller
    async def UpdateSMTPConfigPassword(
        self, request: pb.UpdateSMTPConfigPasswordRequest, call: AnyCall
    ) -> pb.UpdateSMTPConfigPasswordResponse:
        command = read(commands.UpdateSMTPConfigPassword, request)
        details = await commands.update_password(
            self._database, self._keyring, command, **call.by_caller
        )
        return pb.UpdateSMTPConfigPasswordResponse(details=details_message(details))

    @checks_caller
    async def RemoveSMTPConfig(
        self, _request: pb.RemoveSMTPConfigRequest, call: AnyCall
    ) -> pb.RemoveSMTPConfigResponse:
        details = await commands.remove(self._database, **call.by_caller)
        return pb.RemoveSMTPConfigResponse(details=details_message(details))

    @checks_caller
    async def SetSMTPOAuth(
        self, request: pb.SetSMTPOAuthRequest, call: AnyCall
    ) -> pb.SetSMTPOAuthResponse:
        command = read(oauth_commands.SetSMTPOAuth, request)
        details = await oauth_commands.set_oauth(
            self._database, self._keyring, command, **call.by_caller
        )
        return pb.SetSMTPOAuthResponse(details=details_message(details))

    @checks_caller
    async def RemoveSMTPOAuth(
        self, _request: pb.RemoveSMTPOAuthRequest, call: AnyCall
    ) -> pb.RemoveSMTPOAuthResponse:
        details = await oauth_commands.remove(self._database, **call.by_caller)
        return pb.RemoveSMTPOAuthResponse(details=details_message(details))

    async def TestSMTPConfig(
        self, request: pb.TestSMTPConfigRequest, call: AnyCall
    ) -> pb.TestSMTPConfigResponse:
        command = _test_command(request)
        if self._captures and command.receiver_address:
            raise _captured()
        # A test fetches an access token of its own.
        tokens = MailboxTokens(self._database, self._keyring, self._transport, turns=self._turns)
        destination = await commands.destination_to_test(
            self._database,
            self._keyring,
            tokens,
            command,
            organization_id=call.organization_id,
        )
        steps = await try_out(
            destination,
            receiver_address=command.receiver_address or None,
            options=self._transport,
            seconds=_seconds_for_trial(call.seconds_left),
        )
        return pb.TestSMTPConfigResponse(steps=map(_step, steps))


_captured: Final = FixedFailure(
    "MAIL_CAPTURED",
    "No mail leaves this server, since KEYSTEAD_MAIL_CAPTURE is true. Test without a receiver, or"
    " set it to false.",
)


def _seconds_for_trial(seconds_left: float) -> float:
    """The time limit of a test, which leaves the call enough time to answer."""
    return seconds_left - min(_LEAD_SECONDS, seconds_left / 5)


def _test_command(request: pb.TestSMTPConfigRequest) -> commands.TestSMTPConfig:
    if not request.HasField("unsaved_config"):
        return read(commands.TestSMTPConfig, request, unsaved_config=None)
    config = request.unsaved_config
    fields = {name: getattr(config, name) for name in commands.UpdateSMTPConfig.model_fields}
    if not config.HasField("password"):
        fields["password"] = None
    return read(commands.TestSMTPConfig, request, unsaved_config=fields)


def _step(step: Step) -> Nested:
    return nested(pb.SMTPTestStep, step, duration=duration(step.seconds))


def _smtp_config(config: store.SMTPConfig) -> Nested:
    return nested(
        pb.SMTPConfig,
        config,
        password_set=config.password_secret_id is not None,
        password_set_at=timestamp(created_at(config.password_secret_id or "")),
        oauth=_oauth(config.oauth) if config.oauth else None,
    )


def _oauth(oauth: store.SMTPOAuth) -> Nested:
    preset, tenant = preset_of(oauth.token_endpoint)
    return nested(
        pb.SMTPOAuth,
        oauth,
        preset=preset,
        tenant=tenant,
        method=pb.SMTPTokenMethod.Value(f"SMTP_TOKEN_METHOD_{oauth.method}"),
        secret_set_at=timestamp(created_at(oauth.credential_id)),
    )
