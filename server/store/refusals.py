"""The errors of PostgreSQL and of its driver, as errors of this server.

The rule: neither a value of a statement nor a text that contains one is logged or answered.
"""

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Final, NoReturn

import asyncpg

from server.store.connecting import Connection
from server.values.errors import (
    Failure,
    FixedFailure,
    Kind,
    OperatorError,
    deadline_exceeded,
)

_RETRY_AFTER = timedelta(seconds=1)
_READ_ONLY = (
    "PostgreSQL is a standby or read-only: name the one that takes writes in KEYSTEAD_DATABASE_URL."
)
# The primary key of a partition of `events`.
_EVENT_KEY = re.compile(r"events(_\w+)?_pkey")

# The constraints that refer secrets to `encryption_keys`.
_KEY_OF_SECRET = re.compile(r"(secrets|idempotent_answers)_key_id_fkey")

# PostgreSQL shuts down, starts, is a standby, lacks a resource, or cannot be reached.
UNAVAILABLE = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)

# A database that answers and takes no writes: full disk, read-only file system, standby.
WRITES_REFUSED = (
    asyncpg.DiskFullError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.PostgresIOError,
)

# The remedy for a connection that PostgreSQL refused, by error.
_CONNECTION_ADVICE: Mapping[type[Exception], str] = {
    asyncpg.InvalidAuthorizationSpecificationError: "Correct the user and the password in"
    " KEYSTEAD_DATABASE_URL, or pg_hba.conf of PostgreSQL.",
    asyncpg.InvalidCatalogNameError: "Create the database, or correct its name in"
    " KEYSTEAD_DATABASE_URL.",
    asyncpg.TooManyConnectionsError: "Raise max_connections of PostgreSQL or the limit of the role"
    " or database, or lower KEYSTEAD_DATABASE_POOL_SIZE.",
    asyncpg.CannotConnectNowError: "PostgreSQL is starting or stopping: its log says which. Try"
    " again in a moment.",
}
_OTHER_CONNECTION_ADVICE = (
    "Check that PostgreSQL runs, that this machine can reach it, and that KEYSTEAD_DATABASE_URL"
    " names it."
)

# A repeated call may succeed: another transaction used the same rows at the same time, or has just
# migrated the schema.
_LOST_RACES = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
)

# Raised by the driver itself: a lost connection, or a fault of this server. AttributeError means a
# connection that was terminated between two messages of one statement.
DRIVER_ERRORS = (asyncpg.InterfaceError, asyncpg.InternalClientError, AttributeError)

# All errors of a statement that `raise_converted` converts.
STATEMENT_ERRORS = (OSError, asyncpg.PostgresError, *DRIVER_ERRORS)


class UniqueConflictError(Exception):
    """A primary key or unique index refused the statement; nothing of it was written."""

    def __init__(self, constraint: str) -> None:
        super().__init__(constraint)
        self.constraint = constraint

    def must_be(self, constraint: str) -> None:
        """Raises itself unless this was the constraint, for which the caller has an answer."""
        if self.constraint != constraint:
            raise self


# The constraint on values that are unique across aggregates.
UNIQUE_CLAIMS_KEY: Final = "unique_claims_pkey"


@contextlib.contextmanager
def on_conflict(failures: Mapping[str, Callable[[], Failure]]) -> Iterator[None]:
    """Converts `UniqueConflictError` to the failure that is given for its constraint."""
    try:
        yield
    except UniqueConflictError as conflict:
        failure = failures.get(conflict.constraint)
        if failure is None:
            raise
        raise failure() from None


# PostgreSQL refuses the values of a statement: they are malformed, or break a constraint.
REFUSED_VALUES = (TypeError, UniqueConflictError, asyncpg.PostgresError)


class MissingRightsError(OperatorError):
    """The server's role in PostgreSQL lacks a right; the message says how to correct that."""

    def __init__(self, refusal: str) -> None:
        super().__init__(
            f"PostgreSQL refuses: {refusal}. Connect as the role that owns the tables, or as a"
            " member of that role."
        )


def raise_converted(error: Exception, connection: Connection) -> NoReturn:
    """Converts the driver's error of a statement to an error of this server."""
    try:
        raise error
    except asyncpg.UniqueViolationError as error:
        if _EVENT_KEY.fullmatch(error.constraint_name or ""):  # another command has just appended
            raise _lost_race(type(error).__name__) from error
        raise UniqueConflictError(error.constraint_name or "") from error
    except asyncpg.QueryCanceledError as error:
        raise deadline_exceeded() from error
    except _LOST_RACES as error:
        raise _lost_race(type(error).__name__) from error
    except asyncpg.InsufficientResourcesError as error:  # the connection remains usable
        raise unavailable(error) from error
    except UNAVAILABLE as error:
        connection.terminate()  # a new connection may reach a working server
        raise unavailable(error) from error
    except asyncpg.DataError as error:
        # The value is in quotes or after a colon. Neither it nor `error` may be logged.
        text = re.sub('".*"', "...", str(error), flags=re.DOTALL)
        mistake = TypeError(text.partition(":")[0])
        try:
            raise mistake from None
        finally:
            mistake.__context__ = None
    except asyncpg.InsufficientPrivilegeError as error:
        raise MissingRightsError(str(error)) from error
    except asyncpg.PostgresError as error:
        error.detail = None  # contains values, too: "Failing row contains (...)"
        if isinstance(error, asyncpg.ForeignKeyViolationError) and _KEY_OF_SECRET.fullmatch(
            error.constraint_name or ""
        ):
            raise _retired_key() from error
        raise
    except DRIVER_ERRORS as error:
        if not connection.is_closed():
            raise
        raise unavailable(error) from error


_lost_race: Final = FixedFailure(
    "CONCURRENT_CHANGE",
    "Another call changed the same object at the same time. Try again.",
    kind=Kind.ABORTED,
    retry_after=_RETRY_AFTER,
)

_retired_key: Final = FixedFailure(
    "ENCRYPTION_KEY_REPLACED",
    "This server cannot store secrets, because its encryption key was replaced. Its operator"
    " must restart it with the current encryption keys.",
    kind=Kind.UNAVAILABLE,
    retry_after=_RETRY_AFTER,
)

_unavailable: Final = FixedFailure(
    "DATABASE_UNAVAILABLE",
    "The service cannot reach its database now. Try again in a moment.",
    kind=Kind.UNAVAILABLE,
    retry_after=_RETRY_AFTER,
)


def is_refusal(failure: Failure) -> bool:
    """Whether PostgreSQL answered with an error, such as too many clients: it is alive."""
    return isinstance(failure.__cause__, asyncpg.PostgresError)


def connection_advice(failure: Failure) -> str:
    """The remedy, for the operator, of a connection that could not be opened."""
    for kind, advice in _CONNECTION_ADVICE.items():
        if isinstance(failure.__cause__, kind):
            return advice
    return _OTHER_CONNECTION_ADVICE


def unavailable(error: Exception) -> Failure:
    """The failure of a call that cannot reach the database, or that it cannot write to."""
    advice = f". {_READ_ONLY}" if isinstance(error, asyncpg.ReadOnlySQLTransactionError) else ""
    return _unavailable(f"{type(error).__name__}: {error}{advice}")
