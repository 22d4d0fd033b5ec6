"""Pages and files that are the same for everybody, as long as the server runs.

They are read before the first request, so what changes on the disk afterwards changes no answer.
"""

import hashlib
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

# Kept by the browser, which asks each time whether it still is the same.
REVALIDATED = {"cache-control": "no-cache"}
# Kept for a year without asking, for a name that only ever means one content. RFC 8246.
IMMUTABLE = {"cache-control": "max-age=31536000, immutable"}


def static(
    path: str, content: bytes, media_type: str, *, headers: Mapping[str, str] = REVALIDATED
) -> Route:
    """A file of this content, and 304 to who has it already."""
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    sent = {**headers, "etag": tag}

    async def answer(request: Request) -> Response:
        if _names(",".join(request.headers.getlist("if-none-match")), tag):
            return Response(status_code=304, headers=sent)
        return Response(content, headers=sent, media_type=media_type)

    return Route(path, answer)


def _names(if_none_match: str, tag: str) -> bool:
    """Whether the header, compared weakly, names this entity tag. RFC 9110, section 13.1.2."""
    named = (each.strip().removeprefix("W/") for each in if_none_match.split(","))
    return any(each in ("*", tag) for each in named)
