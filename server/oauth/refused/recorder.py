"""Notes refused requests of applications: in the log line, in the metrics, and in the database.

A refusal writes nothing by itself: the refusals of two seconds are written together. A server that
is killed loses those.
"""

import contextlib
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from prometheus_client import Counter

from server.access.cached_callers import CACHE_SECONDS
from server.application import store as application_store
from server.application.chosen import is_client_id
from server.oauth.refused import store
from server.oauth.refused.causes import PARAMETERS, Cause, cause_of
from server.oauth.refused.store import KeptRefusal
from server.rpc.call import AnyCall
from server.store.counted import CauseBuffer
from server.store.database import Statements
from server.values.cache import Cache
from server.values.errors import Failure

# The interval of `write`.
WRITE_SECONDS: Final = 2
_MOST_OWNERS: Final = 10_000
_MAX_VALUE: Final = 300
_MAX_CLIENT_ID: Final = 200
_LEFT_OUT: Final = "…"
_URIS: Final = frozenset({"redirect_uri", "post_logout_redirect_uri", "resource", "origin"})
# No other parameter is shown: it could be a secret, such as a code, a token or a state.
_SHOWN: Final = _URIS | {
    "code_challenge_method",
    "grant_type",
    "prompt",
    "response_mode",
    "response_type",
    "scope",
}


@dataclass(slots=True)
class Refusable:
    """A request that may be refused: its endpoint, its application, and its parameters.

    `owner` is the organization of the application, if it is known already.
    """

    endpoint: str
    client_id: str
    parameters: Any = None
    owner: str = ""


class Refusals:
    """Notes refusals, and keeps those of added applications."""

    def __init__(self, database: Statements, counter: Counter) -> None:
        """`counter` has the labels endpoint and reason."""
        self._database = database
        self._counter = counter
        self._buffer = CauseBuffer[KeptRefusal]()
        # The organizations of applications; None: there is no such application.
        self._owners: Cache[str, str | None] = Cache(_MOST_OWNERS)

    @contextlib.asynccontextmanager
    async def noted(
        self, call: AnyCall, refusable: Refusable, *, only: Collection[Cause] = tuple(Cause)
    ) -> AsyncIterator[Refusable]:
        """Notes the failure of the block if it refuses the request for one of these causes."""
        try:
            yield refusable
        except Failure as failure:
            if (cause := cause_of(failure)) in only and cause is not None:
                await self.note(call, refusable, cause, parameter=_parameter(failure))
            raise

    async def note(
        self, call: AnyCall, refusable: Refusable, cause: Cause, *, parameter: str = ""
    ) -> None:
        """Notes a refusal. `parameter` is that of a cause that concerns several."""
        parameter = parameter or PARAMETERS.get(cause, "")
        value = ""
        if parameter in _SHOWN:
            value = _shown(parameter, getattr(refusable.parameters, parameter, ""))
        self._counter.labels(refusable.endpoint, cause).inc()
        fields = {
            "endpoint": refusable.endpoint,
            "refused": cause,
            "client_id": refusable.client_id[:_MAX_CLIENT_ID],
            "parameter": parameter,
            "value": value,
        }
        call.noted = {name: text for name, text in fields.items() if text}
        if (owner := await self._owner(refusable, cause)) is not None:
            self._buffer.add(
                KeptRefusal(
                    refusable.client_id,
                    owner,
                    refusable.endpoint,
                    cause,
                    parameter,
                    value,
                    count=1,
                    refused_at=datetime.now(UTC),
                    request_ids=[call.request_id],
                )
            )

    async def write(self) -> None:
        """Writes the refusals of the time since the last call. They are lost if it fails."""
        if rows := self._buffer.take():
            await store.add(self._database, rows)

    async def _owner(self, refusable: Refusable, cause: Cause) -> str | None:
        """The organization of an added application; None: it is unknown."""
        client_id = refusable.client_id
        # Other texts than IDs would fill the memory, and PostgreSQL refuses some.
        if cause is Cause.UNKNOWN_CLIENT or not is_client_id(client_id):
            return None
        if refusable.owner:
            return refusable.owner
        try:
            return await self._owners.get(
                client_id,
                lambda: application_store.owner_of(self._database, client_id),
                seconds=CACHE_SECONDS,
            )
        except Failure:  # of the database: the request is refused with its own
            return None


def _parameter(failure: Failure) -> str:
    """The parameter of the first wrong field, by its name in the schema, without an index."""
    for violation in failure.violations:
        name = violation.field.partition(".")[0]
        return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)
    return ""


def _shown(parameter: str, sent: Any) -> str:
    """The sent value as administrators see it: short, printable, and without secrets.

    Programs put tokens and states into the query, the fragment and the user information of URIs.
    """
    texts = [sent] if isinstance(sent, str) else [*sent]
    text = " ".join(map(_without_secrets, texts) if parameter in _URIS else texts)
    shown = "".join(each if each.isprintable() else "?" for each in text[:_MAX_VALUE])
    return shown if len(text) <= _MAX_VALUE else f"{shown}{_LEFT_OUT}"


def _without_secrets(uri: str) -> str:
    address = uri.partition("#")[0].partition("?")[0]
    try:
        authority = urlsplit(address).netloc
    except ValueError:
        authority = address
    user, at, host = authority.rpartition("@")
    kept = address.replace(authority, f"{_LEFT_OUT}@{host}", 1) if at and user else address
    return kept if address == uri else f"{kept}{_LEFT_OUT}"
