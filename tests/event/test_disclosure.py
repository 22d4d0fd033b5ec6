"""The API discloses only the event fields that are listed, and no event contains a secret."""

from datetime import UTC, datetime

from server.event.disclosure import EVENTS, audiences, disclosed
from server.event.service import Watched
from server.log.event import Audience, Event
from server.log.positions import PositionedEvent
from server.operate.rebuild.projections import PROJECTIONS


def _types(kind: type[Event]) -> set[str]:
    """The types of the events derived from it, by name, because slots make each class twice."""
    own = {kind.event_type} if hasattr(kind, "event_type") else set[str]()
    of_features = (each for each in kind.__subclasses__() if each.__module__.startswith("server."))
    return own.union(*map(_types, of_features))


def test_the_log_has_no_event_that_is_not_listed_and_replayed() -> None:
    # Importing `rebuild` imports every feature, and thereby every event.
    assert _types(Event) == EVENTS.keys() == {event.event_type for event in PROJECTIONS}


def test_every_field_of_every_event_declares_one_audience() -> None:
    for event in EVENTS.values():
        for name, declared in audiences(event).items():
            assert [type(each) for each in declared] == [Audience], (event, name)


def test_a_field_that_nobody_judged_is_withheld() -> None:
    shown, withheld = disclosed("idp.added", {"name": "Shown", "unheard_of": 1})

    assert shown == {"name": "Shown"}
    assert withheld == ["unheard_of"]


def test_nothing_of_an_event_that_nobody_judged_is_shown() -> None:
    assert disclosed("unheard.of", {"name": "x"}) == ({}, ["name"])


def test_a_watched_event_keeps_nothing_that_is_withheld() -> None:
    payload = {"issuer": "https://idp.example", "logo": "x" * 32_768}
    event = PositionedEvent(
        *(datetime.now(UTC), 1, "idp.oidc_config_set", "idp", "idp-1", "org-1", "user-1", payload),
        position=1,
        cursor=1,
    )

    watched = Watched(event)

    assert watched.event.payload == {"issuer": "https://idp.example"}
    assert watched.message.withheld_fields == ["logo"]
