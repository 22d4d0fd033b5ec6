"""The token endpoints and scopes of Microsoft and Google, by their documentation."""

import re
from enum import IntEnum
from typing import Final, NamedTuple

# An ID of a tenant or a domain of it.
TENANT: Final = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?"


class TokenPreset(IntEnum):
    """The presets, with the numbers of the API."""

    UNSPECIFIED = 0
    MICROSOFT = 1
    GOOGLE = 2


class Endpoint(NamedTuple):
    """A token endpoint, where `{tenant}` stands for the tenant, and the scope of SMTP."""

    url: str
    scope: str


# https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
# https://developers.google.com/workspace/gmail/imap/xoauth2-protocol
ENDPOINTS: Final = {
    TokenPreset.MICROSOFT: Endpoint(
        "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
        "https://outlook.office365.com/.default",
    ),
    TokenPreset.GOOGLE: Endpoint("https://oauth2.googleapis.com/token", "https://mail.google.com/"),
}
_FORMS: Final = {
    preset: re.compile(re.escape(endpoint.url).replace(r"\{tenant\}", f"(?P<tenant>{TENANT})"))
    for preset, endpoint in ENDPOINTS.items()
}


def preset_of(token_endpoint: str) -> tuple[TokenPreset, str]:
    """The preset with this token endpoint, and the tenant in it."""
    for preset, form in _FORMS.items():
        if (found := form.fullmatch(token_endpoint)) is not None:
            return preset, found.groupdict().get("tenant", "")
    return TokenPreset.UNSPECIFIED, ""
