"""Mail servers of organizations killed, hanging and refusing for ever while mails are sent."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import asyncpg
from google.protobuf.field_mask_pb2 import FieldMask

from chaos.outbox import until
from chaos.promises import promise_no_unexpected_errors
from chaos.report import Report
from chaos.scenarios.mail import PENDING, LinkSenders, accept_unheard, judge, sending
from chaos.stage import Scale, Stage, free_ports
from keystead.org.v1 import organization_service_pb2 as org_pb
from tests.support import given
from tests.support.mail_server import Connection, Fault, MailServer, cut, hang, mail_server, reply

# Lets no mail wait for the back-off of its own.
_HURRY = """
update mails set next_attempt_at = clock_timestamp()
where state = 'pending' and not is_leased and next_attempt_at > clock_timestamp()"""
_SENT = "select count(*) from mails where state = 'sent'"
# The route of the last attempt of each mail, and the state.
_ROUTES = """
select recipient_address, state, (
    select route from mail_attempts where mail_attempts.mail_id = mails.mail_id
    order by number desc limit 1) as route
from mails"""


async def _die(connection: Connection, argument: str) -> None:
    """Accepts a message without an answer, and then no more connections."""
    connection.server.faults["CONNECT"] = cut
    for other in connection.server.connections:
        if other is not connection:
            other.abort()
    await accept_unheard(connection, argument)


_FAULTS: Final[Mapping[str, Callable[[], dict[str, Fault]]]] = {
    "killed": lambda: {"BODY": _die},
    "hanging": lambda: {"BODY": hang},
    "refusing": lambda: {"RCPT": reply("451 4.3.0 Later")},
}


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """1,000 mails; the servers fail after a third of them, and never work again."""
    mails = scale.writes * 5 // 3
    async with (
        stage.database() as dsn,
        contextlib.AsyncExitStack() as stack,
        mail_server() as of_instance,
        sending(stage, dsn, free_ports()) as served,
        LinkSenders.of(served) as senders,
    ):
        await senders.configure(of_instance)
        servers = {fault: await stack.enter_async_context(mail_server()) for fault in _FAULTS}
        senders.places = [await _organization(senders, server) for server in servers.values()]
        async with senders.running(scale.callers):
            await senders.more(mails // 3)
            await until(dsn, _SENT, lambda sent: sent >= len(servers))
            for fault, server in servers.items():
                server.faults.update(_FAULTS[fault]())
            await senders.more(mails - mails // 3)
        report.did(f"let the servers of organizations fail for ever: {', '.join(servers)}")
        await until(dsn, PENDING, lambda pending: pending == 0, hurry=_HURRY)
        everywhere = [of_instance, *servers.values()]
        await judge(report, dsn, senders, everywhere)
        await _judge_routes(report, dsn, of_instance)
        promise_no_unexpected_errors(report, served)


async def _organization(senders: LinkSenders, server: MailServer) -> dict[str, Any]:
    """The header of an organization that mails by this server, with the fallback."""
    admin = senders.admin
    org_id = await given.organization(admin)
    place: dict[str, Any] = {"x_service_orgid": org_id}
    await senders.configure(server, **place)
    patch = org_pb.PatchOrganizationRequest(
        organization=org_pb.Organization(org_id=org_id, allows_mail_fallback=True),
        update_mask=FieldMask(paths=["allows_mail_fallback"]),
    )
    await admin.call(admin.orgs.PatchOrganization, patch)
    return place


async def _judge_routes(report: Report, dsn: str, of_instance: MailServer) -> None:
    async with given.sql(dsn) as connection:
        rows: list[asyncpg.Record] = await connection.fetch(_ROUTES)
    substituted = {each.recipients[0] for each in of_instance.received}
    by_route = {
        route: sum(row["route"] == route for row in rows) for route in ("organization", "fallback")
    }
    report.saw(", ".join(f"{number} mails by {route}" for route, number in by_route.items()))
    report.promise(
        "every mail was sent, and its last attempt names the server that it went by",
        unless=[
            row["recipient_address"]
            for row in rows
            if row["state"] != "sent"
            or (row["route"] == "fallback") != (row["recipient_address"] in substituted)
        ],
    )
