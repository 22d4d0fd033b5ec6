"""Lists page by `page_size` and `page_token` (AIP-158)."""

import base64
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from server.validation.fields import Command, is_id
from server.values.errors import Violation, invalid

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200

Row = TypeVar("Row")


class Page(Command):
    """The page of a list that a request asks for."""

    page_size: Annotated[int, Field(ge=0)]
    page_token: str

    def limit(self) -> int:
        """The number of rows to read: one more than the page has, to see whether it is the last."""
        return min(self.page_size or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE) + 1

    def after(self, parent: str) -> str:
        """The id after which the page begins; empty for the first page.

        `Failure` INVALID_ARGUMENT for a token of another list.
        """
        if not self.page_token:
            return ""
        try:
            token = base64.urlsafe_b64decode(self.page_token.encode("ascii")).decode("ascii")
        except ValueError:
            token = ""
        token_parent, _, last_id = token.rpartition(":")
        if token_parent != parent or not is_id(last_id):
            raise invalid(
                Violation("pageToken", "must be the nextPageToken of the page before, or empty")
            )
        return last_id

    def cut(
        self, rows: Sequence[Row], parent: str, id_of: Callable[[Row], str]
    ) -> tuple[Sequence[Row], str]:
        """The rows of the page, and the token of the next page, which is empty on the last."""
        if len(rows) < self.limit():
            return rows, ""
        page = rows[: self.limit() - 1]
        return page, base64.urlsafe_b64encode(f"{parent}:{id_of(page[-1])}".encode()).decode()
