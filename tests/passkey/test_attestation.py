"""The certificate of a packed statement is refused if it contradicts itself."""

from hashlib import sha256

import cbor2
import pytest

from examples.software_authenticator import ES256, b64, sign, unb64
from server.passkey.webauthn.attestation import ERRORS, check_certificate
from server.values.errors import Failure
from tests.passkey.crafted import AAGUID, CERTIFICATES, algorithm_of, certificate, key_of
from tests.passkey.credentials import STATEMENT, made, verified

GOOD = [
    number
    for number, wish in enumerate(CERTIFICATES)
    if not wish or wish == {"aaguid": b"\x04\x10" + AAGUID} or set(wish) == {"key"}
]
BAD = [number for number in range(len(CERTIFICATES)) if number not in GOOD]


def _shown(number: int) -> str:
    return str(dict(CERTIFICATES[number]))


def _algorithm(number: int) -> int:
    kind = CERTIFICATES[number].get("key", ES256)
    return -35 if kind == "p384" else algorithm_of(key_of(kind))


@pytest.mark.parametrize("number", GOOD, ids=_shown)
def test_one_made_as_the_specification_says_is_good(number: int) -> None:
    check_certificate(certificate(number), algorithm=_algorithm(number), aaguid=AAGUID)


@pytest.mark.parametrize("number", BAD, ids=_shown)
def test_one_that_breaks_a_rule_is_refused(number: int) -> None:
    with pytest.raises(ERRORS):
        check_certificate(certificate(number), algorithm=ES256, aaguid=AAGUID)


@pytest.mark.parametrize(
    "number", [n for n in GOOD if CERTIFICATES[n].get("key") in ("p384", -8)], ids=_shown
)
def test_a_key_on_another_curve_than_the_algorithm_has_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="the certificate has a key on"):
        check_certificate(certificate(number), algorithm=ES256, aaguid=AAGUID)


def test_one_of_an_older_version_is_refused() -> None:
    # given a certificate of version 1: the default, which is not encoded
    der = certificate(0)
    assert (der[0:2], der[4:6], der[8:13]) == (b"0\x82", b"0\x82", b"\xa0\x03\x02\x01\x02")
    outer, inner = (int.from_bytes(der[at : at + 2]) - 5 for at in (2, 6))
    older = b"0\x82" + outer.to_bytes(2) + b"0\x82" + inner.to_bytes(2) + der[13:]

    # when, then
    with pytest.raises(ValueError, match="version of the certificate is not 3"):
        check_certificate(older, algorithm=ES256, aaguid=AAGUID)


def test_the_ceremony_names_the_member_that_is_wrong() -> None:
    # given a statement with a valid signature
    number = CERTIFICATES.index({"constraints": True})
    credential = made(attestation="packed-x5c")
    members = cbor2.loads(unb64(credential["response"]["attestationObject"]))
    client_data = unb64(credential["response"]["clientDataJSON"])
    members["attStmt"] |= {
        "sig": sign(key_of(ES256), members["authData"] + sha256(client_data).digest()),
        "x5c": [certificate(number)],
    }
    credential["response"]["attestationObject"] = b64(cbor2.dumps(members))

    # when
    with pytest.raises(Failure) as refused:
        verified(credential)

    # then
    assert refused.value.reason == "CREDENTIAL_MALFORMED"
    assert refused.value.metadata == {"path": f"{STATEMENT}.x5c"}
    assert "is of an authority" in refused.value.log_detail
