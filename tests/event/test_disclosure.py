"""The API discloses only the event fields that are listed, and no event contains a secret."""

from datetime import UTC, datetime

from server.event.disclosure import SHOWN, WITHHELD, disclosed
from server.event.service import Watched
from server.operate.rebuild import PROJECTIONS
from server.store.eventlog import Event
from server.store.log.positions import PositionedEvent

# Importing `rebuild` imports every feature, and thereby every event.
_EVENTS = {event.event_type: event for event in PROJECTIONS}


def _types(kind: type[Event]) -> set[str]:
    """The types of the events derived from it, by name, because slots make each class twice."""
    own = {kind.event_type} if hasattr(kind, "event_type") else set[str]()
    of_features = (each for each in kind.__subclasses__() if each.__module__.startswith("server."))
    return own.union(*map(_types, of_features))


def _fields(event: type[Event]) -> frozenset[str]:
    return frozenset(event.__match_args__)


def test_the_log_has_no_event_that_is_not_replayed() -> None:
    assert _types(Event) == _EVENTS.keys()


def test_every_field_of_every_event_is_shown_or_withheld_on_purpose() -> None:
    judged = {
        event_type: SHOWN.get(event_type, frozenset()).union(
            *(fields.get(event_type, frozenset()) for fields in WITHHELD.values())
        )
        for event_type in _EVENTS
    }

    assert judged == {event_type: _fields(event) for event_type, event in _EVENTS.items()}
    assert SHOWN.keys() == _EVENTS.keys()


def test_no_field_is_both_shown_and_withheld() -> None:
    for fields in WITHHELD.values():
        for event_type, withheld in fields.items():
            assert not SHOWN[event_type] & withheld, event_type


def test_a_field_that_nobody_judged_is_withheld() -> None:
    shown, withheld = disclosed("idp.added", {"name": "Shown", "unheard_of": 1})

    assert shown == {"name": "Shown"}
    assert withheld == ["unheard_of"]


def test_nothing_of_an_event_that_nobody_judged_is_shown() -> None:
    assert disclosed("unheard.of", {"name": "x"}) == ({}, ["name"])


def test_a_watched_event_keeps_nothing_that_is_withheld() -> None:
    payload = {"issuer": "https://idp.example", "logo": "x" * 32_768}
    event = PositionedEvent(
        *(1, "idp.oidc_config_set", "idp", "idp-1", "org-1", "user-1", datetime.now(UTC), payload),
        position=1,
    )

    watched = Watched(event)

    assert watched.event.payload == {"issuer": "https://idp.example"}
    assert watched.message.withheld_fields == ["logo"]
