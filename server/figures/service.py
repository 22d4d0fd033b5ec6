"""The RPC method on figures: converts messages."""

from datetime import timedelta
from functools import partial
from typing import Any

from keystead.org.v1 import organization_service_pb2 as pb
from server.figures.counting import Figured, Figures
from server.figures.store import Day
from server.org.commands import OneOrganization
from server.rpc.messages import Nested, nested, timestamp
from server.store.database import Statements
from server.validation.fields import Commands, read


class GetOrganizationFigures(OneOrganization):
    """Return the figures of an organization."""


COMMANDS: Commands = {"GetOrganizationFigures": GetOrganizationFigures}

_token = partial(nested, pb.ExpiringToken)
_refused = partial(nested, pb.RefusedApplication)


class OrganizationFigures:
    """The method of OrganizationService on figures.

    See `keystead/org/v1/organization_service.proto`.
    """

    def __init__(self, database: Statements, *, idle_timeout: timedelta) -> None:
        self._figured = Figured(database, idle_timeout=idle_timeout)

    async def GetOrganizationFigures(
        self, request: pb.GetOrganizationFiguresRequest, _context: Any
    ) -> pb.GetOrganizationFiguresResponse:
        command = read(GetOrganizationFigures, request)
        figures = await self._figured.of(command.org_id)
        return pb.GetOrganizationFiguresResponse(figures=_figures(figures))


def _figures(figures: Figures) -> Nested:
    users = figures.people.users
    return nested(
        pb.OrganizationFigures,
        figures,
        counted_at=timestamp(users.counted_at),
        users=users.user_count,
        users_active_7_days=users.users_active_7_days,
        users_active_30_days=users.users_active_30_days,
        users_invited=users.users_invited,
        users_with_one_passkey=users.users_with_one_passkey,
        users_locked=users.users_locked,
        sessions=figures.people.sessions,
        days=map(_day, figures.days),
        next_expiring_tokens=map(_token, figures.next_expiring_tokens),
        refused_applications=map(_refused, figures.refused_applications),
    )


def _day(day: Day) -> Nested:
    return nested(pb.DayOfSignIns, day, day=day.day.isoformat())
