"""The headers of preconditions and retries, as a call sends them (decision 11)."""

import re
from dataclasses import dataclass
from typing import Final

from server.rpc.call import Call
from server.rpc.preconditions.changes import IDEMPOTENCY_KEY, IF_MATCH, VALIDATE_ONLY, Change
from server.values.errors import Violation, invalid

HEADERS: Final = frozenset({IF_MATCH, VALIDATE_ONLY, IDEMPOTENCY_KEY})
_KEY = re.compile(r"[\x21-\x7e]{1,128}")
# RFC 9110, section 8.8.3. A weak one never matches (section 13.1.1).
_ENTITY_TAGS = re.compile(r'\s*(?:W/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W/)?"[\x21\x23-\x7e]*"\s*)*')
_STRONG_TAG = re.compile(r'(?<![/"])"([\x21\x23-\x7e]*)"')


@dataclass(frozen=True, slots=True)
class Demands:
    """The headers of a change. `tags` are the entity tags of `if-match`; None for `*`."""

    is_conditional: bool
    tags: frozenset[str] | None
    validates_only: bool
    key: str | None


def demands_of(call: Call, change: Change) -> Demands:
    """Reads the headers. `Failure` INVALID_ARGUMENT if the change cannot honour one of them."""
    if_match, validate_only = call.headers.get(IF_MATCH, ()), call.headers.get(VALIDATE_ONLY, ())
    keys = call.headers.get(IDEMPOTENCY_KEY, ())
    violations: list[Violation] = []
    if change.refuses:
        violations += [
            Violation(name, f"must not be sent: {change.refuses}")
            for name in sorted(HEADERS)
            if call.headers.get(name, ())
        ]
    elif if_match and change.lock is None:
        violations.append(
            Violation(IF_MATCH, "must not be sent: before this call its object has no ETag")
        )
    tags = ", ".join(if_match)
    if if_match and tags.strip() != "*" and not _ENTITY_TAGS.fullmatch(tags):
        violations.append(
            Violation(IF_MATCH, 'must be * or ETags in quotes, like "1763800000000000"')
        )
    if validate_only and validate_only not in (["true"], ["false"]):
        violations.append(Violation(VALIDATE_ONLY, "must be true or false, sent once"))
    if keys and (len(keys) > 1 or not _KEY.fullmatch(keys[0])):
        violations.append(
            Violation(IDEMPOTENCY_KEY, "must be 1 to 128 visible ASCII characters, sent once")
        )
    elif keys and validate_only == ["true"]:
        violations.append(
            Violation(IDEMPOTENCY_KEY, f"must not be sent together with {VALIDATE_ONLY}")
        )
    if violations:
        raise invalid(*violations)
    return Demands(
        is_conditional=bool(if_match),
        tags=None if tags.strip() == "*" else frozenset(_STRONG_TAG.findall(tags)),
        validates_only=validate_only == ["true"],
        key=keys[0] if keys else None,
    )
