"""The progress of long work."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Progress(NamedTuple):
    """The progress of a step, in units. `total` is 0 for a step that does not count them."""

    step: str
    done: int = 0
    total: int = 0
    units: str = "events"


Tell: TypeAlias = Callable[[Progress], None]


def tell_nobody(_progress: Progress) -> None:
    """For callers that do not show progress."""
