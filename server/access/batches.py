"""Calls on many users: the decision on each of them is that of the method on one user.

Each user has a transaction of its own, so that a call of hundreds holds no lock for longer than one
does. A call that only validates or has an idempotency key is one transaction, with a savepoint for
each user (decision 11). So users are locked in the order of their IDs, the rule of `admission`.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator

from server.access.authorizer import TargetUser, user_not_found
from server.access.caller import Actor, Caller
from server.validation.fields import Command, Id, described
from server.values.errors import Failure, Kind, permission_denied

MAX_USERS: Final = 500
# Of one user. Others would refuse each of them, such as that of a token that was revoked meanwhile.
_OF_ONE: Final = frozenset(
    {
        Kind.NOT_FOUND,
        Kind.PERMISSION_DENIED,
        Kind.FAILED_PRECONDITION,
        Kind.RESOURCE_EXHAUSTED,
    }
)


def _few(given: Sequence[str]) -> tuple[str, ...]:
    """The list, unless it is too long to be checked value by value."""
    if not 1 <= len(given) <= MAX_USERS:
        raise ValueError(f"must have 1 to {MAX_USERS} entries")
    return tuple(given)


def _each_once(user_ids: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(user_ids)) < len(user_ids):
        raise ValueError("must have each user once")
    return user_ids


# The users of a call.
UserIds = Annotated[
    tuple[Id, ...],
    BeforeValidator(_few),
    AfterValidator(_each_once),
    described(minItems=1, maxItems=MAX_USERS, uniqueItems=True),
]


class ManyUsers(Command):
    """Select users."""

    user_ids: UserIds


@dataclass(frozen=True, slots=True)
class UserResult:
    """The result of a user. `reason` and `message` are empty unless it was refused."""

    user_id: str
    reason: str = ""
    message: str = ""


async def for_each(
    command: ManyUsers, act: Callable[[str], Awaitable[object]], *, actor: Actor
) -> Sequence[UserResult]:
    """Acts on each user. `Failure` of other kinds than those of one user.

    The caller is the last, because a caller that has removed itself can do nothing more.
    """
    results = dict[str, UserResult]()
    for user_id in sorted(command.user_ids, key=lambda each: (each == actor.user_id, each)):
        try:
            await act(user_id)
        except Failure as failure:
            if failure.kind not in _OF_ONE:
                raise
            results[user_id] = UserResult(user_id, failure.reason, failure.message)
        else:
            results[user_id] = UserResult(user_id)
    return [results[each] for each in command.user_ids]


def authorize_on(
    actor: Actor, user_id: str, target: TargetUser | None, *, organization_id: str
) -> None:
    """Checks that the caller, who has the permission in the organization, may act on the user.

    `Failure` NOT_FOUND, PERMISSION_DENIED.
    """
    if target is None or target.organization_id != organization_id:
        raise user_not_found(user_id)
    if isinstance(actor, Caller) and not actor.covers(target.roles):
        raise permission_denied()
