"""The pictures of users, for everybody who knows their keys."""

from server.store.database import Database
from server.store.turns import REQUEST, current_claimant
from server.user import store


class Pictures:
    """Reads pictures. Strangers who ask for many of them delay no caller."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, key: str) -> bytes:
        """The picture with this key; empty: there is none. `Failure` UNAVAILABLE."""
        token = current_claimant.set(REQUEST)
        try:
            return await store.picture(self._database, key)
        finally:
            current_claimant.reset(token)
