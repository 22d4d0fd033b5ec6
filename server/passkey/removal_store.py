"""The removal of passkeys, by its user, a manager, or the grant of a role (`access/makers.py`).

Commands on users import this module by `server/wiring/dependencies.py`, so it imports no WebAuthn.
"""

from typing import Final

from server.access import makers
from server.access.user_aggregate import LOST_PASSKEY, part_of_user
from server.log.append import Projections, append
from server.passkey.events import PasskeyRemoved
from server.passkey.refusals import passkey_not_found
from server.session import fragments
from server.session import store as session_store
from server.store.database import Statements
from server.store.rows import Details

PROJECTIONS: Projections = {
    PasskeyRemoved: [
        """
        delete from unique_claims using event, passkeys
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'
            and unique_claims.kind = 'credential_id'
            and unique_claims.aggregate_id = event.aggregate_id
            and unique_claims.value = passkeys.rp_id || ':' || encode(passkeys.credential_id, 'hex')
        """,
        """
        delete from passkeys using event
        where passkeys.user_id = event.aggregate_id
            and passkeys.passkey_id = event.payload->>'passkey_id'""",
        LOST_PASSKEY,
    ],
}

# Removes a passkey.
_REMOVE = append(
    PasskeyRemoved,
    target=part_of_user(
        join="join passkeys on passkeys.user_id = account.id",
        where="passkeys.passkey_id = :passkey_id",
        creation_date="passkeys.creation_date",
    ),
    projections=PROJECTIONS,
    also=fragments.ACTIVITY_ENDED,
    missing=("passkey_id", passkey_not_found),
)

MADE: Final = makers.MadeCredentials("passkeys", "passkey_id", made_by=makers.OF_PASSKEY)


async def remove(
    transaction: Statements,
    passkey_id: str,
    *,
    lost_or_stolen: bool = False,
    creator: str,
    user_id: str,
) -> tuple[Details, int]:
    """Removes a passkey of a locked user, and its sessions; returns their number.

    `Failure` NOT_FOUND.
    """
    ended = await session_store.list_ids(transaction, user_id=user_id, passkey_id=passkey_id)
    event = PasskeyRemoved(passkey_id, ended, lost_or_stolen)
    removed = await _REMOVE.details(transaction, event, creator=creator, user_id=user_id)
    return removed, len(ended)
