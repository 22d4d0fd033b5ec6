"""The access that began with a passkey or an identity link of a user.

Sessions record their passkey and their link. The grants, authorizations and tokens that are made in
a session outlive it, so they record both, as `began_with`. A token that was made with another one
has the record of that.

The rule: a lost or stolen credential ends all that began with it, in the transaction of its removal
(`server/wiring/dependencies.py`).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from server.store.database import Statements

# SQL: the projection of the field `began_with` of an event. Events of older releases lack it.
PROJECTED: Final = "array(select jsonb_array_elements_text(event.payload->'began_with'))"

# SQL, an expression: the record of what is made in a row of `sessions`.
OF_SESSION: Final = "array_remove(array[sessions.passkey_id, sessions.link_id], null)"


@dataclass(frozen=True, slots=True)
class EndedAccess:
    """The numbers of the sessions, applications and tokens of a user that lost access."""

    sessions: int = 0
    applications: int = 0
    tokens: int = 0


# Ends the grants and tokens of a locked user that began with a credential; by a creator of the
# events. The sessions end with the credential.
EndBegunWith: TypeAlias = Callable[[Statements, str, str, str], Awaitable[EndedAccess]]
