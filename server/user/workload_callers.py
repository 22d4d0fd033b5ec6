"""Finds the user of a workload by the token that its platform signs."""

from dataclasses import replace
from typing import Any, Final

from server.access import uses
from server.access.caller import Caller
from server.relying_party.id_token import unverified_claims
from server.relying_party.provider import Providers
from server.relying_party.reasons import ProviderError
from server.relying_party.workload import verified_workload
from server.store.database import Statements
from server.user import token_store
from server.user.tokens import named_user
from server.values.errors import unauthenticated
from server.values.ids import is_user_id

_MAX_AUDIENCES: Final = 10


class WorkloadCallers:
    """Finds the users of workloads.

    The rule: the audience of a token names its user. So a token fits the credentials of one user,
    whatever credentials others have.
    """

    def __init__(self, database: Statements, providers: Providers) -> None:
        self._database = database
        self._providers = providers

    async def find(self, token: str) -> Caller:
        """The user of a token, until the token or the credential expires.

        `Failure` UNAUTHENTICATED; UNAVAILABLE `WORKLOAD_ISSUER_UNREACHABLE`.
        """
        try:
            claims = unverified_claims(token)
        except ProviderError as error:
            raise unauthenticated(str(error)) from None
        issuer, audiences = claims.get("iss"), _audiences(claims.get("aud"))
        if not audiences or not _is_text(issuer):
            raise unauthenticated("aud names no user")
        found = await token_store.FIND_WORKLOADS.all(
            self._database,
            user_ids=[*map(named_user, audiences)],
            audiences=audiences,
            issuer=issuer,
        )
        if not found:
            raise unauthenticated("no credential has this iss and aud")
        if len({each.caller.user_id for each in found}) > 1:
            raise unauthenticated("aud names several users")
        workload = await verified_workload(
            self._providers,
            [each.workload for each in found],
            token,
            now=found[0].caller.now(),
            refused=unauthenticated,
        )
        used = next(each for each in found if each.workload == workload.trusted)
        if used.is_due:
            await uses.record(self._database, used.token_id)
        caller, until = used.caller, workload.expires_at
        return replace(caller, expires_at=min(until, caller.expires_at or until))


def _audiences(audience: Any) -> list[str]:
    """The audiences that name users. None of too many."""
    listed = audience if isinstance(audience, list) else [audience]
    if len(listed) > _MAX_AUDIENCES:
        return []
    return [each for each in listed if _is_text(each) and is_user_id(named_user(each))]


def _is_text(value: Any) -> bool:
    # JSON can contain lone surrogates and NUL, which the database refuses.
    return isinstance(value, str) and value.isprintable()
