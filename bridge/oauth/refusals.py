"""Refusals of requests that cannot be read as OAuth's HTTP. Reasons are OAuth's codes."""

from typing import Final

from bridge.json.http_answer import METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE
from server.values.errors import Failure, FixedFailure, Kind

INVALID_CLIENT: Final = "INVALID_CLIENT"


def _invalid_request(message: str) -> FixedFailure:
    return FixedFailure("INVALID_REQUEST", message, kind=Kind.INVALID_ARGUMENT)


malformed_form: Final = _invalid_request(
    "The parameters cannot be read. Send them in UTF-8, percent-encoded, and fewer than 100."
)
in_query: Final = _invalid_request(
    "The parameters of a POST must be in the body. Leave out the query of the URL."
)
two_authentications: Final = _invalid_request(
    "The application authenticates in two ways. Send its credentials either in the header"
    " authorization or in the body, and either a client_secret or a client_assertion."
)
two_clients: Final = _invalid_request(
    "The client_id in the body is not the one in the header authorization. Leave it out."
)
malformed_authorization: Final = FixedFailure(
    INVALID_CLIENT,
    "The header authorization cannot be read. It must be Basic, and the base64 of client_id, a"
    " colon and client_secret, both form-urlencoded (RFC 6749, section 2.3.1).",
    kind=Kind.UNAUTHENTICATED,
)
not_a_form: Final = FixedFailure(
    UNSUPPORTED_MEDIA_TYPE,
    "The body must be a form. Send it as content-type: application/x-www-form-urlencoded, without"
    " content-encoding.",
    kind=Kind.INVALID_ARGUMENT,
)


def repeated(name: str) -> Failure:
    """A parameter is sent twice (RFC 6749, section 3.1)."""
    return _invalid_request(f"The parameter {name} is sent twice. Send it once.")()


def not_a_number(name: str) -> Failure:
    """A parameter is not the number that it must be."""
    return _invalid_request(f"The parameter {name} must be a number of at most 9 digits.")()


def wrong_verb(verb: str, allowed: str) -> Failure:
    """The endpoint exists, but only for the verbs `allowed`."""
    return Failure(
        Kind.UNIMPLEMENTED,
        METHOD_NOT_ALLOWED,
        f"{verb} is not possible at this endpoint. Use one of {allowed}.",
    )
