"""Objects that stay until the end of the process, exempt from garbage collection."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Exempts the objects that exist at the end of the block, such as imported modules.

    Traversing them while more are imported, and again at the exit of the interpreter, is a third
    of the processor time of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def collect_less_often() -> None:
    """Exempts the objects that exist now, and collects rarely, as calls leave few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
