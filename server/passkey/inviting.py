"""Invitations of many users at once.

The rule: a user is invited or refused as by CreatePasskeyRegistrationLink, whatever happens to the
others of the call. All are locked first, in the order of `admission.py`.
"""

import enum
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from pydantic import AfterValidator

from server.access import admission
from server.access.admission import LockedUser
from server.access.batches import UserIds
from server.access.caller import Actor
from server.crypto.keyring import Keyring
from server.mail.outbox import Outbox
from server.passkey import link_store, links, refusals
from server.passkey.link_store import LinkPurpose
from server.passkey.links import Issue, LinkChannel, RegistrationPolicy
from server.store.database import Statements
from server.validation.fields import Command, OptionalId, OptionalReturnTo, described
from server.values.errors import Failure, permission_denied

# Housekeeping deletes a link 90 days after its expiry.
_LONGEST_SECONDS: Final = 90 * 86_400


def _at_most_90_days(seconds: int) -> int:
    if not 0 <= seconds <= _LONGEST_SECONDS:
        raise ValueError(f"must be 0 to {_LONGEST_SECONDS}")
    return seconds


class InviteUsers(Command):
    """Mail registration links to users of an organization."""

    user_ids: UserIds
    return_to: OptionalReturnTo
    application_id: OptionalId
    also_with_passkey: bool
    not_again_within_seconds: Annotated[
        int,
        AfterValidator(_at_most_90_days),
        described(minimum=0, maximum=_LONGEST_SECONDS),
    ]


class InviteState(enum.Enum):
    """The result of a user."""

    INVITED = enum.auto()
    HAS_PASSKEY = enum.auto()
    INVITED_BEFORE = enum.auto()
    REFUSED = enum.auto()


@dataclass(frozen=True, slots=True)
class InviteResult:
    """The result of a user: with the failure if it was refused, and the time if it was skipped."""

    state: InviteState
    failure: Failure | None = None
    invited_at: datetime | None = None


async def invite(
    database: Statements,
    command: InviteUsers,
    *,
    actor: Actor,
    organization_id: str,
    policy: RegistrationPolicy,
    outbox: Outbox,
    keyring: Keyring,
) -> list[InviteResult]:
    """Invites the users whom nothing refuses; a result for each of the command.

    `Failure` INVALID_ARGUMENT, UNAUTHENTICATED, PERMISSION_DENIED; FAILED_PRECONDITION
    `SMTP_CONFIG_MISSING`.
    """
    if command.return_to:
        await policy.check_return(database, command.return_to)
    async with database.transaction() as transaction:
        invitation = await links.invitation_to(
            transaction, organization_id, command.application_id, actor, policy
        )
        users = await admission.lock_users(
            transaction, command.user_ids, actor=actor, organization_id=organization_id
        )
        await outbox.sender(transaction, organization_id)  # also if nobody is invited
        mailed = await link_store.last_mailed(transaction, list(users))
        results = {
            user_id: await _skipped(transaction, user, command, mailed.get(user_id), policy)
            for user_id, user in users.items()
        }
        invited = [user for user_id, user in users.items() if results[user_id] is None]
        new = Issue(
            LinkPurpose.REGISTRATION,
            LinkChannel.SEND_LINK,
            creator=actor.user_id,
            lifetime=policy.link_lifetime,
            return_to=command.return_to,
            invitation=invitation,
            application_id=command.application_id,
        )
        failures = await links.mail_all(
            transaction, invited, new, page=policy.link_page, outbox=outbox, keyring=keyring
        )
    for user, failure in zip(invited, failures, strict=True):
        results[user.user_id] = _refused(failure) if failure else _INVITED
    unknown = _refused(permission_denied())
    return [results.get(user_id) or unknown for user_id in command.user_ids]


async def _skipped(
    transaction: Statements,
    user: LockedUser,
    command: InviteUsers,
    mailed_at: datetime | None,
    policy: RegistrationPolicy,
) -> InviteResult | None:
    """The result of a user who is not invited. None: it is invited, if its budget allows."""
    if user.passkey_count and not command.also_with_passkey:
        return InviteResult(InviteState.HAS_PASSKEY)
    pause = timedelta(seconds=command.not_again_within_seconds)
    if mailed_at and user.now < mailed_at + pause:
        return InviteResult(InviteState.INVITED_BEFORE, invited_at=mailed_at)
    try:
        user.check_not_locked()
        policy.check_count(user)
        await links.check_address(transaction, user)
        if not user.email:
            raise refusals.user_has_no_email()
    except Failure as failure:
        return _refused(failure)
    return None


def _refused(failure: Failure) -> InviteResult:
    return InviteResult(InviteState.REFUSED, failure)


_INVITED: Final = InviteResult(InviteState.INVITED)
