"""The places that refuse an ended credential or are told of its end, with their bounds."""

from dataclasses import dataclass

from server.access.cached_callers import CACHE_SECONDS

# The lifetime of a JWT, and the error of clocks that a verifier allows.
_JWT_SECONDS = 300 + 30


@dataclass(frozen=True, slots=True)
class Place:
    """A place, the bound that the documentation promises, and where it does.

    Without a bound, only the time is measured. `is_told`: it gets a message, so an outage delays
    it. All others are asked.
    """

    name: str
    bound_seconds: float | None = None
    source: str = ""
    is_told: bool = False

    @property
    def bound(self) -> str:
        """The bound, as text."""
        if self.bound_seconds is None:
            return "-"
        text = f"{self.bound_seconds:g} s" if self.bound_seconds else "at once"
        return f"{text} ({self.source})"


SAME_SERVER = Place("API, same server", 0, "user_service.proto")
OTHER_SERVER = Place("API, another server", CACHE_SECONDS, "user_service.proto")
GRPC_WEB = Place("grpc-web, another server", CACHE_SECONDS, "user_service.proto")
INTROSPECTION = Place("IntrospectSession, another server", CACHE_SECONDS, "session_service.proto")
OAUTH = Place("IntrospectToken, another server", 0, "applications.md")
GATES = {
    name: Place(f"gate, {name}, another server", CACHE_SECONDS, "gate.md")
    for name in ("nginx", "caddy", "envoy")
}
VERIFIER = Place("JWT verifier with WatchEndedSessions", 2, "api.md", is_told=True)
OFFLINE = Place("JWT verifier without it", _JWT_SECONDS, "api.md")
WATCH = Place("WatchEndedSessions, another server", 2, "api.md", is_told=True)
LOGOUT = Place("logout token", is_told=True)
WEBHOOK = Place("webhook", is_told=True)

PLACES = (
    SAME_SERVER,
    OTHER_SERVER,
    GRPC_WEB,
    INTROSPECTION,
    OAUTH,
    *GATES.values(),
    WATCH,
    VERIFIER,
    LOGOUT,
    WEBHOOK,
    OFFLINE,
)
