"""Events of grants, which are part of the user's aggregate."""

from server.log.event import Event, Shown, event


@event("user.application_granted")
class ApplicationGranted(Event):
    """The user agreed that an application gets these scopes: all that it has from now on."""

    application_id: Shown[str]
    # That of a resource has a space and the ID of the resource after it.
    scopes: Shown[tuple[str, ...]]
    # The IDs of the passkey and the identity link of the session in which the user agreed.
    began_with: Shown[tuple[str, ...]] = ()


@event("user.application_entered")
class ApplicationEntered(Event):
    """A session of the user got its first code for an application.

    Not at each code: programs sign people in again silently, many times in a session.
    """

    application_id: Shown[str]
    # At that time.
    application_name: Shown[str]
    session_id: Shown[str]


@event("user.application_scopes_revoked")
class ApplicationScopesRevoked(Event):
    """Scopes of the grant to an application were taken back. It keeps the others, one at least."""

    application_id: Shown[str]
    scopes: Shown[tuple[str, ...]]


@event("user.application_revoked")
class ApplicationRevoked(Event):
    """The grant of the user to an application ended, with all its tokens."""

    application_id: Shown[str]
