"""Reads lists page by page."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from server.validation.paging import MAX_PAGE_SIZE


async def pages(
    answer: Callable[[], Awaitable[Any]], request: Any, *, most: int | None = None
) -> AsyncIterator[Any]:
    """The answers to the request of a list; one answer if the list has no pages.

    `answer` calls the method with the request, in which the next page is set. `most` is the number
    of objects that the caller reads, if it does not read all.
    """
    has_pages = "page_size" in request.DESCRIPTOR.fields_by_name
    if has_pages:
        request.page_size = min(most or MAX_PAGE_SIZE, MAX_PAGE_SIZE)
    while True:
        page = await answer()
        yield page
        if not has_pages or not page.next_page_token:
            return
        request.page_token = page.next_page_token
