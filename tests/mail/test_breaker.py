"""The times at which a failing destination is tried again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from server.mail.breaker import PATIENCE_SECONDS, Breaker
from tests.mail.mail_instance import DESTINATION

_OTHER = replace(DESTINATION, password="another")


@dataclass
class Clock:
    """A clock that a test sets."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def seconds_to_trial(self, breaker: Breaker) -> int:
        """Sets the clock to the next trial. Returns the seconds until then."""
        begin = self.now
        while not breaker.is_trial_due:
            self.now += 1
        return round(self.now - begin)


@pytest.fixture
def clock() -> Clock:
    """The time."""
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    """A breaker whose destination has just failed."""
    breaker = Breaker(clock=clock)
    assert not breaker.has_failed
    assert breaker.failed(DESTINATION)
    return breaker


def test_a_breaker_is_open_only_for_the_failed_destination(breaker: Breaker) -> None:
    assert breaker.has_failed
    assert breaker.is_open(DESTINATION)
    assert not breaker.is_open(_OTHER)
    assert not breaker.is_trial_due


_OUTAGE = (2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600)
_LOGIN = (60, 120, 240, 480, 600, 600)


@pytest.mark.parametrize(
    ("failures", "bounds"),
    [
        ([False] * len(_OUTAGE), _OUTAGE),
        ([True] * len(_LOGIN), _LOGIN),
        ([False, True, True], (2, 60, 120)),
        ([True, False, False], (60, 120, 240)),
    ],
    ids=["outage", "login", "a login after an outage", "an outage after a login"],
)
def test_each_failed_trial_doubles_the_wait_up_to_ten_minutes(
    clock: Clock, failures: Sequence[bool], bounds: Sequence[int]
) -> None:
    breaker = Breaker(clock=clock)
    for is_login, longest in zip(failures, bounds, strict=True):
        assert breaker.failed(DESTINATION, is_login=is_login)
        assert longest / 2 <= clock.seconds_to_trial(breaker) <= longest


def test_of_tries_that_fail_together_a_login_counts_once(breaker: Breaker, clock: Clock) -> None:
    assert breaker.failed(DESTINATION, is_login=True)
    assert not breaker.failed(DESTINATION, is_login=True)
    assert not breaker.failed(DESTINATION)

    assert 30 <= clock.seconds_to_trial(breaker) <= 60


def test_patience_ends_a_minute_after_the_first_failure(breaker: Breaker, clock: Clock) -> None:
    clock.now += PATIENCE_SECONDS - 1
    breaker.failed(DESTINATION)
    assert not breaker.has_lost_patience
    clock.now += 1
    assert breaker.has_lost_patience

    breaker.reached(DESTINATION)
    assert not breaker.has_lost_patience
    breaker.failed(DESTINATION)
    assert not breaker.has_lost_patience


def test_the_waits_of_breakers_differ(clock: Clock) -> None:
    waits = set()
    for _ in range(20):
        breaker = Breaker(clock=clock)
        breaker.failed(DESTINATION, is_login=True)
        waits.add(clock.seconds_to_trial(breaker))

    assert len(waits) > 1


def test_a_breaker_closes_when_the_failed_destination_is_reached(breaker: Breaker) -> None:
    assert not breaker.reached(_OTHER)
    assert breaker.is_open(DESTINATION)

    assert breaker.reached(DESTINATION)

    assert not breaker.has_failed
    assert not breaker.reached(DESTINATION)


def test_another_destination_that_fails_begins_from_the_beginning(
    breaker: Breaker, clock: Clock
) -> None:
    for _ in range(5):
        clock.seconds_to_trial(breaker)
        breaker.failed(DESTINATION)

    assert breaker.failed(_OTHER)

    assert breaker.is_open(_OTHER)
    assert not breaker.is_open(DESTINATION)
    assert clock.seconds_to_trial(breaker) <= 2
