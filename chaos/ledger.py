"""What callers were told, compared with what the database has."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from chaos.load import Caller, Ports, Written, callers
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb

_EVENTS = """
select aggregate_id, sequence, payload->>'name' as name from events
where aggregate_id = any($1) and event_type in ('idp.added', 'idp.changed')"""
_NAMED = "select count(*) from events where payload->>'name' = any($1)"


async def lost(dsn: str, acknowledged: Sequence[Written]) -> list[Written]:
    """Acknowledged writes that the log of events does not have."""
    connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch(_EVENTS, list({each.idp_id for each in acknowledged}))
    finally:
        await connection.close()
    events = {tuple(row) for row in rows}
    return [
        each
        for each in acknowledged
        if (each.idp_id, each.details.sequence, each.name) not in events
    ]


async def written(dsn: str, names: Sequence[str]) -> int:
    """How many of these names are in the log."""
    connection = await asyncpg.connect(dsn)
    try:
        number: int = await connection.fetchval(_NAMED, list(names))
    finally:
        await connection.close()
    return number


async def unreadable(ports: Ports, token: str, acknowledged: Sequence[Written]) -> list[str]:
    """Identity providers that cannot be read, or not at their last acknowledged write or later."""
    latest = {each.idp_id: each for each in acknowledged}
    async with callers(ports, token, 3) as readers:
        found = [
            await _problem(readers[number % len(readers)], last)
            for number, last in enumerate(latest.values())
        ]
    return [problem for problem in found if problem]


async def _problem(caller: Caller, last: Written) -> str:
    answer = await caller.call("GetIDP", idp_pb.GetIDPRequest(idp_id=last.idp_id))
    if answer.response is None:
        return f"{last}: {answer.status.message}"
    response: Any = answer.response
    if response.idp.details.sequence < last.details.sequence:
        return f"{last} is at {response.idp.details.sequence}"
    return ""
