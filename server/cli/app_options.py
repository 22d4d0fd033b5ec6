"""The options of `keystead app` for the fields of an application."""

import enum
from collections.abc import Callable, Mapping
from typing import IO, Any, Final

import click

from server.application.configuration import (
    ASSERTION_ALGORITHMS,
    ApplicationAudience,
    ClientAuthMethod,
    GateJWTHeader,
    IDTokenAlg,
)
from server.application.fields import CLAIMS
from server.cli.parameters import Decorated, gathered
from server.validation import json_text


def enum_option(
    *names: str, values: type[enum.StrEnum], **further: Any
) -> Callable[[Decorated], Decorated]:
    """An option with one of the values, regardless of case."""
    return click.option(
        *names,
        type=click.Choice([each.lower() for each in values], case_sensitive=False),
        callback=lambda _context, _parameter, given: given and given.upper(),
        **further,
    )


def _repeatable(option: str, name: str, help_text: str, **further: Any) -> Any:
    text = f"{help_text} Repeatable; all of them replace the stored ones; empty: none."
    return click.option(option, name, multiple=True, help=text, **further)


def _seconds(option: str, name: str, help_text: str) -> Any:
    return click.option(option, name, type=int, metavar="SECONDS", help=f"{help_text} 0: default.")


# More than any of the fields can have.
_MAX_FILE: Final = 1024 * 1024
# The members of a workload issuer, with values that validation refuses if they are required.
_OF_ISSUER: Final[Mapping[str, Any]] = {"issuer": "", "audience": "", "subject": "", "claims": {}}

# Their parameters have the names of the fields that they set.
_OPTIONS: Final = (
    _repeatable("--redirect-uri", "redirect_uris", "URI that people may return to from sign-in."),
    _repeatable(
        "--post-logout-redirect-uri",
        "post_logout_redirect_uris",
        "URI that people may return to when they have signed out.",
    ),
    click.option(
        "--backchannel-logout-uri", help="https URL that is told when a session ends; empty: none."
    ),
    enum_option(
        "--auth-method",
        "token_endpoint_auth_method",
        values=ClientAuthMethod,
        help="How it authenticates to the token endpoint.  [default: client_secret_basic for web"
        " and service, otherwise none]",
    ),
    click.option(
        "--jwks",
        type=click.File(),
        help="File with the JWK Set of its public keys, for private_key_jwt; empty: none.",
    ),
    click.option("--jwks-uri", help="https URL of the JWK Set; empty: none."),
    click.option(
        "--assertion-alg",
        "token_endpoint_auth_signing_alg",
        help=f"The only algorithm of its client assertions, of {', '.join(ASSERTION_ALGORITHMS)};"
        " empty: any.",
    ),
    click.option(
        "--token-endpoint-audience/--issuer-audience",
        "allows_token_endpoint_audience",
        default=None,
        help="Whether its client assertions may have the URL of the token endpoint as audience."
        "  [default: issuer-audience]",
    ),
    click.option(
        "--scope",
        "scopes",
        multiple=True,
        help="Scope that it may request. Repeatable.  [default: openid, profile and email; of a"
        " service none]",
    ),
    enum_option(
        "--id-token-alg",
        values=IDTokenAlg,
        help="Algorithm of the signature of ID tokens.  [default: rs256]",
    ),
    click.option(
        "--first-party/--third-party",
        default=None,
        help="Whether it is of the organization, so that its users are not asked for consent."
        "  [default: third-party]",
    ),
    click.option(
        "--pkce/--no-pkce",
        "requires_pkce",
        default=None,
        help="Whether it must use PKCE.  [default: pkce]",
    ),
    click.option(
        "--par/--no-par",
        "requires_pushed_authorization_requests",
        default=None,
        help="Whether it must push its authorization requests (RFC 9126).  [default: no-par]",
    ),
    _repeatable("--allow-group", "allowed_groups", "Group whose members it admits, by ID or name."),
    click.option(
        "--groups-only/--everybody",
        "admits_groups_only",
        default=None,
        help="Whether it admits only members of the allowed groups.  [default: groups-only if"
        " --allow-group is given and not empty]",
    ),
    enum_option(
        "--audience",
        values=ApplicationAudience,
        help="Users whom it admits, of its organization or all.  [default: organization]",
    ),
    _seconds(
        "--access-token-lifetime", "access_token_lifetime_seconds", "Lifetime of access tokens."
    ),
    _seconds(
        "--refresh-token-lifetime", "refresh_token_lifetime_seconds", "Lifetime of refresh tokens."
    ),
    _seconds(
        "--refresh-token-idle",
        "refresh_token_idle_seconds",
        "Time after which an unused refresh token expires.",
    ),
    click.option(
        "--logo",
        type=click.File("rb"),
        help="PNG, JPEG or WebP image of at most 32 KiB; an empty file: none.",
    ),
    _repeatable(
        "--id-token-claim", "id_token_claims", f"One of {', '.join(CLAIMS)}, also in ID tokens."
    ),
    _repeatable("--origin", "origins", "Origin that the gate protects."),
    click.option(
        "--workload-issuers",
        type=click.File(),
        callback=lambda _context, _parameter, given: given and _workload_issuers(given),
        help="File with a JSON list of the issuers whose workloads get tokens as a service: objects"
        " with issuer, audience, subject and optional claims. An empty list: none.",
    ),
    enum_option(
        "--jwt-header",
        "gate_jwt_header",
        values=GateJWTHeader,
        help="Header in which the gate gives it the JWT about the person.  [default of gate:"
        " authorization]",
    ),
    click.option(
        "--identity-headers/--no-identity-headers",
        "gate_identity_headers",
        default=None,
        help="Whether the gate also gives it the headers x-auth-request-user, -email and -groups."
        "  [default: no-identity-headers]",
    ),
)


def _workload_issuers(file: IO[str]) -> list[Mapping[str, Any]]:
    try:
        given = json_text.loads(_content(file, "--workload-issuers"))
    except ValueError:
        given = None
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise click.BadParameter("The file is not a JSON list of objects.")
    if unknown := {name for each in given for name in each} - _OF_ISSUER.keys():
        raise click.BadParameter(f"The objects have unknown members: {', '.join(unknown)}.")
    return [{**_OF_ISSUER, **each} for each in given]


def _fields(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The fields of the options that are given; None without any."""
    fields = {name: _field(value) for name, value in given.items() if value not in (None, ())}
    return fields or None


application_options: Final = gathered(_OPTIONS, _fields, into="fields")


def _field(given: Any) -> Any:
    if isinstance(given, tuple):
        return tuple(value for value in given if value)
    return _content(given, "--jwks") if hasattr(given, "read") else given


def _content(file: IO[Any], option: str) -> Any:
    """The content of a file, as far as the limits of its field reach."""
    try:
        return file.read(_MAX_FILE)
    except UnicodeDecodeError:
        raise click.BadParameter("The file is not text in UTF-8.", param_hint=option) from None
