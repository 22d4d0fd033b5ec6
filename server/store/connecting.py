"""New connections to PostgreSQL: to the host that takes writes, on sockets that notice a dead peer.

A URL may name several hosts, of which one takes writes. The driver would try the hosts one after
the other, so a host that accepts a connection and never answers, such as a frozen machine, would
use up the time of the others (decision 6).
"""

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from server.values.errors import OperatorError

# The time limit of one attempt.
_CONNECT_SECONDS = 5.0
# The delay before the next host is tried beside this one (RFC 8305, section 5: by default 0.25).
_HEAD_START_SECONDS = 0.25
# The time for silent hosts to answer, once the others have refused.
_PATIENCE_SECONDS = 1.0
# The time after which a peer that acknowledges nothing counts as dead (RFC 5482). In seconds, the
# last one in milliseconds. An operating system may lack some of the options.
_DEAD_PEER_OPTIONS: Mapping[str, int] = {
    "TCP_KEEPIDLE": 2,
    "TCP_KEEPINTVL": 1,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 5000,
}

# The arrays of statements whose types the driver does not know, by their element: the OIDs of array
# and element, which are the same in every PostgreSQL (pg_type.dat). The driver has text[] itself.
_ARRAYS: Mapping[str, tuple[int, int]] = {
    "bool": (1000, 16),
    "bytea": (1001, 17),
    "int4": (1007, 23),
    "int8": (1016, 20),
    "timestamptz": (1185, 1184),
    "record": (2287, 2249),
}

Observe: TypeAlias = Callable[[str], AbstractContextManager[object]]

# All errors of an attempt, except for a cancellation.
CONNECT_ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

# The process, the schema in which tables are created, and the setting that names it.
_SESSION = """
select pg_backend_pid() as process_id, current_schema() as schema,
    current_setting('search_path') as search_path"""

# The prepared statements of a session that a pooler has given to somebody else before, or since.
_SHARED_SESSION_ERRORS = (
    asyncpg.DuplicatePreparedStatementError,
    asyncpg.InvalidSQLStatementNameError,
)


class PoolerError(OperatorError):
    """The URL leads to a connection pooler, such as PgBouncer."""

    def __init__(self) -> None:
        super().__init__(
            "KEYSTEAD_DATABASE_URL leads to a connection pooler such as PgBouncer. Keystead has a"
            " pool of its own, whose prepared statements, time limits and cancellations need"
            " sessions of PostgreSQL. Name PostgreSQL itself there; KEYSTEAD_DATABASE_POOL_SIZE"
            " limits the connections of a process."
        )


class EncodingError(OperatorError):
    """The database has another encoding than UTF8, in which it lacks letters of names."""

    def __init__(self, encoding: str) -> None:
        super().__init__(
            f"The database has the encoding {encoding}, in which Keystead cannot search, and may be"
            " unable to store names. Create one for Keystead by this SQL, and name it in"
            " KEYSTEAD_DATABASE_URL: create database keystead owner keystead template template0"
            " encoding 'UTF8' locale 'C'"
        )


class NoSchemaError(OperatorError):
    """The search path names no schema that exists and that the role may use."""

    def __init__(self, search_path: str) -> None:
        super().__init__(
            f"The search_path of the role in the database is {search_path}, and names no schema"
            " that exists and that the role may use. Create one, grant usage on it, or correct the"
            " path, for example by: alter role keystead reset search_path"
        )


class Connection(asyncpg.Connection):
    """A connection that ends when its peer is dead, and whose driver asks for no types.

    For an unknown type the driver reads the catalogue, at the first use of a statement on each
    connection: 0.1 to 0.3 seconds, and 16 in a large catalogue.
    """

    __slots__ = ("observe",)

    # Called with the SQL of each statement; gives the context manager in which it runs.
    observe: Observe | None

    def __init__(self, protocol: Any, transport: asyncio.Transport, *arguments: Any) -> None:
        super().__init__(protocol, transport, *arguments)
        self.observe = None
        self.get_settings().register_data_types(
            [
                # The members that asyncpg reads of the row of an array type.
                {
                    "oid": array,
                    "ns": "pg_catalog",
                    "name": f"_{name}",
                    "kind": b"b",
                    "elemtype": element,
                    "elemtype_name": name,
                    "elemdelim": ",",
                    **dict.fromkeys(("basetype", "range_subtype", "attrtypoids", "attrnames")),
                }
                for name, (array, element) in _ARRAYS.items()
            ]
        )
        own = transport.get_extra_info("socket")
        if own.family != socket.AF_UNIX:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _DEAD_PEER_OPTIONS.items():
                if hasattr(socket, name):
                    own.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class _Host(NamedTuple):
    name: str
    dsn: str


class Connector:
    """Connects to the host of a URL that takes writes, or to its only one."""

    def __init__(self, dsn: str, server_settings: Mapping[str, str]) -> None:
        self._hosts = _hosts(dsn)  # first, the host that accepted the last connection
        self._options: dict[str, Any] = {"server_settings": dict(server_settings)}
        if len(self._hosts) > 1:
            self._options["target_session_attrs"] = "read-write"

    async def connect(self) -> Connection:
        """A new connection. Raises one of CONNECT_ERRORS.

        With several hosts, the next one is tried while the earlier ones have not answered yet.
        """
        if len(self._hosts) == 1:
            return await self._attempt(self._hosts[0])
        untried, refusals = list(self._hosts), list[str]()
        attempts: dict[asyncio.Task[Connection], _Host] = {}
        try:
            while untried or attempts:
                if untried:
                    host = untried.pop(0)
                    attempts[asyncio.create_task(self._attempt(host))] = host
                others = _PATIENCE_SECONDS if refusals else None
                ended, _ = await asyncio.wait(
                    attempts,
                    timeout=_HEAD_START_SECONDS if untried else others,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if not ended and not untried:
                    break
                for attempt in ended:
                    host = attempts.pop(attempt)
                    if (error := attempt.exception()) is None:
                        self._hosts.remove(host)
                        self._hosts.insert(0, host)
                        return attempt.result()
                    refusals.append(f"{host.name}: {_reason(error)}")
            refusals += [f"{host.name}: no answer" for host in attempts.values()]
            raise ConnectionError("; ".join(refusals))
        finally:
            for attempt in attempts:
                attempt.cancel()
                attempt.add_done_callback(_end_unneeded)

    async def _attempt(self, host: _Host) -> Connection:
        connection: Connection = await asyncpg.connect(
            host.dsn, timeout=_CONNECT_SECONDS, connection_class=Connection, **self._options
        )
        return connection


async def require_session(connection: asyncpg.Connection) -> None:
    """PoolerError, EncodingError or NoSchemaError, if Keystead cannot work on the connection.

    A pooler answers the startup itself, with a process ID of its own for cancel requests.
    """
    try:
        [session] = await connection.fetch(_SESSION)
    except _SHARED_SESSION_ERRORS:
        raise PoolerError from None
    if session["process_id"] != connection.get_server_pid():
        raise PoolerError
    if (encoding := connection.get_settings().server_encoding) != "UTF8":
        raise EncodingError(encoding)
    if session["schema"] is None:
        raise NoSchemaError(session["search_path"])


def _reason(error: BaseException) -> str:
    if isinstance(error, asyncpg.TargetServerAttributeNotMatched):
        return "takes no writes (a standby, or read-only)"
    return f"{type(error).__name__}: {error}"


def is_of_pooler(error: BaseException | None) -> bool:
    """Whether a connection was refused as PgBouncer refuses it: it knows few startup parameters."""
    refused = isinstance(error, asyncpg.ProtocolViolationError)
    return refused and "startup parameter" in str(error)


def _hosts(dsn: str) -> list[_Host]:
    """Each host of a URL, with a URL of its own."""
    url = urlsplit(dsn)
    user, at, names = url.netloc.rpartition("@")
    if "," not in names:
        return [_Host(names, dsn)]
    return [
        _Host(name, urlunsplit(url._replace(netloc=f"{user}{at}{name}")))
        for name in names.split(",")
    ]


def _end_unneeded(attempt: asyncio.Task[Connection]) -> None:
    """Ends the connection of an attempt that is no longer needed."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().terminate()
