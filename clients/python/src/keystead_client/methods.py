"""Finds out from its descriptor whether a method is safe to repeat."""

import functools
from typing import Final

from google.api import annotations_pb2
from google.protobuf import descriptor_pool

from keystead.options.v1 import options_pb2

READ: Final = "read"
KEYED: Final = "keyed"
ONCE: Final = "once"


@functools.cache
def kind_of(path: str) -> str:
    """The kind of the method at the path `/package.Service/Method`.

    READ changes nothing. KEYED is a change that takes an `x-idempotency-key`. ONCE takes none, such
    as a sign-in or a stream, or is a method of another service than Keystead's.
    """
    service, _, name = path.lstrip("/").partition("/")
    if not service.startswith("keystead."):
        return ONCE
    try:
        method = descriptor_pool.Default().FindServiceByName(service).methods_by_name[name]
    except KeyError:
        return ONCE
    options = method.GetOptions()
    rule = options.Extensions[annotations_pb2.http]
    if rule.WhichOneof("pattern") == "get" or options.idempotency_level == options.NO_SIDE_EFFECTS:
        return READ
    is_open = options.Extensions[options_pb2.access].open
    acts_outside = options.Extensions[options_pb2.acts_outside]
    return ONCE if is_open or acts_outside or method.server_streaming else KEYED
