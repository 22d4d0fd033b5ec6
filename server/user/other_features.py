"""The functions of other features that commands on users call in their open transaction."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.store.database import Statements

OfUser = Callable[[Statements, str], Awaitable[None]]


class ListMakers(Protocol):
    """The makers of the user's passkeys, identity links and pending registrations."""

    async def __call__(
        self, transaction: Statements, *, user_id: str, organization_id: str
    ) -> set[str]: ...


class ListMadeBy(Protocol):
    """The user's passkeys and identity links that any of `makers` made, by a name of their kind."""

    async def __call__(
        self, transaction: Statements, makers: Sequence[str], *, user_id: str, organization_id: str
    ) -> Mapping[str, Sequence[str]]: ...


class EndMadeBy(Protocol):
    """Ends all that `ListMadeBy` names, with its sessions, and the pending registrations."""

    async def __call__(
        self,
        transaction: Statements,
        makers: Sequence[str],
        *,
        creator: str,
        user_id: str,
        organization_id: str,
    ) -> None: ...


class EndMailedElsewhere(Protocol):
    """Ends the links of the user that were mailed to another address than this one."""

    async def __call__(
        self, transaction: Statements, *, user_id: str, organization_id: str, address: str
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class OtherFeatures:
    """Constructed by `server/command_wiring.py`. Callers of these functions have locked the user.

    A pending registration is a ceremony that is not verified or a link that is neither used nor
    replaced.
    """

    # Serializes the commands that could remove the last instance owner.
    lock_default_organization: Callable[[Statements], Awaitable[None]]
    # Ends the ceremonies that the user began.
    end_begun_by: OfUser
    # Ends the links whose codes were returned to the user.
    end_returned_to: OfUser
    # Ends all pending registrations of the user and by the user.
    end_of_removed: OfUser
    list_makers: ListMakers
    list_made_by: ListMadeBy
    end_made_by: EndMadeBy
    end_mailed_elsewhere: EndMailedElsewhere
