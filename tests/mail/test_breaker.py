"""When a destination that fails is tried again."""

from dataclasses import dataclass, replace

import pytest

from server.mail.breaker import Breaker
from tests.mail.desk import DESTINATION

_OTHER = replace(DESTINATION, password="another")
_LONGEST_SECONDS = 600


@dataclass
class Clock:
    """A clock that stands still unless a test moves it."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def seconds_to_trial(self, breaker: Breaker) -> int:
        """Lets that time pass."""
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
    """One for which something has just failed."""
    breaker = Breaker(clock=clock)
    assert not breaker.has_failed
    assert breaker.failed(DESTINATION)
    return breaker


def test_it_is_open_for_what_failed_alone(breaker: Breaker) -> None:
    assert breaker.has_failed
    assert breaker.is_open(DESTINATION)
    assert not breaker.is_open(_OTHER)
    assert not breaker.is_trial_due


def test_each_failed_trial_doubles_the_wait_up_to_ten_minutes(
    breaker: Breaker, clock: Clock
) -> None:
    for longest in (60, 120, 240, 480, 600, 600):
        assert longest / 2 <= clock.seconds_to_trial(breaker) <= longest
        assert breaker.failed(DESTINATION)


def test_it_bears_an_outage_of_any_length(breaker: Breaker, clock: Clock) -> None:
    for _ in range(2000):
        clock.now += _LONGEST_SECONDS
        assert breaker.failed(DESTINATION)

    assert clock.seconds_to_trial(breaker) <= _LONGEST_SECONDS


def test_waits_differ(clock: Clock) -> None:
    waits = set()
    for _ in range(20):
        breaker = Breaker(clock=clock)
        breaker.failed(DESTINATION)
        waits.add(clock.seconds_to_trial(breaker))

    assert len(waits) > 1


def test_tries_that_fail_together_are_one_failure(breaker: Breaker, clock: Clock) -> None:
    assert not breaker.failed(DESTINATION)
    assert not breaker.failed(DESTINATION)

    assert clock.seconds_to_trial(breaker) <= 60
    breaker.failed(DESTINATION)
    assert 60 <= clock.seconds_to_trial(breaker) <= 120


def test_it_closes_when_what_failed_is_reached(breaker: Breaker) -> None:
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
    assert clock.seconds_to_trial(breaker) <= 60
