"""Compares acknowledged writes with the database."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import asyncpg
from google.protobuf.message import Message

from chaos.load import Caller, Ports, Written, callers
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb

_EVENTS = """
select aggregate_id, sequence, coalesce(payload->>'name', payload->>'user_name') as name from events
where aggregate_id = any($1)"""
_NAMED = """
select count(*) from events
where coalesce(payload->>'name', payload->>'user_name') = any($1)"""

_REPEATED = """
select coalesce(payload->>'name', payload->>'user_name') as name, count(*) from events
where coalesce(payload->>'name', payload->>'user_name') = any($1)
group by 1 having count(*) > 1"""


async def lost(dsn: str, acknowledged: Sequence[Written]) -> list[Written]:
    """Acknowledged writes that are missing in the event log."""
    connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch(_EVENTS, list({each.aggregate_id for each in acknowledged}))
    finally:
        await connection.close()
    events = {tuple(row) for row in rows}
    return [
        each
        for each in acknowledged
        if (each.aggregate_id, each.details.sequence, each.name) not in events
    ]


async def written(dsn: str, names: Sequence[str]) -> int:
    """The number of these names in the event log."""
    connection = await asyncpg.connect(dsn)
    try:
        number: int = await connection.fetchval(_NAMED, list(names))
    finally:
        await connection.close()
    return number


async def repeated(dsn: str, names: Sequence[str]) -> list[str]:
    """The names that occur more than once in the event log."""
    connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch(_REPEATED, list(names))
    finally:
        await connection.close()
    return [f"'{row['name']}' was written {row['count']} times" for row in rows]


async def unreadable(ports: Ports, token: str, acknowledged: Sequence[Written]) -> list[str]:
    """Objects that cannot be read, or that lack their last acknowledged write."""
    latest = {each.aggregate_id: each for each in acknowledged}
    async with callers(ports, token, 3) as readers:
        found = [
            await _problem(readers[number % len(readers)], last)
            for number, last in enumerate(latest.values())
        ]
    return [problem for problem in found if problem]


async def _problem(caller: Caller, last: Written) -> str:
    caller, method, request = _reading(caller, last)
    answer = await caller.call(method, request)
    if answer.response is None:
        return f"{last}: {answer.status.message}"
    response: Any = answer.response
    read = response.idp if method == "GetIDP" else response.user
    if read.details.sequence < last.details.sequence:
        return f"{last} is at {read.details.sequence}"
    return ""


def _reading(caller: Caller, last: Written) -> tuple[Caller, str, Message]:
    """The caller and the request that read a written object."""
    match last.method:
        case "CreateToken":
            user = replace(caller, token=last.token)
            return user, "GetCurrentUser", user_pb.GetCurrentUserRequest()
        case "CreateUser":
            return caller, "GetUser", user_pb.GetUserRequest(user_id=last.aggregate_id)
        case _:
            return caller, "GetIDP", idp_pb.GetIDPRequest(idp_id=last.aggregate_id)
