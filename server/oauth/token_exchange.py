"""The parameters of a token exchange (RFC 8693, section 2.1)."""

from collections.abc import Collection
from typing import Annotated, Final

from pydantic import SecretStr, StringConstraints

from server.oauth import refusals
from server.oauth.request import Resources
from server.validation.fields import Command
from server.values.errors import Violation, invalid

TOKEN_EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"  # noqa: S105 -- a name
# Section 3.
ACCESS_TOKEN: Final = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 -- a name
_SUBJECT_TOKENS: Final = (
    "urn:ietf:params:oauth:token-type:jwt",
    "urn:ietf:params:oauth:token-type:id_token",
)

_Token = Annotated[SecretStr, StringConstraints(max_length=8000)]
_TokenType = Annotated[str, StringConstraints(max_length=200)]


class ExchangedToken(Command):
    """The fields of a token exchange in the request of every grant."""

    subject_token: _Token
    subject_token_type: _TokenType
    requested_token_type: _TokenType
    actor_token: _Token
    resource: Resources
    audience: Resources


def one_target(identifiers: Collection[str]) -> str:
    """The resource of a token request (RFC 8707, section 2.2); empty: none. `Failure`.

    A token is for one resource: another one could use a token for both (RFC 9700, section 2.3).
    """
    if len(identifiers) > 1:
        raise refusals.invalid_target("several")
    return next(iter(identifiers), "")


def checked_target(command: ExchangedToken) -> str:
    """The audience that a token exchange asks for; empty: none.

    `Failure` INVALID_ARGUMENT, FAILED_PRECONDITION `INVALID_TARGET`.
    """
    wrong = {
        "subjectToken": (not command.subject_token, "must not be empty"),
        "subjectTokenType": (
            command.subject_token_type not in _SUBJECT_TOKENS,
            f"must be one of {', '.join(_SUBJECT_TOKENS)}",
        ),
        "requestedTokenType": (
            command.requested_token_type not in ("", ACCESS_TOKEN),
            f"must be empty or {ACCESS_TOKEN}",
        ),
        "actorToken": (bool(command.actor_token), "must be empty: there is no delegation"),
    }
    violations = [Violation(path, text) for path, (is_wrong, text) in wrong.items() if is_wrong]
    if violations:
        raise invalid(*violations)
    return one_target({*command.resource, *command.audience})
