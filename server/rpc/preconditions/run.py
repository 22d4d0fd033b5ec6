"""Preconditions and retries of changes, for every method alike (decision 11).

A change with `if-match`, `x-validate-only` or `x-idempotency-key` runs in one transaction
(`Database.whole`), which first locks the object that the method's path names and compares its
sequence. Features need no code for it: their statements and transactions become savepoints in it.

The rule: a header that would have no effect on a change is refused.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

from keystead.options.v1 import options_pb2
from server.access.authorizer import ORGANIZATION_HEADER, check_recent_sign_in
from server.access.caller import Caller
from server.crypto.keyring import Keyring
from server.rpc.call import Call
from server.rpc.preconditions import idempotent_answers
from server.rpc.preconditions.changes import (
    ETAG,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    Change,
    Objects,
)
from server.rpc.preconditions.demands import Demands, demands_of
from server.rpc.preconditions.idempotent_answers import Keyed, keyed
from server.store.database import Database, Statements
from server.store.statement import Statement
from server.values.errors import Failure, Kind

# The reason of a failed `if-match`.
ETAG_MISMATCH: Final = "ETAG_MISMATCH"

# A method of a service, or the check of its permission.
Run: TypeAlias = Callable[[Any, Call], Awaitable[Any]]


class _UndoneError(Exception):
    """Undoes the transaction of a call that only validates."""


class Preconditions:
    """Runs changes that have any of the headers."""

    def __init__(self, database: Database, keyring: Keyring, objects: Objects) -> None:
        self._database = database
        self._keyring = keyring
        self.objects = objects

    async def run(
        self, call: Call, change: Change, request: Any, *, authorize: Run, method: Run
    ) -> Any:
        """The answer of the method, or the first answer to a repeated call.

        `Failure` ABORTED ETAG_MISMATCH, and all failures of the method.
        """
        try:
            await authorize(request, call)
        except Failure:
            first = await self._repeated(call, change, request)
            if first is None:
                raise
            return first
        return await self._run_locked(call, change, request, method)

    async def _run_locked(self, call: Call, change: Change, request: Any, method: Run) -> Any:
        """The answer of the method. Its headers are checked while the object is locked."""
        demands = demands_of(call, change)
        call.validates_only = demands.validates_only
        taken: Keyed | None = None
        if demands.key is not None:
            taken = _keyed(call, change, demands.key, request)
            if not call.claim.target:  # a second call waits without taking a connection
                call.claim = call.claim._replace(target=taken.row)
        failed: Failure | None = None
        answer: Any = None
        try:
            async with self._database.whole() as transaction:
                if taken is not None:
                    first = await idempotent_answers.take(transaction, self._keyring, taken)
                    if first is not None:
                        return change.answer.FromString(first)
                before = await _sequence(transaction, call, change, request, demands)
                if demands.validates_only:
                    await transaction.begin_trial()
                try:
                    answer = await method(request, call)
                except Failure as failure:
                    failed = failure  # raised after the commit, which keeps counted attempts
                    if demands.validates_only:
                        await transaction.undo_trial()
                    if taken is not None:
                        await idempotent_answers.give_back(transaction, taken)
                else:
                    if demands.is_conditional and before is None:
                        raise _mismatch(None)
                    if demands.validates_only:
                        _tell_unchanged(call, change, answer, before)
                        _clear(answer)
                        raise _UndoneError
                    if taken is not None:
                        message = answer.SerializeToString()
                        await idempotent_answers.store(transaction, self._keyring, taken, message)
        except _UndoneError:
            return answer
        if failed is not None:
            raise failed
        return answer

    async def _repeated(self, call: Call, change: Change, request: Any) -> Any | None:
        """The first answer to a repeated removal whose permission is gone. None: no first answer.

        A removal can remove the object that its permission depends on, such as a user. The method
        does not run. `Failure` UNAUTHENTICATED if the sign-in is too old for the method.
        """
        keys, access = call.headers.get(IDEMPOTENCY_KEY, ()), call.method.access
        if not change.is_removal or len(keys) != 1 or access is None:
            return None
        taken = _keyed(call, change, keys[0], request)
        first = await idempotent_answers.find(self._database, self._keyring, taken)
        if first is None:
            return None
        caller = call.caller
        if access.needs_recent_sign_in and isinstance(caller, Caller) and caller.session:
            check_recent_sign_in(caller.session, now=caller.now())
        return change.answer.FromString(first)


async def _sequence(
    transaction: Statements, call: Call, change: Change, request: Any, demands: Demands
) -> int | None:
    """Locks the object and compares its sequence. None: no such object; the method reports that.

    Only for calls that need the sequence. `Failure` ABORTED ETAG_MISMATCH.
    """
    if change.lock is None or not (demands.is_conditional or demands.validates_only):
        return None
    row = await transaction.fetch_row(
        change.lock, **_parameters(change.lock, call, change, request)
    )
    if row is None:
        return None
    sequence: int = row["sequence"]
    if demands.is_conditional and demands.tags is not None and str(sequence) not in demands.tags:
        raise _mismatch(sequence)
    return sequence


def _tell_unchanged(call: Call, change: Change, answer: Any, before: int | None) -> None:
    """Gives the ETag of the object if the tried change would leave it as it is."""
    if change.sequence is not None and change.sequence(answer) == before:
        call.trailing_metadata = (*call.trailing_metadata, (ETAG, f'"{before}"'))


def _clear(answer: Any) -> None:
    """Clears the answer of a trial, except for fields that are `previewed`."""
    for field, _ in answer.ListFields():
        if not field.GetOptions().Extensions[options_pb2.previewed]:
            answer.ClearField(field.name)


def _keyed(call: Call, change: Change, key: str, request: Any) -> Keyed:
    demands: list[Sequence[str]] = [
        call.headers.get(name, ()) for name in (IF_MATCH, ORGANIZATION_HEADER)
    ]
    # Not in the request: each session of a user is another object.
    if change.lock is not None and "session_id" in set(change.lock.names) - change.fields.keys():
        demands.append((_session_id(call),))
    return keyed(call, key, request, demands=demands)


def _session_id(call: Call) -> str:
    """The session of the caller; empty without one."""
    session = call.caller.session if isinstance(call.caller, Caller) else None
    return session.session_id if session else ""


def _parameters(lock: Statement, call: Call, change: Change, request: Any) -> dict[str, object]:
    values: dict[str, object] = {
        "organization_id": call.organization_id,
        "user_id": call.caller.user_id,
        "session_id": _session_id(call),
        **{name: read(request) for name, read in change.fields.items()},
    }
    return {name: values[name] for name in lock.names}


def _mismatch(sequence: int | None) -> Failure:
    return Failure(
        Kind.ABORTED,
        ETAG_MISMATCH,
        "The object does not have this ETag: it has changed since the ETag was read, or the ETag is"
        " weak (W/). Read the object again, and repeat the change with its new ETag.",
        metadata={} if sequence is None else {"sequence": str(sequence)},
    )
