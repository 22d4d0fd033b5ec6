"""The functions of other features that commands on users call in their open transaction."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.store.database import Statements

OfUser = Callable[[Statements, str], Awaitable[None]]


class EndMadeBy(Protocol):
    """Ends the pending registrations that any of `makers` made for the user."""

    async def __call__(
        self, transaction: Statements, makers: Sequence[str], *, user_id: str, organization_id: str
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
    # The makers of the user's pending registrations.
    list_makers: Callable[[Statements, str], Awaitable[set[str]]]
    # Ends the ceremonies that the user began.
    end_begun_by: OfUser
    # Ends the links whose codes were returned to the user.
    end_returned_to: OfUser
    # Ends all pending registrations of the user and by the user.
    end_of_removed: OfUser
    end_made_by: EndMadeBy
    end_mailed_elsewhere: EndMailedElsewhere
