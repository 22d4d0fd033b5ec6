"""Refused sign-ins of known users: noted in memory, and kept in the table `sign_in_refusals`.

The rule: unauthenticated clients cause them, so they are not in the log, and no call answers
otherwise or later because of them. A refusal writes nothing by itself: those of two seconds are
written together, and a server that is killed loses them.
"""

import contextlib
import ipaddress
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from server.access.user_aggregate import account
from server.rpc.call import AnyCall
from server.rpc.client import Client
from server.session.commands import ListSignInRefusals, SignInMethod
from server.store import counted
from server.store.counted import MAX_ROWS, CauseBuffer
from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import from_row
from server.store.statement import statement
from server.values.errors import Failure

# The reasons of failures that refuse the sign-in of a user. Other failures concern the server.
REASONS: Final = frozenset(
    {
        "CHALLENGE_USED",
        "CREDENTIAL_MALFORMED",
        "FLOW_EXPIRED",
        "FLOW_USED",
        "IDP_DISABLED",
        "ORIGIN_NOT_ALLOWED",
        "ROLES_EXCEED_PROVIDER",
        "SIGN_IN_FAILED",
        "USER_LOCKED",
        "USER_NOT_VERIFIED",
    }
)


@dataclass(slots=True)
class RefusedSignIn:
    """Refused sign-ins of a user with the same reason, way and network."""

    user_id: str
    owner: str
    method: str
    reason: str
    network: str
    count: int
    refused_at: datetime
    request_ids: list[str]

    @property
    def subject(self) -> str:
        """The user."""
        return self.user_id

    @property
    def cause(self) -> tuple[str, ...]:
        """The way, and the reason of its refusals."""
        return self.method, self.reason

    @property
    def details(self) -> tuple[str, ...]:
        """The network of the client."""
        return (self.network,)


@dataclass(frozen=True, slots=True)
class ListedRefusal:
    """A kept row, with the name of its user."""

    user_id: str
    user_name: str
    method: str
    reason: str
    network: str
    count: int
    refused_at: datetime
    request_ids: tuple[str, ...]


_ADD = counted.added("sign_in_refusals", "user_id", "method", "reason", "network")
_TRIM = counted.trimmed(
    "sign_in_refusals", subject="user_id", cause=("method", "reason"), details=("network",)
)

# The organizations of users.
_OWNERS = statement(f"""
select account.id as user_id, account.owner
from unnest(:user_ids::text[]) as wanted (id)
    cross join lateral ({account('wanted.id collate "C"')}) as account""")

# A page of the refusals of an organization, newest first, with all of its last time and user.
_LIST = statement(f"""
select refusal.user_id, account.user_name, method, reason, network, count, refused_at, request_ids
from sign_in_refusals as refusal
    cross join lateral ({account("refusal.user_id")}) as account
where refusal.owner = :organization_id
    and (refused_at, refusal.user_id) < (:before_time, :before_user_id)
    and refused_at > now() - interval '30 days'
order by refused_at desc, refusal.user_id desc
fetch first :limit rows with ties""")

# All refusals of a user of an organization, newest first.
_LIST_OF_USER = statement(f"""
select user_id, account.user_name, method, reason, network, count, refused_at, request_ids
from sign_in_refusals as refusal
    cross join lateral ({account("refusal.user_id")}) as account
where refusal.user_id = :user_id and refusal.owner = :organization_id
    and refused_at > now() - interval '30 days'
order by refused_at desc limit {MAX_ROWS}""")

ENDED: Final = retention("sign_in_refusals", until="refused_at", after="now() - interval '30 days'")

_FORGET = statement("delete from sign_in_refusals where user_id = :user_id")

# Those of an organization that is removed.
_FORGET_ALL = statement("delete from sign_in_refusals where owner = :organization_id")

# Adds the numbers of refused sign-ins of organizations by day.
CountDays: TypeAlias = Callable[[Statements, Mapping[tuple[str, date], int]], Awaitable[None]]


# Notes the failure of a block if it refuses the sign-in of the user with this ID.
Noted: TypeAlias = Callable[[str], AbstractContextManager[None]]


class SignInAttempt(NamedTuple):
    """An attempt to sign in, as of a call."""

    method: SignInMethod
    client: Client
    request_id: str


class RefusedSignIns:
    """Notes refused sign-ins, and keeps them."""

    def __init__(self, database: Statements, *, count_days: CountDays) -> None:
        self._database = database
        self._count_days = count_days
        self._buffer = CauseBuffer[RefusedSignIn]()

    def noted(self, method: SignInMethod, call: AnyCall) -> Noted:
        """Notes refusals of this call."""
        return partial(self._noted, SignInAttempt(method, call.client, call.request_id))

    @contextlib.contextmanager
    def _noted(self, attempt: SignInAttempt, user_id: str) -> Iterator[None]:
        """Notes the failure of the block if it refuses the sign-in of the user."""
        try:
            yield
        except Failure as failure:
            if failure.reason in REASONS:
                self._note(user_id, attempt, failure.reason)
            raise

    def _note(self, user_id: str, attempt: SignInAttempt, reason: str) -> None:
        network = network_of(attempt.client.ip_address)
        now = datetime.now(UTC)
        owner = ""  # known when it is written
        self._buffer.add(
            RefusedSignIn(
                user_id, owner, attempt.method, reason, network, 1, now, [attempt.request_id]
            )
        )

    async def write(self) -> None:
        """Writes the refusals of the time since the last call. They are lost if it fails."""
        noted = self._buffer.take()
        if not noted:
            return
        rows = await self._database.fetch(
            _OWNERS, user_ids=sorted({each.user_id for each in noted})
        )
        owners = {row["user_id"]: row["owner"] for row in rows}
        known = [each for each in noted if each.user_id in owners]
        if not known:
            return
        days: Counter[tuple[str, date]] = Counter()
        for each in known:
            each.owner = owners[each.user_id]
            days[each.owner, each.refused_at.date()] += each.count
        await self._count_days(self._database, days)
        await counted.add(self._database, _ADD, _TRIM, known)


def network_of(ip_address: str) -> str:
    """The network of an address: 24 bits of IPv4, 48 bits of IPv6; empty if it is unknown.

    It tells a place apart, and not a person (decision 19).
    """
    if not ip_address:
        return ""
    address = ipaddress.ip_address(ip_address)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    bits = 24 if address.version == 4 else 48
    return str(ipaddress.ip_network((address, bits), strict=False))


_PLACE: Final = re.compile(r"([0-9]{1,18}):([A-Za-z0-9][A-Za-z0-9._:-]{0,127})")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_EVER: Final = datetime.max.replace(tzinfo=UTC)


async def list_refusals(
    database: Statements, command: ListSignInRefusals, *, organization_id: str
) -> tuple[list[ListedRefusal], str]:
    """A page of the refusals, and the token of the next page, which is empty on the last."""
    parent = f"{organization_id}:{command.user_id}"
    after = command.position(parent, _PLACE)
    if command.user_id:
        rows = await database.fetch(
            _LIST_OF_USER, organization_id=organization_id, user_id=command.user_id
        )
        return [from_row(ListedRefusal, row) for row in rows], ""
    rows = await database.fetch(
        _LIST,
        organization_id=organization_id,
        before_time=_EPOCH + int(after[1]) * _MICROSECOND if after else _EVER,
        before_user_id=after[2] if after else "",
        limit=command.size(),
    )
    found = [from_row(ListedRefusal, row) for row in rows]
    if len(found) < command.size():
        return found, ""
    place = f"{(found[-1].refused_at - _EPOCH) // _MICROSECOND}:{found[-1].user_id}"
    return found, command.token(parent, place)


async def forget_all(transaction: Statements, organization_id: str) -> None:
    """Deletes the refusals of an organization that is removed."""
    await transaction.fetch(_FORGET_ALL, organization_id=organization_id)


async def forget(transaction: Statements, user_id: str) -> None:
    """Deletes the refusals of a removed user."""
    await transaction.fetch(_FORGET, user_id=user_id)
