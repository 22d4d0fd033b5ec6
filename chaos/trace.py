"""Checks the event log against a history of calls.

The log is read after a run. Each event of an object of the history is a step of its model, as the
judge has it. Unlike the judge, this knows the order of all changes of an aggregate, which is that
of positions. A name and a configuration have one aggregate after the other: the first event of
the next one can have an earlier position than the removal for which it waited (decision 2).
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import asyncpg

from chaos.history import OK, Made
from tests.support import given

_WAITING = "select count(*) from unpositioned_events"
_EVENTS = """
select position, aggregate_id, sequence, owner, event_type, payload
from event_positions join events using (aggregate_id, sequence) order by position"""
_EXISTS, _NOT_FOUND, _LOCKED, _ENDED = "ALREADY_EXISTS", "NOT_FOUND", "LOCKED", "UNAUTHENTICATED"
_REFUSALS = (_EXISTS, _NOT_FOUND, _ENDED)


@dataclass(frozen=True, slots=True)
class Step:
    """An event as a step of a model. `argument` is the value, or the user."""

    position: int
    sequence: int
    aggregate_id: str
    model: str
    object: str
    name: str
    argument: str = ""

    def __str__(self) -> str:
        return f"{self.name}({self.argument}) at position {self.position}"


async def read_steps(dsn: str) -> list[Step]:
    """All events that are steps of a model, in their order."""
    async with given.sql(dsn) as connection:

        async def have_positions() -> bool:
            return bool(await connection.fetchval(_WAITING) == 0)

        await given.eventually(have_positions)
        rows = await connection.fetch(_EVENTS)
    return list(_steps(rows))


def check(calls: Sequence[Made], steps: Sequence[Step]) -> list[str]:
    """The first difference between the log and the history of each object."""
    logged = defaultdict[tuple[str, str], list[Step]](list)
    for step in steps:
        logged[step.model, step.object].append(step)
    made = defaultdict[tuple[str, str], list[Made]](list)
    for call in calls:
        if call.model != "code":  # the log has no events of codes
            made[call.model, call.object].append(call)
    found = {key: _difference(each, _by_aggregate(logged[key])) for key, each in made.items()}
    return [f"{model} {name}: {each}" for (model, name), each in found.items() if each]


def write(steps: Iterable[Step], path: Path) -> None:
    """Writes the steps as JSON lines."""
    with path.open("w") as lines:
        lines.writelines(json.dumps(asdict(each)) + "\n" for each in steps)


def _steps(rows: Sequence[asyncpg.Record]) -> Iterator[Step]:
    names: dict[str, str] = {}  # of users
    for row in rows:
        payload, user_id = json.loads(row["payload"]), row["aggregate_id"]
        place = row["position"], row["sequence"], row["aggregate_id"]
        match row["event_type"]:
            case "idp.added" | "idp.changed" | "idp.removed" as kind:
                name = {"idp.added": "add", "idp.changed": "update"}.get(kind, "remove")
                yield Step(*place, "configuration", user_id, name, payload.get("name", ""))
            case "smtp_config.added" | "smtp_config.changed" | "smtp_config.removed" as kind:
                name = {"added": "add", "changed": "update"}.get(kind.split(".")[1], "remove")
                value = payload.get("sender_name", "")
                yield Step(*place, "configuration", row["owner"], name, value)
            case "user.added":
                names[user_id] = payload["user_name"]
                yield Step(*place, "user", names[user_id], "create", user_id)
            case "user.locked" | "user.unlocked" | "user.removed" as kind:
                name = {"user.locked": "lock", "user.unlocked": "unlock"}.get(kind, "remove")
                yield Step(*place, "user", names[user_id], name, user_id)
            case "user.token_revoked":
                yield Step(*place, "credential", payload["token_id"], "end")
            case "user.session_ended":
                yield Step(*place, "credential", payload["session_id"], "end")
            case _:
                pass


def _by_aggregate(steps: Sequence[Step]) -> list[Step]:
    """The steps of one aggregate after those of another, each in the order of positions."""
    aggregates = defaultdict[str, list[Step]](list)
    for step in steps:
        aggregates[step.aggregate_id].append(step)
    return [step for each in aggregates.values() for step in each]


def _difference(calls: Sequence[Made], steps: Sequence[Step]) -> str:
    """The first step that the model or the calls do not explain, or else the first call."""
    states = [""]
    for step in steps:
        after = _after(states[-1], step)
        if after is None:
            return f"{step} is no step from '{states[-1]}'"
        states.append(after)
    for before, step in pairwise(steps):
        is_same = before.aggregate_id == step.aggregate_id
        if is_same and step.sequence <= before.sequence:
            return f"{step} has an earlier sequence than {before}"
    return _unexplained_step(calls, steps) or _unexplained_call(calls, steps, states)


def _unexplained_step(calls: Sequence[Made], steps: Sequence[Step]) -> str:
    """A change without its event, with two of them, or an event without its call."""
    events = Counter((step.name, step.argument) for step in steps)
    done = Counter(_change(each) for each in calls if each.end and each.answer not in _REFUSALS)
    tried = Counter(_change(each) for each in calls if not each.end)
    unknown = sum(each.name == "create" and not each.end for each in calls)
    for (name, argument), number in events.items():
        most = done[name, argument] + tried[name, argument]
        if name == "create" and not done[name, argument]:
            most, unknown = min(unknown, 1), unknown - 1
        if number > most:
            return f"{number} events of {name}({argument}) by {most} calls"
    for (name, argument), number in done.items():
        # Locking a locked user changes nothing, and so does unlocking.
        if name not in ("read", "write", "lock", "unlock") and events[name, argument] < number:
            return f"{name}({argument}) has no event"
    return ""


def _unexplained_call(calls: Sequence[Made], steps: Sequence[Step], states: Sequence[str]) -> str:
    """An answer that no prefix of the log explains, of those between which the call ran."""
    changes = defaultdict[tuple[str, str], list[Made]](list)
    for call in calls:
        if call.answer not in _REFUSALS:
            changes[_change(call)].append(call)
    # The calls of those steps that only one call can have made.
    makers = [
        each[0] if len(each := changes[step.name, step.argument]) == 1 else None for step in steps
    ]
    for call in calls:
        if not call.end or (call.name not in ("read", "write") and call.answer not in _REFUSALS):
            continue
        first, last = 0, len(steps)
        for number, maker in enumerate(makers):
            if maker and maker.end and maker.end < call.begin - call.stale:
                first = number + 1
            elif maker and maker.begin > call.end:
                last = min(last, number)
        if not any(_explains(state, call) for state in states[first : last + 1]):
            return f"no state from {first} to {last} explains {call.name} = {call.answer}"
    return ""


def _change(call: Made) -> tuple[str, str]:
    return call.name, call.answer if call.name == "create" else call.argument


def _after(state: str, step: Step) -> str | None:
    """The state of the object after a step; None if it is not possible."""
    user_id, _, locked = state.partition(" ")
    match step.name:
        case "add" | "create":
            return None if state else step.argument
        case "update":
            return step.argument or state if state else None
        case "lock":
            return f"{user_id} {_LOCKED}" if user_id == step.argument and not locked else None
        case "unlock":
            return user_id if user_id == step.argument and locked else None
        case "end":
            return None if state else _ENDED
        case _:
            is_present = user_id == step.argument if step.model == "user" else bool(state)
            return "" if is_present else None


def _explains(state: str, call: Made) -> bool:
    """Whether the answer to a read, or the refusal of a change, is that of a state."""
    if call.model == "credential":
        is_ended = call.answer in (_ENDED, _NOT_FOUND)
        return is_ended is (state == _ENDED)
    if call.name in ("add", "create"):
        return bool(state) and call.answer == _EXISTS
    if call.model == "configuration":
        return call.answer == (state if state and call.name == "read" else _NOT_FOUND)
    user_id, _, locked = state.partition(" ")
    return call.answer == ((locked or OK) if user_id == call.argument else _NOT_FOUND)
