"""`keystead invite`."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, cast

import click

from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli.declared.call import OperatorCall
from server.cli.declared.services import handler_of
from server.cli.installation import Installation, in_installation
from server.cli.moving.importing import undone
from server.cli.moving.retrying import retried
from server.cli.names import FINDERS, organization_id_of
from server.cli.paging import pages
from server.cli.parameters import Duration, organization_option
from server.cli.progress import ProgressLine, shown_progress
from server.crypto.keyring import Keyring
from server.store.database import Database
from server.values.counted import counted
from server.values.progress import Progress

_PAGE_SIZE: Final = 200
_HOUR_SECONDS: Final = 3600.0
_SPENT: Final = "TOO_MANY_MAILS"


@click.command()
@organization_option
@click.option(
    "--without-passkey",
    is_flag=True,
    required=True,
    help="Invite the users who have no passkey.",
)
@click.option("--group", help="Only members of this group, by ID or by name.")
@click.option("--app", help="Application that they are invited to use, by ID or by name.")
@click.option("--return-to", default="", help="Page to which the links lead.")
@click.option(
    "--again-after",
    type=Duration(),
    default="7d",
    show_default=True,
    help="Skip users who were mailed a link in this time.",
)
@click.option("--limit-per-hour", type=click.IntRange(1), help="Maximum number of mails an hour.")
@click.option("--stop-after", type=Duration(), help="Stop after this time.")
@click.option("--dry-run", is_flag=True, help="Only try: write no mail to the database.")
@in_installation
async def invite(
    at: Installation,
    *,
    organization: str,
    without_passkey: bool,
    group: str | None,
    app: str | None,
    return_to: str,
    again_after: timedelta,
    limit_per_hour: int | None,
    stop_after: timedelta | None,
    dry_run: bool,
) -> bool:
    """Invite the users of an organization who have no passkey, by mail.

    Servers send the mails. The command can be stopped at any time: run again, it goes on with the
    users who were not mailed a link within --again-after. Later it sends reminders. Users whose
    mail address has got too many mails are tried again when it may get the next one.
    """
    organization_id = await organization_id_of(at.database, organization)
    run = _Run(
        at,
        OperatorCall(organization_id),
        await at.keyring_of_servers(),
        pb.InviteUsersRequest(
            application_id=await _found(at, "application_id", app, organization_id),
            return_to=return_to,
            not_again_within_seconds=int(again_after.total_seconds()),
        ),
        is_trial=dry_run,
        limit_per_hour=limit_per_hour,
        ends_at=time.monotonic() + stop_after.total_seconds()
        if stop_after is not None
        else float("inf"),
    )
    group_id = await _found(at, "group_id", group, organization_id)
    try:
        with shown_progress() as line:
            is_complete = await run.invite_all(await run.user_ids(group_id), line)
    except asyncio.CancelledError:
        run.report()
        click.echo("Stopped. The same command goes on with the others.")
        return False
    run.report()
    if not is_complete:
        click.echo("Stopped by --stop-after. The same command goes on with the others.")
    people = await run.call("UserService", "CountUsers", user_pb.CountUsersRequest())
    click.echo(f"{people.people_with_passkey:,} of {people.people:,} people have a passkey.")
    return True


async def _found(at: Installation, field_name: str, name: str | None, organization: str) -> str:
    """The ID of an object that an option names; empty without one."""
    return (await FINDERS[field_name](at.database, name, organization))[0] if name else ""


@dataclass(slots=True)
class _Run:
    """The invitations of a run, and its results by state and by refusal."""

    at: Installation
    operator: Any
    keyring: Keyring
    request: pb.InviteUsersRequest
    is_trial: bool
    limit_per_hour: int | None
    ends_at: float
    states: Counter[int] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    # When users may be tried again whose addresses have got too many mails.
    waiting: dict[str, float] = field(default_factory=dict)
    # When the limit allows the next batch.
    next_at: float = 0.0

    async def call(self, service: str, method: str, request: Any) -> Any:
        """Calls a method as the operator."""
        handler = handler_of(self.at, service, method, self.keyring)
        return await retried(lambda: handler(request, self.operator))

    async def user_ids(self, group_id: str) -> list[str]:
        """The users without a passkey of the organization, or of a group."""
        of_group = f' AND groups:"{group_id}"' if group_id else ""
        request = user_pb.ListUsersRequest(filter=f"passkey_count = 0{of_group}")
        listed = pages(partial(self.call, "UserService", "ListUsers", request), request)
        return [each.user_id async for page in listed for each in page.users]

    async def invite_all(self, user_ids: Sequence[str], line: ProgressLine) -> bool:
        """Invites the users. False: the time was over before the last of them."""
        size = (
            min(_PAGE_SIZE, max(1, self.limit_per_hour // 60))
            if self.limit_per_hour
            else _PAGE_SIZE
        )
        for done in range(0, len(user_ids), size):
            line.tell(Progress("Inviting", done, len(user_ids), "users"))
            if not await self._invite(user_ids[done : done + size]):
                return False
        while self.waiting:
            line.tell(Progress("Waiting until addresses may get another mail"))
            [user_id, at] = min(self.waiting.items(), key=lambda each: each[1])
            if not await self._pause(at - time.monotonic()):
                return False
            del self.waiting[user_id]
            if not await self._invite([user_id]):
                return False
        return True

    async def _invite(self, user_ids: Sequence[str]) -> bool:
        """Invites a batch as soon as the limit allows it. False: the time is over before."""
        if not await self._pause(self.next_at - time.monotonic()):
            return False
        self.request.user_ids[:] = user_ids
        if self.is_trial:
            async with undone(self.at.database) as transaction:
                at = replace(self.at, database=cast("Database", transaction))
                answer = await replace(self, at=at).call(
                    "PasskeyService", "InviteUsers", self.request
                )
        else:
            answer = await self.call("PasskeyService", "InviteUsers", self.request)
        invited = 0
        for each in answer.results:
            invited += each.state == pb.INVITE_STATE_INVITED
            if each.reason == _SPENT and not self.is_trial:
                seconds = each.retry_after.ToTimedelta().total_seconds() + 1
                self.waiting[each.user_id] = time.monotonic() + seconds
                continue
            self.states[each.state] += 1
            if each.reason:
                self.refusals[each.description] += 1
        if self.limit_per_hour and not self.is_trial:
            self.next_at = time.monotonic() + invited * _HOUR_SECONDS / self.limit_per_hour
        return True

    async def _pause(self, seconds: float) -> bool:
        """Waits. False: the time is over."""
        await asyncio.sleep(max(0.0, min(seconds, self.ends_at - time.monotonic())))
        return time.monotonic() < self.ends_at

    def report(self) -> None:
        """Prints the results."""
        words = ("user would be", "users would be") if self.is_trial else ("user was", "users were")
        click.echo(
            f"{counted(self.states[pb.INVITE_STATE_INVITED], *words)} invited,"
            f" {self.states[pb.INVITE_STATE_INVITED_BEFORE]} invited before,"
            f" {self.states[pb.INVITE_STATE_HAS_PASSKEY]} with a passkey,"
            f" {self.states[pb.INVITE_STATE_REFUSED]} refused."
        )
        for description, number in self.refusals.most_common():
            click.echo(f"{number} refused: {description}")
        if self.waiting:
            click.echo(f"{len(self.waiting)} not yet: their addresses have got too many mails.")
