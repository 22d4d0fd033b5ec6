"""The functions of other features that the removal of an organization calls."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from server.store.database import Statements

# Removes objects of an organization, by a creator of the events; gives their number.
RemoveAll = Callable[[Statements, str, str], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class ObjectsOfOrganization:
    """Constructed by `server/wiring/dependencies.py`. Their caller has closed the organization."""

    # The number of its users.
    count_users: Callable[[Statements, str], Awaitable[int]]
    # Its objects by the fields of `RemovedObjects`, those that others name last.
    remove: Mapping[str, RemoveAll]
    # Deletes rows that are not in the log.
    forget: Sequence[Callable[[Statements, str], Awaitable[None]]]
