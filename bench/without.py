"""The server without one part of the seam, to measure the cost of that part.

`python -m bench.without PART` serves like `keystead serve`. The remaining parts suffice for the
calls of the bench, which are valid calls of one administrator.

The rule: a part is named by the full name of its function, so that a renamed function fails the
bench instead of measuring nothing.
"""

import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from unittest import mock
from uuid import UUID

from pydantic import BaseModel

from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.cli import main
from server.rpc.call import Call
from server.store.turns import current_claimant

_P = ParamSpec("_P")
_T = TypeVar("_T")
_ID = UUID(int=0)


def _nothing(*_args: object) -> None:
    pass


def _always_as_first(decide: Callable[_P, Awaitable[_T]]) -> Callable[_P, Awaitable[_T]]:
    """A function that answers all calls with the result of the first one."""
    answers: list[_T] = []

    @wraps(decide)
    async def decided(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not answers:
            answers.append(await decide(*args, **kwargs))
        return answers[0]

    return decided


def _begin_without_deadline(call: Call, _running: object) -> None:
    current_claimant.set(call)


def _unchecked(model: type[BaseModel], source: object) -> BaseModel:
    return model.model_construct(**{name: getattr(source, name) for name in model.model_fields})


# The removed functions and their replacements.
PARTS: Mapping[str, tuple[str, Any]] = {
    "the log line": ("server.rpc.call_log._log_call", _nothing),
    "metrics": ("server.telemetry.metrics.Metrics.call_ended", _nothing),
    "a new request id": ("server.rpc.call.uuid4", lambda: _ID),
    "the deadline": ("server.rpc.call.Call.begin", _begin_without_deadline),
    "the caller": (
        "server.access.authenticator.Authenticator.authenticate",
        _always_as_first(Authenticator.authenticate),
    ),
    "the permission": (
        "server.access.authorizer.Authorizer.authorize",
        _always_as_first(Authorizer.authorize),
    ),
    "validation": ("server.idp.service.read", _unchecked),
}

if __name__ == "__main__":
    [_, part] = sys.argv
    target, replacement = PARTS[part]
    sys.argv[1:] = ["serve"]
    with mock.patch(target, replacement):
        main()
