"""Lists page by `page_size` and `page_token` (AIP-158)."""

import base64
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, ClassVar, Concatenate, Final, TypeVar

from pydantic import AfterValidator, Field

from server.validation.fields import Command
from server.values.errors import Violation, invalid

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
# Sorts after every ID: the start of a list whose newest objects come first.
NEWEST: Final = "~"

_CURSOR: Final = re.compile(r"([0-9]{1,19})?")


def _cursor(text: str) -> str:
    if not _CURSOR.fullmatch(text):
        raise ValueError("must be the cursor of a message")
    return text


# The place of a consumer in the log, as clients store it. Empty: the end.
Cursor = Annotated[str, AfterValidator(_cursor)]
Item = TypeVar("Item")
Source = TypeVar("Source")

# Of users, the most general IDs.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")


def place_of(cursor: str) -> int | None:
    """The place that a cursor stands for; None without one."""
    return int(cursor) if cursor else None


class Page(Command):
    """The page of a list that a request asks for, of at most `max_page_size`.

    Each list has a subclass with the name of its method. A page token contains this name and the
    parent of the list, and is valid for this list only.
    """

    max_page_size: ClassVar[int] = MAX_PAGE_SIZE

    page_size: Annotated[int, Field(ge=0)]
    page_token: str

    async def read(
        self,
        list_after: Callable[Concatenate[Source, ...], Awaitable[Sequence[Item]]],
        source: Source,
        id_of: Callable[[Item], str],
        **parent: str,
    ) -> tuple[Sequence[Item], str]:
        """The items of the page, and the token of the next page, which is empty on the last.

        `list_after` takes the ID of the parent, if the list has one, `after` and `limit`. `Failure`
        INVALID_ARGUMENT for a token of another list.
        """
        parent_id = "".join(parent.values())
        found = await list_after(source, **parent, after=self.after(parent_id), limit=self.limit())
        return self.cut(found, parent_id, id_of)

    def size(self) -> int:
        """The maximum number of rows of the page."""
        return min(self.page_size or DEFAULT_PAGE_SIZE, self.max_page_size)

    def limit(self) -> int:
        """The number of rows to read: one more than the page, to detect whether it is the last."""
        return self.size() + 1

    def after(self, parent: str) -> str:
        """The id after which the page begins; empty for the first page.

        `Failure` INVALID_ARGUMENT for a token of another list.
        """
        found = self.position(parent, _ID)
        return found[0] if found else ""

    def position(self, parent: str, form: re.Pattern[str]) -> re.Match[str] | None:
        """The position after which the page begins, which has this form; None for the first page.

        `Failure` INVALID_ARGUMENT for a token of another list.
        """
        if not self.page_token:
            return None
        try:
            token = base64.urlsafe_b64decode(self.page_token.encode("ascii")).decode("ascii")
        except ValueError:
            token = ""
        list_name = self._list_name(parent)
        found = form.fullmatch(token.removeprefix(list_name))
        if found is None or not token.startswith(list_name):
            raise invalid(
                Violation("pageToken", "must be the nextPageToken of the previous page, or empty")
            )
        return found

    def token(self, parent: str, position: str) -> str:
        """The token of the page that begins after the position."""
        return base64.urlsafe_b64encode(f"{self._list_name(parent)}{position}".encode()).decode()

    def _list_name(self, parent: str) -> str:
        return f"{type(self).__name__}:{parent}:"

    def cut(
        self, rows: Sequence[Item], parent: str, id_of: Callable[[Item], str]
    ) -> tuple[Sequence[Item], str]:
        """The rows of the page, and the token of the next page, which is empty on the last."""
        if len(rows) < self.limit():
            return rows, ""
        page = rows[: self.size()]
        return page, self.token(parent, id_of(page[-1]))
