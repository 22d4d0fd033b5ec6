"""The pages to which the pages of this server send people back (decision 29).

The rule: no page decides by itself. The server checks the whole URL, and a page navigates only to a
URL that the server has just allowed.
"""

from collections.abc import Collection
from typing import Final

from server.application import store
from server.store.database import Statements
from server.validation.uris import page_origin
from server.values.errors import Violation, invalid

_FIELD: Final = "returnTo"


class ReturnTargets:
    """Pages of these origins, and of the redirect URIs and origins of all applications."""

    def __init__(self, origins: Collection[str]) -> None:
        self._origins = frozenset(origins)

    async def check(self, database: Statements, url: str) -> None:
        """Checks the field `return_to` of a request. `Failure` INVALID_ARGUMENT."""
        if problem := await self._problem(database, url):
            raise invalid(Violation(_FIELD, problem))

    async def allows(self, database: Statements, url: str) -> bool:
        """Whether people may be sent to a page that was checked before."""
        return not await self._problem(database, url)

    async def _problem(self, database: Statements, url: str) -> str:
        """The correction of a URL; empty: it is allowed."""
        try:
            origin = page_origin(url)
        except ValueError as error:
            return str(error)
        if origin in self._origins or await store.is_page_origin(database, origin):
            return ""
        return (
            "must be a page of an application, or of an origin in KEYSTEAD_RETURN_ORIGINS, a"
            " setting of the server"
        )
