"""The schedule of keys: which one signs, when the next one is made, which ones have ended."""

from datetime import UTC, datetime, timedelta

import pytest

from server.signing.schedule import INTERVAL, KEPT, MAX_AGE, PREPUBLISHED, Schedule, SigningKey

_NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


def _schedule(*signs_in: timedelta) -> Schedule:
    """Keys a, b, ... that sign from these times on, counted from now."""
    keys = [
        SigningKey(kid, "{}", _NOW, _NOW + delay)
        for kid, delay in zip("abc", signs_in, strict=False)
    ]
    return Schedule(keys, _NOW)


def _kid(key: SigningKey | None) -> str | None:
    return key.kid if key else None


@pytest.mark.parametrize(
    ("signs_in", "current", "following"),
    [
        ([], None, None),
        ([timedelta(0)], "a", None),
        ([-_SECOND, _SECOND], "a", "b"),
        ([-_SECOND, timedelta(0)], "b", None),
        ([-2 * _SECOND, -_SECOND, _SECOND], "b", "c"),
        # the clock was set back
        ([timedelta(hours=1)], "a", None),
        ([timedelta(hours=1), timedelta(hours=2)], "a", "b"),
    ],
)
def test_the_youngest_due_key_signs(
    signs_in: list[timedelta], current: str | None, following: str | None
) -> None:
    schedule = _schedule(*signs_in)

    assert (_kid(schedule.current), _kid(schedule.next)) == (current, following)


@pytest.mark.parametrize(
    ("signs_in", "needs_key"),
    [
        ([], True),
        ([timedelta(0)], False),
        ([PREPUBLISHED - INTERVAL + _SECOND], False),
        ([PREPUBLISHED - INTERVAL], True),
        ([PREPUBLISHED - INTERVAL, PREPUBLISHED], False),
        ([timedelta(hours=1)], False),
    ],
)
def test_the_next_key_is_due_a_day_before_it_signs(
    signs_in: list[timedelta], *, needs_key: bool
) -> None:
    assert _schedule(*signs_in).needs_key is needs_key


@pytest.mark.parametrize(
    ("successor_signs_in", "ended"),
    [(-KEPT, ["a"]), (-KEPT + _SECOND, []), (PREPUBLISHED, [])],
)
def test_a_key_ends_when_its_last_token_has_expired(
    successor_signs_in: timedelta, ended: list[str]
) -> None:
    schedule = _schedule(-INTERVAL, successor_signs_in)

    assert [key.kid for key in schedule.ended] == ended


def test_a_verifier_knows_a_key_before_it_signs() -> None:
    assert MAX_AGE * 2 < PREPUBLISHED < INTERVAL
