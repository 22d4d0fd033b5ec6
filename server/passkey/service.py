"""The RPC methods of passkeys: convert messages, and call commands."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from webauthn.helpers import bytes_to_base64url

from keystead.common.v1 import details_pb2 as common_pb
from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.passkey.v1 import passkey_service_pb2_grpc as pb_grpc
from server.access.authorizer import authorize_beyond
from server.access.began_with import EndBegunWith
from server.access.forgetting import forgetting
from server.crypto.keyring import Keyring
from server.mail.outbox import Outbox
from server.passkey import ceremonies, commands, former, inviting, links, recovery, store
from server.passkey.former import RPIDs
from server.passkey.former_store import NOT_COUNTED
from server.passkey.inviting import InviteResult
from server.passkey.links import LinkChannel, RegistrationPolicy
from server.passkey.provider import provider_name
from server.passkey.webauthn.registration import CeremonyPolicy
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import (
    Nested,
    details_message,
    details_without_creation_date,
    duration,
    json_text,
    message_of,
    nested,
    timestamp,
)
from server.rpc.preconditions.changes import Objects
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "RegisterPasskey": ceremonies.RegisterPasskey,
    "CheckPasskeyRegistration": ceremonies.CheckPasskeyRegistration,
    "VerifyPasskeyRegistration": ceremonies.VerifyPasskeyRegistration,
    "CreatePasskeyRegistrationLink": links.CreatePasskeyRegistrationLink,
    "InviteUsers": inviting.InviteUsers,
    "RequestPasskeyRecovery": recovery.RequestPasskeyRecovery,
    "ListPasskeys": commands.ListPasskeys,
    "ListUnmovedUsers": former.ListUnmovedUsers,
    "RenamePasskey": commands.RenamePasskey,
    "RemovePasskey": commands.RemovePasskey,
}

OBJECTS: Objects = {"/v1/users/{user_id}/passkeys/{passkey_id}": store.LOCK_SEQUENCE}


class PasskeyService(pb_grpc.PasskeyServiceServicer):
    """See `keystead/passkey/v1/passkey_service.proto`.

    `forget` removes a user whose sessions ended from the cache of callers.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        outbox: Outbox,
        forget: Callable[[str], None],
        policy: RegistrationPolicy,
        ceremony_policy: CeremonyPolicy,
        rp_ids: RPIDs,
        find_rp_name: Callable[[], Awaitable[str]],
        end_begun_with: EndBegunWith,
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._forget = forget
        self._policy = policy
        self._ceremony_policy = ceremony_policy
        self._rp_ids = rp_ids
        self._find_rp_name = find_rp_name
        self._outbox = outbox
        self._end_begun_with = end_begun_with

    @checks_caller
    async def RegisterPasskey(
        self, request: pb.RegisterPasskeyRequest, call: AnyCall
    ) -> pb.RegisterPasskeyResponse:
        begun = await ceremonies.register(
            self._database,
            read(ceremonies.RegisterPasskey, request),
            actor=call.caller,
            policy=self._policy,
            ceremony_policy=replace(self._ceremony_policy, rp_name=await self._find_rp_name()),
        )
        response = pb.RegisterPasskeyResponse(
            details=details_message(begun.details),
            passkey_id=begun.passkey_id,
            registration_token=begun.registration_token,
        )
        response.public_key_credential_creation_options.update(begun.options)
        return response

    async def CheckPasskeyRegistration(
        self, request: pb.CheckPasskeyRegistrationRequest, call: AnyCall
    ) -> pb.CheckPasskeyRegistrationResponse:
        registration = await ceremonies.check(
            self._database,
            read(ceremonies.CheckPasskeyRegistration, request),
            actor=call.caller,
            policy=self._policy,
        )
        return message_of(
            pb.CheckPasskeyRegistrationResponse,
            registration,
            rp_name=await self._find_rp_name(),
            expires_at=timestamp(registration.link_expires_at),
            invitation=nested(pb.Invitation, registration.invitation)
            if registration.invitation
            else None,
        )

    @checks_caller
    async def VerifyPasskeyRegistration(
        self, request: pb.VerifyPasskeyRegistrationRequest, call: AnyCall
    ) -> pb.VerifyPasskeyRegistrationResponse:
        credential = json_text(request.public_key_credential, field="publicKeyCredential")
        command = read(
            ceremonies.VerifyPasskeyRegistration, request, public_key_credential=credential
        )
        with forgetting(self._forget, command.user_id):  # a recovery ends the sessions
            details = await ceremonies.verify(
                self._database,
                command,
                actor=call.caller,
                policy=self._policy,
                outbox=self._outbox,
            )
        return pb.VerifyPasskeyRegistrationResponse(details=details_without_creation_date(details))

    @checks_caller
    async def CreatePasskeyRegistrationLink(
        self, request: pb.CreatePasskeyRegistrationLinkRequest, call: AnyCall
    ) -> pb.CreatePasskeyRegistrationLinkResponse:
        chosen = request.WhichOneof("delivery")
        channel = LinkChannel(chosen) if chosen else None
        if channel is LinkChannel.RETURN_CODE:
            # The caller can register a passkey of its own with the code.
            authorize_beyond(call.caller, "passkey.write", call.organization_id)
        link = await links.create(
            self._database,
            read(links.CreatePasskeyRegistrationLink, request),
            channel,
            actor=call.caller,
            policy=self._policy,
            keyring=self._keyring,
            outbox=self._outbox,
        )
        return pb.CreatePasskeyRegistrationLinkResponse(
            details=details_message(link.details),
            code=link.code,
            link=link.url,
            expires_at=timestamp(link.expires_at),
            mail_id=link.mail_id,
        )

    @checks_caller
    async def InviteUsers(
        self, request: pb.InviteUsersRequest, call: AnyCall
    ) -> pb.InviteUsersResponse:
        command = read(inviting.InviteUsers, request)
        results = await inviting.invite(
            self._database,
            command,
            **call.by_caller,
            policy=self._policy,
            keyring=self._keyring,
            outbox=self._outbox,
        )
        return pb.InviteUsersResponse(results=map(_invite_result, command.user_ids, results))

    async def RequestPasskeyRecovery(
        self, request: pb.RequestPasskeyRecoveryRequest, call: AnyCall
    ) -> pb.RequestPasskeyRecoveryResponse:
        command = read(recovery.RequestPasskeyRecovery, request)
        await recovery.request(
            self._database, command, policy=self._policy, network=call.client.network
        )
        return pb.RequestPasskeyRecoveryResponse()

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
            rp_id=self._ceremony_policy.rp_id,
        )

    async def ListUnmovedUsers(
        self, request: pb.ListUnmovedUsersRequest, _context: Any
    ) -> pb.ListUnmovedUsersResponse:
        command = read(former.ListUnmovedUsers, request)
        removal = self._rp_ids.removal(command.rp_id)
        found = await removal.list_unmoved(
            self._database, after=command.after(command.rp_id), limit=command.limit()
        )
        users, next_page_token = command.cut(found, command.rp_id, lambda user: user.user_id)
        # The count reads all of them, so a list of many pages counts once.
        counts = NOT_COUNTED if command.page_token else await removal.count(self._database)
        return message_of(
            pb.ListUnmovedUsersResponse,
            counts,
            users=[nested(pb.UnmovedUser, user) for user in users],
            next_page_token=next_page_token,
            rp_id=self._rp_ids.present,
        )

    @checks_caller
    async def RenamePasskey(
        self, request: pb.RenamePasskeyRequest, call: AnyCall
    ) -> pb.RenamePasskeyResponse:
        command = read(commands.RenamePasskey, request)
        details = await commands.rename(self._database, command, actor=call.caller)
        return pb.RenamePasskeyResponse(details=details_message(details))

    @checks_caller
    async def RemovePasskey(
        self, request: pb.RemovePasskeyRequest, call: AnyCall
    ) -> pb.RemovePasskeyResponse:
        command = read(commands.RemovePasskey, request)
        with forgetting(self._forget, command.user_id):  # the sessions of the passkey end
            details, ended = await commands.remove(
                self._database, command, actor=call.caller, end_begun_with=self._end_begun_with
            )
        return pb.RemovePasskeyResponse(
            details=details_message(details), ended=nested(common_pb.EndedAccess, ended)
        )


def _passkey(passkey: store.Passkey) -> Nested:
    return nested(
        pb.Passkey,
        passkey,
        authenticator_attachment=passkey.attachment,
        attestation_trusted=False,  # no root is trusted (decision 18)
        provider_name=provider_name(passkey.aaguid),
        credential_id=bytes_to_base64url(passkey.credential_id),
    )


def _invite_result(user_id: str, result: InviteResult) -> Nested:
    failure = result.failure
    return {
        "user_id": user_id,
        "state": pb.InviteState.Value(f"INVITE_STATE_{result.state.name}"),
        "invited_at": timestamp(result.invited_at),
        "reason": failure.reason if failure else "",
        "description": failure.message if failure else "",
        "retry_after": duration(failure.retry_after.total_seconds())
        if failure and failure.retry_after is not None
        else None,
    }
