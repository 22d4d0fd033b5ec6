"""The events of this release, and their fields that the API and `keystead audit` show.

See decision 4.

The rule: a field is withheld unless its event declares an audience for it. Every field of every
event declares one (`tests/event/test_disclosure.py`).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_type_hints

from server.application import events as application
from server.group import events as group
from server.idp import events as idp
from server.idp.domains import events as idp_domains
from server.idp.links import events as idp_links
from server.idp.oidc import events as oidc
from server.log.event import Audience, Event
from server.oauth import events as oauth
from server.org import events as org
from server.org.brand import events as brand
from server.org.mail_texts import events as mail_text
from server.passkey import events as passkey
from server.push import events as push
from server.session import events as session
from server.smtp import events as smtp
from server.user import events as user
from server.user.attributes import events as attribute

_MODULES: Final = (
    application,
    attribute,
    brand,
    group,
    idp,
    idp_domains,
    idp_links,
    mail_text,
    oauth,
    oidc,
    org,
    passkey,
    push,
    session,
    smtp,
    user,
)

# The classes without a type are bases of events.
EVENTS: Final[Mapping[str, type[Event]]] = {
    each.event_type: each
    for module in _MODULES
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Event) and hasattr(each, "event_type")
}
EVENT_TYPES: Final = sorted(EVENTS)
AGGREGATE_TYPES: Final = sorted({each.aggregate_type() for each in EVENTS.values()})


def audiences(event: type[Event]) -> dict[str, Iterable[object]]:
    """The fields of an event, each with the audience that it declares, if any."""
    names: tuple[str, ...] = event.__match_args__
    hints = get_type_hints(event, include_extras=True)
    return {name: getattr(hints[name], "__metadata__", ()) for name in names}


def _shown_to(audience: Audience) -> dict[str, frozenset[str]]:
    return {
        event_type: frozenset(
            name for name, declared in audiences(event).items() if audience in declared
        )
        for event_type, event in EVENTS.items()
    }


# Fields that are shown, by event type.
SHOWN: Final = _shown_to(Audience.CALLERS)
_FOR_OPERATORS: Final = _shown_to(Audience.OPERATORS)


def disclosed(
    event_type: str, payload: Mapping[str, Any], *, to_operator: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """The shown fields of a payload, and the sorted names of the withheld fields."""
    names = SHOWN.get(event_type, frozenset())
    if to_operator:
        names |= _FOR_OPERATORS.get(event_type, frozenset())
    shown = {name: value for name, value in payload.items() if name in names}
    return shown, sorted(payload.keys() - names)
