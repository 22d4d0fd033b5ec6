"""The client data of the browser (WebAuthn L3 §5.8.1)."""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ValidationError
from webauthn.helpers import bytes_to_base64url

from server.passkey.webauthn.members import (
    CLIENT_DATA,
    Members,
    decode_base64url,
    malformed,
    malformed_member,
)
from server.validation import json_text

# Browsers send four to six. Client data is read before anything of it is verified.
_MAX_VALUES: Final = 100


def _challenge(text: object) -> bytes:
    """The challenge. §7.1 step 8 and §7.2 step 11 compare its text: base64url without padding."""
    challenge = decode_base64url(text, max_bytes=1024)
    if text != bytes_to_base64url(challenge):
        raise ValueError("must be base64url without padding")
    return challenge


class ClientData(Members):
    """The members that are verified."""

    type: str
    challenge: Annotated[bytes, BeforeValidator(_challenge)]
    origin: str
    cross_origin: bool = False
    top_origin: str | None = None


def read_client_data(client_data_json: bytes) -> ClientData:
    """Parse client data, WebAuthn L3 §7.1 steps 5 and 6.

    Step 5 is the "UTF-8 decode" of the Encoding Standard: it strips a byte order mark and replaces
    bytes that are not UTF-8 by U+FFFD. No value that is compared contains one, so such bytes matter
    in ignored members only. Hashes and signatures cover the received bytes. One deviation:
    duplicate members are refused, because parsers disagree on which one counts.

    `Failure` `CREDENTIAL_MALFORMED`.
    """
    if json_text.has_more_values(client_data_json, _MAX_VALUES):
        raise malformed(CLIENT_DATA, f"must have at most {_MAX_VALUES} values")
    try:
        text = client_data_json.decode("utf-8-sig", errors="replace")
        members = json_text.loads(text, _DECODER)
    except ValueError as error:
        raise malformed(CLIENT_DATA, "is not unambiguous JSON", error) from error
    try:
        return ClientData.model_validate(members)
    except ValidationError as error:
        raise malformed_member(error, CLIENT_DATA) from None


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member occurs twice")
    return members


_DECODER: Final = json_text.decoder(object_pairs_hook=_unique_members)
