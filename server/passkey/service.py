"""The RPC methods of passkeys: convert, call, convert."""

from collections.abc import Callable
from typing import Any

from webauthn.helpers import bytes_to_base64url

from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.passkey.v1 import passkey_service_pb2_grpc as pb_grpc
from server.crypto.keyring import Keyring
from server.passkey import commands, links, store
from server.passkey.links import Delivery, LinkPolicy
from server.passkey.provider import provider_name
from server.passkey.webauthn.ceremony import Policy
from server.rpc.messages import (
    details_message,
    details_without_creation_date,
    json_object,
    timestamp,
)
from server.rpc.methods import current_call
from server.store.database import Database
from server.validation.fields import read


class PasskeyService(pb_grpc.PasskeyServiceServicer):
    """See `keystead/passkey/v1/passkey_service.proto`.

    `forget` makes the end of a user's sessions count at once. `wake` has the deliveries look at
    once whether there is mail to send.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        forget: Callable[[str], None],
        policy: Policy,
        link_policy: LinkPolicy,
        max_passkeys_per_user: int,
        hourly_mail_limit: int,
        wake: Callable[[], None],
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._forget = forget
        self._policy = policy
        self._link_policy = link_policy
        self._max_passkeys_per_user = max_passkeys_per_user
        self._hourly_mail_limit = hourly_mail_limit
        self._wake = wake

    async def RegisterPasskey(
        self, request: pb.RegisterPasskeyRequest, _context: Any
    ) -> pb.RegisterPasskeyResponse:
        begun = await commands.register(
            self._database,
            read(commands.RegisterPasskey, request),
            caller=current_call().caller,
            policy=self._policy,
            max_passkeys=self._max_passkeys_per_user,
        )
        response = pb.RegisterPasskeyResponse(
            details=details_message(begun.details),
            passkey_id=begun.passkey_id,
            registration_token=begun.registration_token,
        )
        response.public_key_credential_creation_options.update(begun.options)
        return response

    async def CheckPasskeyRegistration(
        self, request: pb.CheckPasskeyRegistrationRequest, _context: Any
    ) -> pb.CheckPasskeyRegistrationResponse:
        registration = await commands.check(
            self._database,
            read(commands.CheckPasskeyRegistration, request),
            caller=current_call().caller,
            max_passkeys=self._max_passkeys_per_user,
        )
        return pb.CheckPasskeyRegistrationResponse(
            user_name=registration.user_name,
            display_name=registration.display_name,
            rp_name=self._policy.rp_name,
            expiry_date=timestamp(registration.link_expires_at),
        )

    async def VerifyPasskeyRegistration(
        self, request: pb.VerifyPasskeyRegistrationRequest, _context: Any
    ) -> pb.VerifyPasskeyRegistrationResponse:
        credential = json_object(request.public_key_credential)
        details = await commands.verify(
            self._database,
            read(commands.VerifyPasskeyRegistration, request, public_key_credential=credential),
            caller=current_call().caller,
            max_passkeys=self._max_passkeys_per_user,
            hourly_mail_limit=self._hourly_mail_limit,
        )
        self._wake()
        return pb.VerifyPasskeyRegistrationResponse(details=details_without_creation_date(details))

    async def CreatePasskeyRegistrationLink(
        self, request: pb.CreatePasskeyRegistrationLinkRequest, _context: Any
    ) -> pb.CreatePasskeyRegistrationLinkResponse:
        chosen = request.WhichOneof("delivery")
        link = await links.create(
            self._database,
            read(commands.CreatePasskeyRegistrationLink, request).user_id,
            Delivery(chosen) if chosen else None,
            caller=current_call().caller,
            policy=self._link_policy,
            keyring=self._keyring,
            max_passkeys=self._max_passkeys_per_user,
            hourly_mail_limit=self._hourly_mail_limit,
        )
        if link.mail_id:
            self._wake()
        return pb.CreatePasskeyRegistrationLinkResponse(
            details=details_message(link.details),
            code=link.code,
            link=link.url,
            expiry_date=timestamp(link.expires_at),
            mail_id=link.mail_id,
        )

    async def ListPasskeys(
        self, request: pb.ListPasskeysRequest, _context: Any
    ) -> pb.ListPasskeysResponse:
        command = read(commands.ListPasskeys, request)
        found = await commands.list_passkeys(self._database, command)
        passkeys, next_page_token = command.cut(
            found.passkeys, command.user_id, lambda passkey: passkey.passkey_id
        )
        return pb.ListPasskeysResponse(
            passkeys=map(_passkey, passkeys),
            next_page_token=next_page_token,
            user_handle=bytes_to_base64url(found.user_handle),
            rp_id=self._policy.rp_id,
        )

    async def RenamePasskey(
        self, request: pb.RenamePasskeyRequest, _context: Any
    ) -> pb.RenamePasskeyResponse:
        command = read(commands.RenamePasskey, request)
        details = await commands.rename(
            self._database, command, caller_id=current_call().caller.user_id
        )
        return pb.RenamePasskeyResponse(details=details_message(details))

    async def RemovePasskey(
        self, request: pb.RemovePasskeyRequest, _context: Any
    ) -> pb.RemovePasskeyResponse:
        command = read(commands.RemovePasskey, request)
        details = await commands.remove(
            self._database, command, caller_id=current_call().caller.user_id
        )
        self._forget(command.user_id)  # the sessions of the passkey have ended
        return pb.RemovePasskeyResponse(details=details_message(details))


def _passkey(passkey: store.Passkey) -> pb.Passkey:
    return pb.Passkey(
        passkey_id=passkey.passkey_id,
        details=details_message(passkey.details),
        name=passkey.name,
        rp_id=passkey.rp_id,
        aaguid=passkey.aaguid,
        algorithm=passkey.algorithm,
        transports=passkey.transports,
        authenticator_attachment=passkey.attachment,
        user_verified=passkey.user_verified,
        backup_eligible=passkey.backup_eligible,
        backed_up=passkey.backed_up,
        attestation_format=passkey.attestation_format,
        attestation_trusted=passkey.attestation_trusted,
        last_used_date=timestamp(passkey.last_used_at),
        began_by=passkey.began_by,
        provider_name=provider_name(passkey.aaguid),
        credential_id=bytes_to_base64url(passkey.credential_id),
    )
