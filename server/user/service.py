"""The RPC methods of users, roles and tokens: convert messages, and call commands."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, Final, TypeVar

from keystead.user.v1 import user_service_pb2 as pb
from server.access.authorizer import authorize_beyond, authorize_role, may_beyond
from server.access.batches import ManyUsers, UserResult, authorize_on, for_each
from server.access.caller import AnyCaller
from server.access.certificates import shown
from server.access.forgetting import forgetting
from server.mail.outbox import Outbox
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import (
    Nested,
    details_message,
    instant,
    json_object,
    message_of,
    nested,
    result_message,
    timestamp,
)
from server.rpc.preconditions.changes import Objects
from server.rpc.rate_limits import RateLimit
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.user import commands, counts, locks, roles, store, token_store, tokens
from server.user.attributes import store as attribute_store
from server.user.attributes.service import definition_message
from server.user.attributes.values import MAX_DEFINITIONS, MAX_VALUES
from server.user.email_change import commands as email_changes
from server.user.other_features import OtherFeatures
from server.validation.fields import Commands, read
from server.values.pictures import picture_uri

COMMANDS: Commands = {
    "CreateUser": commands.CreateUser,
    "GetUser": commands.OneUser,
    "ListUsers": commands.ListUsers,
    "PatchUser": commands.PatchUser,
    "CancelEmailChange": commands.OneUser,
    "RemoveUser": commands.OneUser,
    "LockUser": locks.LockUser,
    "LockUsers": locks.LockUsers,
    "UnlockUsers": ManyUsers,
    "RemoveUsers": ManyUsers,
    "UnlockUser": commands.OneUser,
    "GrantRole": roles.GrantRole,
    "RevokeRole": roles.ChangeRole,
    "CreateToken": tokens.CreateToken,
    "CreateCertificate": tokens.CreateCertificate,
    "CreateWorkloadCredential": tokens.CreateWorkloadCredential,
    "ListTokens": tokens.ListTokens,
    "RevokeToken": tokens.OneToken,
}

OBJECTS: Objects = {
    "/v1/users/{user_id}": store.LOCK_SEQUENCE,
    "/v1/users/{user_id}/tokens/{token_id}": token_store.LOCK_SEQUENCE,
}


# Ten pictures at once of a user itself, then one every six minutes: the log keeps each.
_OWN_PICTURES: Final = (1 / 360, 10)

_Change = TypeVar("_Change", bound=roles.ChangeRole)


class UserService:
    """See `keystead/user/v1/user_service.proto`.

    `forget` removes a user from the cache of callers.
    """

    def __init__(
        self,
        database: Database,
        *,
        others: OtherFeatures,
        outbox: Outbox,
        forget: Callable[[str], None],
        max_tokens_per_user: int,
        issuer: str,
    ) -> None:
        self._database = database
        self._others = others
        self._outbox = outbox
        self._own_pictures = RateLimit(*_OWN_PICTURES)
        self._forget = forget
        self._max_tokens_per_user = max_tokens_per_user
        self._issuer = issuer

    @checks_caller
    async def CreateUser(
        self, request: pb.CreateUserRequest, call: AnyCall
    ) -> pb.CreateUserResponse:
        command = read(
            commands.CreateUser,
            request,
            attributes=json_object(request.attributes, left=iter(range(MAX_VALUES))),
        )
        user_id, details = await commands.create(self._database, command, **call.by_caller)
        return pb.CreateUserResponse(details=details_message(details), user_id=user_id)

    async def GetCurrentUser(
        self, _request: pb.GetCurrentUserRequest, call: AnyCall
    ) -> pb.GetCurrentUserResponse:
        user = await store.GET.one(self._database, user_id=call.caller.user_id)
        definitions = await attribute_store.LIST.all(
            self._database,
            organization_id=user.details.owner,
            after="",
            limit=MAX_DEFINITIONS,
        )
        return pb.GetCurrentUserResponse(
            user=_user_of(user, call.caller, self._issuer),
            attribute_definitions=[
                definition_message(each) for each in definitions if each.user_access.reads
            ],
        )

    async def GetUser(self, request: pb.GetUserRequest, call: AnyCall) -> pb.GetUserResponse:
        command = read(commands.OneUser, request)
        user = await store.GET.one(self._database, user_id=command.user_id)
        answer = _user_of(user, call.caller, self._issuer)
        if user.picture_key:
            answer["picture"] = await store.picture(self._database, user.picture_key)
        return pb.GetUserResponse(user=answer)

    async def ListUsers(self, request: pb.ListUsersRequest, call: AnyCall) -> pb.ListUsersResponse:
        listed = await commands.list_page(
            self._database,
            read(commands.ListUsers, request),
            others=self._others,
            **call.by_caller,
        )
        return pb.ListUsersResponse(
            users=[_user(user, self._issuer) for user in listed.items], **listed.size_fields
        )

    async def CountUsers(
        self, _request: pb.CountUsersRequest, call: AnyCall
    ) -> pb.CountUsersResponse:
        found = await counts.OF_ORGANIZATION.one(
            self._database, organization_id=call.organization_id
        )
        return message_of(pb.CountUsersResponse, found)

    @checks_caller
    async def PatchUser(self, request: pb.PatchUserRequest, call: AnyCall) -> pb.PatchUserResponse:
        command = read_patch(
            commands.PatchUser,
            request,
            "user",
            "user_id",
            commands.PATCHABLE,
            attributes=json_object(request.user.attributes, left=iter(range(MAX_VALUES))),
        )
        if command.user.needs_role:
            # Registration links are mailed to this address. A stolen token must not change it.
            authorize_beyond(call.caller, "user.write", call.organization_id)
        is_administrator = may_beyond(call.caller, "user.write", call.organization_id)
        if command.user.picture is not None and not is_administrator:
            self._own_pictures.admit(command.user.user_id)
        details = await commands.patch(
            self._database,
            command.user,
            actor=call.caller,
            is_administrator=is_administrator,
            others=self._others,
            outbox=self._outbox,
        )
        return pb.PatchUserResponse(details=details_message(details))

    @checks_caller
    async def CancelEmailChange(
        self, request: pb.CancelEmailChangeRequest, call: AnyCall
    ) -> pb.CancelEmailChangeResponse:
        command = read(commands.OneUser, request)
        details = await email_changes.cancel(self._database, command, actor=call.caller)
        return pb.CancelEmailChangeResponse(details=details_message(details))

    @checks_caller
    async def RemoveUser(
        self, request: pb.RemoveUserRequest, call: AnyCall
    ) -> pb.RemoveUserResponse:
        command = read(commands.OneUser, request)
        with forgetting(self._forget, command.user_id):
            details = await commands.remove(
                self._database,
                command,
                actor=call.caller,
                others=self._others,
            )
        return pb.RemoveUserResponse(details=details_message(details))

    @checks_caller
    async def LockUser(self, request: pb.LockUserRequest, call: AnyCall) -> pb.LockUserResponse:
        command = read(locks.LockUser, request)
        with forgetting(self._forget, command.user_id):
            details = await locks.lock(
                self._database, command, actor=call.caller, others=self._others
            )
        return pb.LockUserResponse(details=details_message(details))

    @checks_caller
    async def UnlockUser(
        self, request: pb.UnlockUserRequest, call: AnyCall
    ) -> pb.UnlockUserResponse:
        command = read(commands.OneUser, request)
        details = await locks.unlock(self._database, command, actor=call.caller)
        return pb.UnlockUserResponse(details=details_message(details))

    async def LockUsers(self, request: pb.LockUsersRequest, call: AnyCall) -> pb.LockUsersResponse:
        command = read(locks.LockUsers, request)

        async def lock(user_id: str) -> None:
            one = locks.LockUser(user_id=user_id, reason=command.reason)
            await locks.lock(self._database, one, actor=call.caller, others=self._others)

        results = await self._for_each(command, lock, call)
        return pb.LockUsersResponse(results=map(result_message, results))

    async def UnlockUsers(
        self, request: pb.UnlockUsersRequest, call: AnyCall
    ) -> pb.UnlockUsersResponse:
        async def unlock(user_id: str) -> None:
            one = commands.OneUser(user_id=user_id)
            await locks.unlock(self._database, one, actor=call.caller)

        results = await self._for_each(read(ManyUsers, request), unlock, call)
        return pb.UnlockUsersResponse(results=map(result_message, results))

    async def RemoveUsers(
        self, request: pb.RemoveUsersRequest, call: AnyCall
    ) -> pb.RemoveUsersResponse:
        async def remove(user_id: str) -> None:
            one = commands.OneUser(user_id=user_id)
            await commands.remove(self._database, one, actor=call.caller, others=self._others)

        results = await self._for_each(read(ManyUsers, request), remove, call)
        return pb.RemoveUsersResponse(results=map(result_message, results))

    async def _for_each(
        self, command: ManyUsers, act: Callable[[str], Awaitable[None]], call: AnyCall
    ) -> Sequence[UserResult]:
        """Acts on those users of the organization on whom the caller may act."""

        async def checked(user_id: str) -> None:
            target = await store.target(self._database, user_id)
            authorize_on(call.caller, user_id, target, organization_id=call.organization_id)
            with forgetting(self._forget, user_id):
                await act(user_id)

        return await for_each(command, checked, actor=call.caller)

    @checks_caller
    async def GrantRole(self, request: pb.GrantRoleRequest, call: AnyCall) -> pb.GrantRoleResponse:
        command = _change_role(roles.GrantRole, request, call.caller)
        with forgetting(self._forget, command.user_id):
            details = await roles.grant_role(
                self._database, command, actor=call.caller, others=self._others
            )
        return pb.GrantRoleResponse(details=details_message(details))

    @checks_caller
    async def RevokeRole(
        self, request: pb.RevokeRoleRequest, call: AnyCall
    ) -> pb.RevokeRoleResponse:
        command = _change_role(roles.ChangeRole, request, call.caller)
        with forgetting(self._forget, command.user_id):
            details = await roles.revoke_role(
                self._database,
                command,
                actor=call.caller,
                others=self._others,
            )
        return pb.RevokeRoleResponse(details=details_message(details))

    @checks_caller
    async def CreateToken(
        self, request: pb.CreateTokenRequest, call: AnyCall
    ) -> pb.CreateTokenResponse:
        command = read(tokens.CreateToken, request, expires_at=_expiry(request))
        created = await tokens.create_token(
            self._database,
            command,
            actor=call.caller,
            limit=self._max_tokens_per_user,
            outbox=self._outbox,
        )
        return pb.CreateTokenResponse(
            details=details_message(created.details), token_id=created.token_id, token=created.token
        )

    @checks_caller
    async def CreateCertificate(
        self, request: pb.CreateCertificateRequest, call: AnyCall
    ) -> pb.CreateCertificateResponse:
        command = read(tokens.CreateCertificate, request)
        token_id, details = await tokens.create_certificate(
            self._database,
            command,
            actor=call.caller,
            presented=call.thumbprint,
            limit=self._max_tokens_per_user,
            outbox=self._outbox,
        )
        return pb.CreateCertificateResponse(
            details=details_message(details),
            token_id=token_id,
            thumbprint=shown(command.certificate.thumbprint),
        )

    @checks_caller
    async def CreateWorkloadCredential(
        self, request: pb.CreateWorkloadCredentialRequest, call: AnyCall
    ) -> pb.CreateWorkloadCredentialResponse:
        command = read(tokens.CreateWorkloadCredential, request, expires_at=_expiry(request))
        token_id, details = await tokens.create_workload_credential(
            self._database,
            command,
            actor=call.caller,
            limit=self._max_tokens_per_user,
            outbox=self._outbox,
            own_issuer=self._issuer,
        )
        return pb.CreateWorkloadCredentialResponse(
            details=details_message(details), token_id=token_id
        )

    async def ListTokens(
        self, request: pb.ListTokensRequest, _context: Any
    ) -> pb.ListTokensResponse:
        page = read(tokens.ListTokens, request)
        found, next_page_token = await page.read(
            token_store.LIST.all,
            self._database,
            lambda token: token.token_id,
            user_id=page.user_id,
        )
        return pb.ListTokensResponse(tokens=map(_token, found), next_page_token=next_page_token)

    @checks_caller
    async def RevokeToken(
        self, request: pb.RevokeTokenRequest, call: AnyCall
    ) -> pb.RevokeTokenResponse:
        command = read(tokens.OneToken, request)
        with forgetting(self._forget, command.user_id):
            details = await tokens.revoke_token(
                self._database,
                command,
                actor=call.caller,
                others=self._others,
            )
        return pb.RevokeTokenResponse(details=details_message(details))


def _change_role(
    kind: type[_Change], request: pb.GrantRoleRequest | pb.RevokeRoleRequest, caller: AnyCaller
) -> _Change:
    """The change of the request, if the caller may make it."""
    command = read(kind, request)
    authorize_role(caller, command.role)
    return command


def _user_of(user: store.User, caller: AnyCaller, issuer: str) -> Nested:
    """The user as the caller sees it."""
    if may_beyond(caller, "user.read", user.details.owner):
        return _user(user, issuer)
    seen = {name: each for name, each in user.attributes.items() if each.user_access.reads}
    return _user(replace(user, attributes=seen), issuer)


def _user(user: store.User, issuer: str) -> Nested:
    verification = user.email_verification or "UNSPECIFIED"
    return nested(
        pb.User,
        user,
        attributes={name: each.value for name, each in user.attributes.items()} or None,
        email_verification=pb.EmailVerification.Value(f"EMAIL_VERIFICATION_{verification}"),
        email_verified_at=timestamp(user.email_verified_at),
        email_change=user.email_change
        and nested(
            pb.EmailChange, user.email_change, expires_at=timestamp(user.email_change.expires_at)
        ),
        details=details_message(user.details),
        roles=[pb.Role.Value(f"ROLE_{role}") for role in user.roles],
        locked_at=timestamp(user.locked_at),
        picture=b"",
        picture_uri=picture_uri(issuer, user.picture_key),
        state=pb.UserState.Value(f"USER_STATE_{user.state}"),
        invited_at=timestamp(user.invited_at),
        last_sign_in_at=timestamp(user.last_sign_in_at),
        entered_application_at=timestamp(user.entered_application_at),
    )


def _expiry(
    request: pb.CreateTokenRequest | pb.CreateWorkloadCredentialRequest,
) -> object:
    return instant(request.expires_at) if request.HasField("expires_at") else None


def _kind(token: token_store.StoredToken) -> pb.TokenKind.ValueType:
    if token.workload is not None:
        return pb.TOKEN_KIND_WORKLOAD
    return pb.TOKEN_KIND_CERTIFICATE if token.thumbprint else pb.TOKEN_KIND_BEARER


def _token(token: token_store.StoredToken) -> Nested:
    return nested(
        pb.Token,
        token,
        details=details_message(token.details),
        expires_at=timestamp(token.expires_at),
        created_by=token.creator,
        last_used_at=timestamp(token.last_used_at),
        kind=_kind(token),
        workload=asdict(token.workload) if token.workload else None,
    )
