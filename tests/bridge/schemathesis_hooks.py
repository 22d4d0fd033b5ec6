"""What schemathesis must not do, or every later answer would be a refusal."""

import os
from typing import Any

import schemathesis

_NOBODY = "00000000-0000-7000-8000-000000000000"


@schemathesis.hook
def before_call(
    _context: schemathesis.HookContext, case: schemathesis.Case[Any], _kwargs: dict[str, Any]
) -> None:
    """Whoever calls does not take away its own user, role or token."""
    itself = os.environ["KEYSTEAD_TEST_USER_ID"]
    if case.method == "DELETE" and case.path_parameters.get("userId") == itself:
        case.path_parameters["userId"] = _NOBODY


@schemathesis.hook
def filter_case(_context: schemathesis.HookContext, case: schemathesis.Case[Any]) -> bool:
    """Null stands for an absent field, which the description does not say (decision 24)."""
    return not _has_null(case.body)


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    return value is None
