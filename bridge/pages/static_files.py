"""Static pages and files: they are the same for every caller while the server runs.

They are read and compressed before the first request, so later changes of the files on disk have no
effect. They contain no secrets, so compression reveals none by the length.
"""

import gzip
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, Self, TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge.media_types import essence, is_refused
from bridge.metadata import Headers, elements
from server.values.languages import ENGLISH, first_known

# Browsers cache the file, and ask each time whether it has changed.
REVALIDATED = {"cache-control": "no-cache"}
# Browsers cache the file for a year without asking; its name contains a hash (RFC 8246).
IMMUTABLE = {"cache-control": "max-age=31536000, immutable"}

# Answers a request for one file or page.
Answer: TypeAlias = Callable[[Request], Awaitable[Response]]

# Compressed files in memory: all files, and the pages in the last few brands.
_KEPT = 512

# A language and its weight (RFC 9110, section 12.5.4).
_LANGUAGE_RANGE = re.compile(
    r"(?P<range>[a-z]{1,8}(-[a-z0-9]{1,8})*)([ \t]*;[ \t]*q=(?P<weight>[01](\.\d{0,3})?))?",
    re.IGNORECASE | re.ASCII,
)


class _Representation(NamedTuple):
    """The content in one coding, and the entity tag of these bytes."""

    body: bytes
    tag: str
    coding: Mapping[str, str]

    @classmethod
    def of(cls, body: bytes, **coding: str) -> Self:
        return cls(body, entity_tag(body), coding)


class _File(NamedTuple):
    """The content as it is, and compressed if that makes it smaller, unlike images."""

    plain: _Representation
    smaller: _Representation

    @classmethod
    def of(cls, content: bytes) -> Self:
        plain = _Representation.of(content)
        zipped = _Representation.of(_compressed(content), **{"content-encoding": "gzip"})
        return cls(plain, min(plain, zipped, key=lambda each: len(each.body)))


def static(
    path: str,
    content: bytes | Mapping[str, bytes],
    media_type: str,
    *,
    headers: Mapping[str, str] = REVALIDATED,
) -> Route:
    """A route to this content."""
    return Route(path, static_answer(content, media_type, headers=headers))


def static_answer(
    content: bytes | Mapping[str, bytes],
    media_type: str,
    *,
    headers: Mapping[str, str] = REVALIDATED,
) -> Answer:
    """The answers with this content, compressed if the client accepts gzip; 304 if it has it.

    A page in several languages is by language tag, and is sent in the one that the client prefers.
    """
    contents = {"": content} if isinstance(content, bytes) else content
    files = {language: _File.of(each) for language, each in contents.items()}
    vary = "accept-encoding" if "" in files else "accept-encoding, accept-language"
    headers = {**headers, "vary": vary}

    async def answer(request: Request) -> Response:
        language = "" if "" in files else preferred_language(request)
        accepts_gzip = _accepts_gzip(request.scope["headers"])
        file = files[language]
        body, tag, coding = file.smaller if accepts_gzip else file.plain
        sent = {**headers, "content-language": language} if language else headers
        return revalidated(request, tag, sent) or Response(
            body, headers={**sent, **coding, "etag": tag}, media_type=media_type
        )

    return answer


@lru_cache(maxsize=_KEPT)
def _compressed(content: bytes) -> bytes:
    """Compresses once per process: Swagger UI takes 30 milliseconds.

    Level 9 would take 60, and save 1.5 per cent of the size.
    """
    return gzip.compress(content, compresslevel=5, mtime=0)


def _accepts_gzip(headers: Headers) -> bool:
    """Whether `accept-encoding` names gzip (RFC 9110, section 12.5.3); `*` does not count."""
    codings = elements(headers, b"accept-encoding")
    return any(essence(each) == b"gzip" and not is_refused(each) for each in codings)


def preferred_language(request: Request) -> str:
    """The language of pages that the client prefers, by weight and then by order."""
    accepted = elements(request.scope["headers"], b"accept-language")
    ranges = (_LANGUAGE_RANGE.fullmatch(each.strip().decode("latin-1")) for each in accepted)
    weighed = [(float(found["weight"] or 1), found["range"]) for found in ranges if found]
    weighed.sort(key=lambda each: -each[0])
    return first_known(name for weight, name in weighed if weight) or ENGLISH


def entity_tag(body: bytes) -> str:
    """The entity tag of these bytes (RFC 9110, section 8.8.3)."""
    return f'"{hashlib.sha256(body).hexdigest()}"'


def revalidated(request: Request, tag: str, headers: Mapping[str, str]) -> Response | None:
    """The answer 304 if the client has the body with this entity tag; None otherwise.

    Tags are compared weakly (RFC 9110, section 13.1.2).
    """
    known = elements(request.scope["headers"], b"if-none-match")
    if any(each.strip().removeprefix(b"W/") in (b"*", tag.encode()) for each in known):
        return Response(status_code=304, headers={**headers, "etag": tag})
    return None
