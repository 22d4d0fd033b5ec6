"""Counts the figures of organizations: for a call, and once a day for each organization."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from server.application import store as application_store
from server.figures import store
from server.figures.store import Day, PeopleFigures
from server.log import days as log_days
from server.mail import store as mail_store
from server.oauth.refused import store as refusal_store
from server.oauth.refused.store import RefusedApplication
from server.org import store as org_store
from server.push import delivery_store
from server.session import store as session_store
from server.session.events import SessionStarted, SessionStartedByIDP
from server.smtp import store as smtp_store
from server.store.database import Statements
from server.user import figures as user_figures
from server.user import token_store
from server.user.token_store import ExpiringToken
from server.values.cache import Cache

# The users of an organization that a call counts.
MOST_COUNTED: Final = 200_000
# The days of the figures, with today.
DAYS: Final = 30
# The applications that the figures count.
_MOST_APPLICATIONS: Final = 1_000
_SECONDS: Final = 10
_MOST_KNOWN: Final = 1_000
_PAGE: Final = 1_000
# After the end of a day, its events are committed within this time.
_LATEST_COMMIT: Final = timedelta(minutes=10)
_SIGN_INS: Final = (SessionStarted.event_type, SessionStartedByIDP.event_type)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of an organization; `days` are the latest ones, oldest first."""

    people: PeopleFigures
    days: Sequence[Day]
    failed_mails: int
    failed_deliveries: int
    expiring_tokens: int
    next_expiring_tokens: Sequence[ExpiringToken]
    refused_applications: Sequence[RefusedApplication]
    applications: int
    sends_mail: bool


class Figured:
    """Counts figures, and remembers those of the latest calls for ten seconds."""

    def __init__(self, database: Statements, *, idle_timeout: timedelta) -> None:
        self._database = database
        self._idle_timeout = idle_timeout
        self._known: Cache[str, Figures] = Cache(_MOST_KNOWN)
        # The organization at which the latest `keep` ended; empty: it came to the last one.
        self._kept_until = ""

    async def of(self, organization_id: str) -> Figures:
        """The figures of an organization. `Failure` NOT_FOUND."""
        return await self._known.get(
            organization_id, lambda: self._count(organization_id), seconds=_SECONDS
        )

    async def keep(self) -> None:
        """Counts the past days that are not counted, of all organizations.

        If it is cancelled, the next one goes on after the organization that took so long.
        """
        today = (datetime.now(UTC) - _LATEST_COMMIT).date()
        since = today - timedelta(days=DAYS - 1)
        while found := await org_store.LIST.all(
            self._database, after=self._kept_until, limit=_PAGE
        ):
            ids = [each.organization_id for each in found]
            lacking = await store.lacking(self._database, ids, since=since, until=today)
            for organization_id, first in sorted(lacking.items()):
                self._kept_until = organization_id
                counted = await self._sign_ins(organization_id, since=first, until=today)
                people = await self._people(organization_id, examined=None)
                await store.keep(self._database, organization_id, counted, people)
            self._kept_until = ids[-1]
        self._kept_until = ""

    async def _count(self, organization_id: str) -> Figures:
        of_organization = {"organization_id": organization_id}
        await org_store.GET.one(self._database, **of_organization)
        applications = await application_store.LISTING.count(self._database, organization_id)
        tokens = await token_store.LIST_EXPIRING.all(self._database, **of_organization)
        return Figures(
            people=await self._latest_people(organization_id),
            days=await self._days(organization_id),
            failed_mails=await mail_store.count_failed(self._database, organization_id),
            failed_deliveries=await delivery_store.count_failed(self._database, organization_id),
            expiring_tokens=await token_store.count_expiring(self._database, organization_id),
            next_expiring_tokens=tokens,
            refused_applications=await refusal_store.LIST_APPLICATIONS.all(
                self._database, **of_organization
            ),
            applications=min(applications.size, _MOST_APPLICATIONS),
            sends_mail=await smtp_store.find_sender(self._database, organization_id) is not None,
        )

    async def _latest_people(self, organization_id: str) -> PeopleFigures:
        people = await self._people(organization_id, examined=MOST_COUNTED + 1)
        if people.users.user_count <= MOST_COUNTED:
            return people
        return await store.latest(self._database, organization_id) or people

    async def _people(self, organization_id: str, *, examined: int | None) -> PeopleFigures:
        return PeopleFigures(
            await user_figures.count(self._database, organization_id, examined=examined),
            await session_store.count_live(
                self._database,
                organization_id,
                examined=examined,
                idle_timeout=self._idle_timeout,
            ),
        )

    async def _days(self, organization_id: str) -> Sequence[Day]:
        today = datetime.now(UTC).date()
        first = today - timedelta(days=DAYS - 1)
        listed = await store.LIST.all(self._database, organization_id=organization_id, since=first)
        known = {each.day: each for each in listed}
        wanted = [first + timedelta(days=each) for each in range(DAYS)]
        is_counted = {each: each in known and known[each].is_counted for each in wanted}
        counted = await self._sign_ins(
            organization_id,
            since=next((each for each in wanted if not is_counted[each]), today),
            until=today + timedelta(days=1),
        )
        return [
            Day(
                each,
                is_counted[each],
                known[each].sign_ins if is_counted[each] else counted[each],
                known[each].refused_sign_ins if each in known else 0,
            )
            for each in wanted
        ]

    async def _sign_ins(
        self, organization_id: str, *, since: date, until: date
    ) -> Mapping[date, int]:
        """The sign-ins of each day from one to before another."""
        found = await log_days.count(
            self._database, organization_id, _SIGN_INS, since=since, until=until
        )
        span = [since + timedelta(days=each) for each in range((until - since).days)]
        return {each: found.get(each, 0) for each in span}
