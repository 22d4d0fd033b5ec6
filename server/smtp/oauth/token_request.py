"""Requests of access tokens, and their answers (RFC 6749, RFC 7523). Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from server.deliveries.smtp.destination import DeliveryError, MailboxToken
from server.deliveries.smtp.failures import ServerText, SMTPReason, failure
from server.smtp.oauth.client import MailboxClient
from server.smtp.oauth.credential import TokenMethod, account_assertion, client_assertion
from server.smtp.oauth.words import advice_of_token
from server.validation import json_text

_JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
# The parameters that no error may repeat.
_SECRETS: Final = frozenset({"client_secret", "refresh_token", "assertion", "client_assertion"})
# The lifetime of a token whose answer names none (RFC 6749, section 5.1, recommends it).
_DEFAULT_SECONDS: Final = 300.0
_MOST_SECONDS: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class TokenAnswer:
    """The answer of a token endpoint. `refresh_token` is empty unless there is a new one."""

    token: MailboxToken
    refresh_token: str = field(default="", repr=False)


def token_form(client: MailboxClient, credential: Mapping[str, str]) -> dict[str, str]:
    """The form of a token request, with the secrets that the client has now."""
    form = {"client_id": client.client_id, "scope": client.scope}
    match client.method:
        case TokenMethod.CLIENT_SECRET:
            form |= {"grant_type": "client_credentials", **credential}
        case TokenMethod.PRIVATE_KEY_JWT:
            assertion = client_assertion(
                credential["private_key"],
                client_id=client.client_id,
                audience=client.token_endpoint,
            )
            form |= {
                "grant_type": "client_credentials",
                "client_assertion_type": _ASSERTION_TYPE,
                "client_assertion": assertion,
            }
        case TokenMethod.SERVICE_ACCOUNT:
            assertion = account_assertion(
                credential["service_account_key"],
                mailbox=client.mailbox,
                scope=client.scope,
                audience=client.token_endpoint,
            )
            return {"grant_type": _JWT_BEARER, "assertion": assertion}
        case TokenMethod.REFRESH_TOKEN:
            form |= {"grant_type": "refresh_token", **credential}
    return {name: value for name, value in form.items() if value}


def read_answer(
    host: str, status: int, content: bytes, *, form: Mapping[str, str], fetched_at: float
) -> TokenAnswer:
    """The access token.

    DeliveryError TEMPORARILY_REFUSED, TOKEN_REFUSED, TOKEN_ENDPOINT_FAILED, TOKEN_ANSWER_INVALID.
    """
    document = _document(content)
    if status == 429 or status >= 500:
        observed = f"{host} answered with status {status}."
        raise failure("token", SMTPReason.TEMPORARILY_REFUSED, observed)
    if status in (400, 401, 403) and "error" in document:
        raise _refused(host, document, form)
    if status != 200:
        observed = f"{host} answered with status {status}."
        raise failure("token", SMTPReason.TOKEN_ENDPOINT_FAILED, observed)
    if str(document.get("token_type")).lower() != "bearer":
        raise _invalid(host, "no bearer token")
    token = MailboxToken(
        value=_text(host, document, "access_token"),
        host=host,
        seconds=_seconds(document.get("expires_in")),
        fetched_at=fetched_at,
    )
    if "refresh_token" not in document:
        return TokenAnswer(token)
    return TokenAnswer(token, _text(host, document, "refresh_token"))


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json_text.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _refused(host: str, document: Mapping[str, Any], form: Mapping[str, str]) -> DeliveryError:
    said = ServerText()
    for name in _SECRETS & form.keys():
        said.hide(form[name])
    error, description = str(document["error"]), str(document.get("error_description", ""))
    observed = f'{host} refused: "{said.clean(f"{error} {description}".strip())}".'
    advice = advice_of_token(f"{error} {description}")
    return failure("token", SMTPReason.TOKEN_REFUSED, observed, advice=advice)


def _text(host: str, document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not value or not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise _invalid(host, f"no valid {name}")
    return value


def _seconds(value: object) -> float:
    """The lifetime. Some endpoints send it as text."""
    try:
        seconds = float(str(value))
    except ValueError:
        return _DEFAULT_SECONDS
    return min(max(seconds, 0.0), _MOST_SECONDS) if math.isfinite(seconds) else _DEFAULT_SECONDS


def _invalid(host: str, lack: str) -> DeliveryError:
    observed = f"The answer of {host} has {lack}."
    return failure("token", SMTPReason.TOKEN_ANSWER_INVALID, observed)
