"""The server with one part of the seam taken out: what it costs less is what the part costs.

`python -m bench.without PART` serves as `keystead serve` does. What is left is called as before, so
the calls of the bench must need no more than it: they are those of one administrator, all valid.

The rule: a part is a function of the product by its full name, so that one that is renamed ends the
bench instead of measuring nothing.
"""

import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from unittest import mock

from pydantic import BaseModel

from server.access.authenticator import Authenticator
from server.access.authorizer import Authorizer
from server.cli import main
from server.rpc.call import Call, _current
from server.store.turns import current_claimant

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _nothing(*_args: object) -> None:
    pass


def _always_as_first(decide: Callable[_P, Awaitable[_T]]) -> Callable[_P, Awaitable[_T]]:
    """Answers all calls as it did the first one."""
    answers: list[_T] = []

    @wraps(decide)
    async def decided(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not answers:
            answers.append(await decide(*args, **kwargs))
        return answers[0]

    return decided


def _begin_without_deadline(call: Call, _running: object) -> None:
    _current.set(call)
    current_claimant.set(call)


def _unchecked(model: type[BaseModel], source: object) -> BaseModel:
    return model.model_construct(**{name: getattr(source, name) for name in model.model_fields})


# What is taken out, and what takes its place.
PARTS: Mapping[str, tuple[str, Any]] = {
    "the log line": ("server.rpc.call_log._log_call", _nothing),
    "metrics": ("server.telemetry.metrics.Metrics.call_ended", _nothing),
    "a new request id": ("server.rpc.call._request_id", lambda _: "0" * 32),
    "the deadline": ("server.rpc.call.Call.begin", _begin_without_deadline),
    "who calls": (
        "server.access.authenticator.Authenticator.authenticate",
        _always_as_first(Authenticator.authenticate),
    ),
    "whether they may": (
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
