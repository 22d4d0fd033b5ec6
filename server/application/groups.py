"""The functions of the group feature that commands on applications call."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from server.store.database import Statements


class LockNamedGroups(Protocol):
    """The organization's groups among ids and names: their ids by id and name, locked."""

    async def __call__(
        self, transaction: Statements, named: Collection[str], organization_id: str
    ) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Groups:
    """The functions of the group feature, constructed by `server/wiring/dependencies.py`."""

    lock_named: LockNamedGroups
    # Those of some ids that are groups.
    list_existing: Callable[[Statements, Collection[str]], Awaitable[set[str]]]
