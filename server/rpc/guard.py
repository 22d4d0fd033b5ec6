"""Authentication and authorization: the steps of every call before its method runs.

A transport passes a function that reads the request (`Read`): the caller is authenticated first, so
that without a token a client can make the server neither wait for a request nor parse it. Methods
that need no token, or take the code of a link, read the request first, with a small size limit.
"""

from collections import defaultdict
from typing import Any

from server.access.authenticator import Authenticator
from server.access.authorizer import ORGANIZATION_HEADER, Access, Authorizer, Scope
from server.access.caller import Caller
from server.rpc.call import Call
from server.rpc.open_calls import OpenCalls
from server.rpc.preconditions.demands import HEADERS
from server.rpc.rate_limits import RateLimits
from server.rpc.requests import OF_ANONYMOUS, OF_BATCHES, OF_CALLERS, OF_OPEN_METHODS, Read
from server.store.turns import Claim
from server.values.errors import Failure, Kind

# Failures that do not depend on the caller.
_OF_SERVER = frozenset({Kind.UNAVAILABLE, Kind.ABORTED, Kind.DEADLINE_EXCEEDED})


class Guard:
    """Finds the caller of a call, reads its request, and checks its permission."""

    def __init__(
        self, authenticator: Authenticator, authorizer: Authorizer, rate_limits: RateLimits
    ) -> None:
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._rate_limits = rate_limits
        self._open_calls: defaultdict[str, OpenCalls] = defaultdict(OpenCalls)

    async def read(self, call: Call, read: Read) -> Any:
        """Finds the caller and reads the request."""
        access = call.method.access
        if access is None:
            return await read(OF_ANONYMOUS)
        if access.is_open or (access.by_link_code and "authorization" not in call.headers):
            return await self._read_without_token(call, access, read)
        token = call.token
        try:
            call.caller = await self._authenticator.authenticate(token)
        except Failure as failure:
            # Nor has a JWT proven anything while the keys of its issuer cannot be read.
            if failure.kind is Kind.UNAUTHENTICATED or (token and token.jwt):
                self.admit_anonymous(call)
            raise
        if self._rate_limits.caller is not None:
            self._rate_limits.caller.admit(call.caller.user_id)
        request = await read(OF_BATCHES if call.method.is_batch else OF_CALLERS)
        if isinstance(call.caller, Caller):
            # A repeated call gets its first answer without the statement that checks the caller.
            call.may_be_outdated = call.method.checks_caller and HEADERS.isdisjoint(call.headers)
            if not call.may_be_outdated:
                # The token or a role may have been revoked while the request was arriving.
                call.caller = await self._authenticator.authenticate(token, fresh=access.writes)
        call.claim = Claim(call.caller.user_id, access.revokes)
        return request

    def admit_anonymous(self, call: Call) -> None:
        """Counts a call without a valid token for its network. `Failure` `RATE_LIMITED`."""
        if self._rate_limits.open is not None:
            self._rate_limits.open.admit(call.client.network)

    async def admit_open(self, call: Call) -> None:
        """Counts a call, or a request of a stream, without a token, and waits for its turn."""
        self.admit_anonymous(call)
        await self._open_calls[call.method.path].admit(call.client.network)

    async def _read_without_token(self, call: Call, access: Access, read: Read) -> Any:
        """Reads a request without a token, which may have the code of a link instead.

        The code identifies the caller rather than a certificate, which a service also sends with
        the calls that it makes for the holder of a link.
        """
        await self.admit_open(call)
        if access.is_open:
            return await read(OF_OPEN_METHODS)
        request = await read(OF_ANONYMOUS)
        if request.code or call.thumbprint is None:
            call.caller = await self._authenticator.authenticate_link(
                request.code, user_id=request.user_id
            )
        else:
            call.caller = await self._authenticator.authenticate(call.token, fresh=access.writes)
            if self._rate_limits.caller is not None:
                self._rate_limits.caller.admit(call.caller.user_id)
        call.claim = Claim(call.caller.user_id, access.revokes)
        return request

    async def renew(self, call: Call, failure: Failure) -> None:
        """Looks up the caller anew, once, if the failure may be due to an outdated one.

        Raises the failure if it is not, or UNAUTHENTICATED.
        """
        if not call.may_be_outdated or failure.kind in _OF_SERVER:
            raise failure
        call.may_be_outdated = False
        caller = await self._authenticator.authenticate(call.token, fresh=True)
        if caller == call.caller:
            raise failure
        call.caller = caller

    async def confirm(self, request: Any, call: Call) -> None:
        """Looks up the caller of a read that took long, before its answer is sent.

        It waited for a connection, and its caller may have lost its rights meanwhile. Writes check
        their caller themselves.
        """
        access = call.method.access
        is_read = access is not None and access.permission and not access.writes
        if is_read and isinstance(call.caller, Caller):
            call.caller = await self._authenticator.authenticate(call.token, fresh=True)
            await self.authorize(request, call)

    async def authorize(self, request: Any, call: Call) -> None:
        """Checks the permission of the caller."""
        access = call.method.access
        if access is None or access.is_open:
            return
        call.organization_id = await self._authorizer.authorize(
            access,
            call.caller,
            organizations=call.headers.get(ORGANIZATION_HEADER, ()),
            request=request,
        )
        if access.writes and access.scope is Scope.USER:
            call.claim = call.claim._replace(target=access.user_id(request))
