"""The functions of other features that commands on users call in their open transaction."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from server.access.admission import LockedUser
from server.store.database import Statements

OfUser = Callable[[Statements, str], Awaitable[None]]
OfOrganization = Callable[[Statements, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class OtherFeatures:
    """Constructed by `server/wiring/dependencies.py`. Their callers have locked the user.

    A pending registration is a ceremony that is not verified or a link that is neither used nor
    replaced.
    """

    # Serializes the commands that could remove the last instance owner.
    lock_default_organization: Callable[[Statements], Awaitable[None]]
    # Locks an organization, before any of its users.
    lock_organization: OfOrganization
    # The name of an organization.
    organization_name: Callable[[Statements, str], Awaitable[str]]
    # Whether an identity provider sets the address of the user at every sign-in.
    is_address_provided: Callable[[Statements, str], Awaitable[bool]]
    # Whether only administrators change the profiles of the users of an organization.
    keeps_profiles: Callable[[Statements, str], Awaitable[bool]]
    # Ends the ceremonies that the user began.
    end_begun_by: OfUser
    # Ends the links whose codes were returned to the user.
    end_returned_to: OfUser
    # Ends the links of the user whose codes were returned to the user itself.
    end_own_links: OfUser
    # Ends all pending registrations of the user and by the user.
    end_of_removed: OfUser
    # Ends the grants of the user to applications, and all pending registrations of the user and by
    # the user; by its organization and a creator of the events.
    end_of_locked: Callable[[Statements, str, str, str], Awaitable[None]]
    # The makers of the user's passkeys, identity links and pending registrations.
    list_makers: Callable[[Statements, LockedUser], Awaitable[set[str]]]
    # The user's passkeys and identity links that any of these makers made, by a name of their kind.
    list_made_by: Callable[
        [Statements, LockedUser, Sequence[str]], Awaitable[Mapping[str, Sequence[str]]]
    ]
    # Ends them, with their sessions, and the pending registrations; by a creator of the events.
    end_made_by: Callable[[Statements, LockedUser, Sequence[str], str], Awaitable[None]]
    # Ends the links of the user that were mailed to another address than this one, and those whose
    # codes were returned to the user itself.
    end_mailed_elsewhere: Callable[[Statements, LockedUser, str], Awaitable[None]]
    # The users who are members of all these groups.
    list_members: Callable[[Statements, Sequence[str]], Awaitable[Sequence[str]]]
    # The users whom all these applications of an organization admit. None: all of its users.
    list_admitted: Callable[[Statements, Sequence[str], str], Awaitable[Sequence[str] | None]]
    # When these users last entered an application, without those who never did.
    entered_at: Callable[[Statements, Sequence[str], str], Awaitable[Mapping[str, datetime]]]
