"""The registration ceremony: what it offers, what it accepts, and every reason to refuse."""

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from fido2.attestation.base import NoneAttestation
from fido2.attestation.packed import PackedAttestation
from fido2.attestation.u2f import FidoU2FAttestation
from fido2.server import Fido2Server
from fido2.webauthn import PublicKeyCredentialRpEntity, RegistrationResponse
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.registration.verify_registration_response import VerifiedRegistration

from server.errors import Failure, Kind
from server.passkey import ceremony
from server.passkey.ceremony import (
    ExcludedCredential,
    Policy,
    VerifiedCredential,
    creation_options,
    verify_registration,
)
from tests.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    SoftwareAuthenticator,
    attestation_certificate,
    b64,
    cose_key,
    generate_key,
    sign,
    unb64,
)

CHALLENGE = bytes(range(32))
ORIGIN = "https://login.example.org"
POLICY = Policy(rp_id="example.org", rp_name="Example", origins=(ORIGIN,))
KINDS = [
    (algorithm, attestation) for algorithm in (EDDSA, ES256, RS256) for attestation in ("none", "packed", "packed-x5c")
] + [(ES256, "fido-u2f")]
PUBLIC_KEY = "response.attestationObject.authData.credentialPublicKey"
STATEMENT = "response.attestationObject.attStmt"


def options(policy: Policy = POLICY, **arguments: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "challenge": CHALLENGE,
        "user_handle": b"handle",
        "user_name": "ada",
        "user_display_name": "Ada Lovelace",
        "exclude": [],
        "timeout": timedelta(minutes=5),
    }
    return creation_options(policy=policy, **defaults | arguments)


def made(**parts: Any) -> dict[str, Any]:
    """A credential as the browser sends it; ES256 without attestation unless `parts` say else."""
    defaults: dict[str, Any] = {"origin": ORIGIN, "algorithm": ES256}
    return SoftwareAuthenticator().create(options(), **defaults | parts)


def verified(credential: dict[str, Any], policy: Policy = POLICY) -> VerifiedCredential:
    return verify_registration(credential=credential, expected_challenge=CHALLENGE, policy=policy)


def refusal(credential: dict[str, Any], policy: Policy = POLICY) -> Failure:
    """The failure this credential ends with; what all failures have in common is asserted here."""
    with pytest.raises(Failure) as caught:
        verified(credential, policy)
    failure = caught.value
    assert failure.kind is Kind.INVALID_ARGUMENT
    assert failure.log_detail
    assert ORIGIN not in failure.message
    return failure


def malformed_at(credential: dict[str, Any]) -> str:
    """The path of the member that the credential is refused for."""
    failure = refusal(credential)
    assert failure.reason == "CREDENTIAL_MALFORMED"
    path = failure.metadata["path"]
    assert [violation.field for violation in failure.violations] == [f"publicKeyCredential.{path}"]
    assert not any("Error" in violation.description for violation in failure.violations)
    return path


class TestCreationOptions:
    def test_are_plain_json_that_a_browser_can_parse(self) -> None:
        ready = options()

        assert json.loads(json.dumps(ready)) == ready
        assert ready["rp"] == {"id": "example.org", "name": "Example"}
        assert ready["user"] == {
            "id": b64(b"handle"),
            "name": "ada",
            "displayName": "Ada Lovelace",
        }
        assert unb64(ready["challenge"]) == CHALLENGE
        assert ready["timeout"] == 300_000
        assert ready["attestation"] == "none"
        assert ready["extensions"] == {"credProps": True}

    def test_ask_for_a_discoverable_credential(self) -> None:
        selection = options(replace(POLICY, user_verification="required"))["authenticatorSelection"]

        assert selection == {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "required",
        }

    def test_offer_the_algorithms_of_the_policy_in_its_order(self) -> None:
        offered = options(replace(POLICY, algorithms=(RS256, ES256)))["pubKeyCredParams"]

        assert offered == [{"type": "public-key", "alg": -257}, {"type": "public-key", "alg": -7}]
        assert [type(parameter["alg"]) for parameter in offered] == [int, int]

    def test_exclude_known_passkeys_with_transports_the_library_has_never_heard_of(self) -> None:
        known = [ExcludedCredential(b"one", ("usb", "telepathy")), ExcludedCredential(b"two")]

        assert options(exclude=known)["excludeCredentials"] == [
            {"id": b64(b"one"), "type": "public-key", "transports": ["usb", "telepathy"]},
            {"id": b64(b"two"), "type": "public-key"},
        ]

    @pytest.mark.parametrize("wrong", [{"challenge": b""}, {"user_handle": b""}, {"user_handle": bytes(65)}])
    def test_are_never_made_with_a_value_the_library_would_replace(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="challenge has 16 bytes"):
            options(**wrong)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"algorithms": (-7, -35)},
            {"algorithms": ()},
            {"user_verification": "always"},
            {"attestation": "some"},
        ],
    )
    def test_a_policy_that_no_ceremony_can_have_is_refused_at_once(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"must be some of|is not a valid"):
            replace(POLICY, **wrong)


class TestAccepted:
    @pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
    def test_every_offered_algorithm_and_format(self, algorithm: int, attestation: str) -> None:
        authenticator = SoftwareAuthenticator()
        credential = authenticator.create(
            options(), origin=ORIGIN, algorithm=algorithm, attestation=attestation, sign_count=7
        )

        result = verified(credential)

        key = authenticator.credentials[unb64(credential["id"])]
        assert result == VerifiedCredential(
            credential_id=unb64(credential["id"]),
            public_key=cbor2.dumps(cose_key(key)),
            algorithm=algorithm,
            sign_count=7,
            aaguid="00000000-0000-0000-0000-000000000000",
            attestation_format=attestation.removesuffix("-x5c"),
            attestation_type={"none": "none", "packed": "self"}.get(attestation, "basic"),
            attestation_trusted=False,
            transports=("internal", "hybrid"),
            user_verified=True,
            backup_eligible=False,
            backed_up=False,
            attachment="platform",
            origin=ORIGIN,
            top_origin=None,
            cross_origin=False,
        )

    @pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
    def test_what_is_accepted_the_second_verifier_accepts_too(self, algorithm: int, attestation: str) -> None:
        credential = made(algorithm=algorithm, attestation=attestation, be=True, sign_count=9)

        ours = verified(credential)
        server = Fido2Server(PublicKeyCredentialRpEntity(id="example.org", name="Example"))
        state = {"challenge": b64(CHALLENGE), "user_verification": "required"}
        theirs = server.register_complete(state, credential)

        assert theirs.credential_data is not None
        assert theirs.credential_data.credential_id == ours.credential_id
        assert theirs.credential_data.public_key[3] == ours.algorithm
        assert str(theirs.credential_data.aaguid) == ours.aaguid
        assert theirs.counter == ours.sign_count
        response = RegistrationResponse.from_dict(credential).response
        verifier = {
            "none": NoneAttestation(),
            "packed": PackedAttestation(),
            "fido-u2f": FidoU2FAttestation(),
        }[ours.attestation_format]
        attested = response.attestation_object
        result = verifier.verify(attested.att_stmt, attested.auth_data, response.client_data.hash)
        assert result.attestation_type.name.lower() == ours.attestation_type

    @pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
    def test_what_is_stored_is_what_the_library_verified(
        self, algorithm: int, attestation: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[VerifiedRegistration] = []

        def watched(**arguments: Any) -> None:
            seen.append(verify_registration_response(**arguments))

        monkeypatch.setattr(ceremony, "verify_registration_response", watched)
        extensions = {"credProtect": 2, "hmac-secret": True}

        ours = verified(made(algorithm=algorithm, attestation=attestation, extensions=extensions, be=True))

        [theirs] = seen
        assert theirs.credential_id == ours.credential_id
        assert theirs.credential_public_key == ours.public_key
        assert theirs.sign_count == ours.sign_count
        assert theirs.aaguid == ours.aaguid
        assert theirs.user_verified == ours.user_verified
        assert theirs.credential_device_type.value == "multi_device"
        assert theirs.credential_backed_up == ours.backed_up

    @pytest.mark.parametrize("algorithm", [EDDSA, ES256, RS256])
    def test_a_login_with_the_stored_key_verifies(self, algorithm: int) -> None:
        authenticator = SoftwareAuthenticator()
        stored = verified(authenticator.create(options(), origin=ORIGIN, algorithm=algorithm))
        key = authenticator.credentials[stored.credential_id]
        data = sha256(b"example.org").digest() + b"\x05" + bytes(4)
        members = {"type": "webauthn.get", "challenge": b64(CHALLENGE), "origin": ORIGIN}
        client_data = json.dumps(members).encode()

        login = verify_authentication_response(
            credential={
                "id": b64(stored.credential_id),
                "rawId": b64(stored.credential_id),
                "type": "public-key",
                "response": {
                    "clientDataJSON": b64(client_data),
                    "authenticatorData": b64(data),
                    "signature": b64(sign(key, data + sha256(client_data).digest())),
                },
            },
            expected_challenge=CHALLENGE,
            expected_rp_id="example.org",
            expected_origin=ORIGIN,
            credential_public_key=stored.public_key,
            credential_current_sign_count=stored.sign_count,
        )

        assert login.credential_id == stored.credential_id

    def test_backup_flags_and_aaguid_are_kept(self) -> None:
        result = verified(made(be=True, bs=True, aaguid=bytes(range(16))))

        assert (result.backup_eligible, result.backed_up) == (True, True)
        assert result.aaguid == "00010203-0405-0607-0809-0a0b0c0d0e0f"

    def test_user_verification_may_be_missing_where_it_was_only_preferred(self) -> None:
        assert not verified(made(uv=False)).user_verified

    def test_an_android_app_is_known_by_its_facet(self) -> None:
        facet = "android:apk-key-hash:7d1043473d55bfa90e8530d35801d4e381bc69f0"
        policy = replace(POLICY, origins=(ORIGIN, facet))

        assert verified(made(origin=facet), policy).origin == facet

    @pytest.mark.parametrize("cross_origin", [True, False])
    def test_a_frame_in_an_allowed_page(self, cross_origin: bool) -> None:
        policy = replace(POLICY, top_origins=("https://shop.example",))
        credential = made(cross_origin=cross_origin, top_origin="https://shop.example")

        result = verified(credential, policy)

        assert result.cross_origin is cross_origin
        assert result.top_origin == "https://shop.example"

    def test_padded_and_standard_base64_mean_the_same(self) -> None:
        credential_id = b"\xfb\xff\xfe" * 7 + b"\xff"
        credential = made(credential_id=credential_id)
        credential["id"] = credential["rawId"] = "+//+" * 7 + "/w=="
        response = credential["response"]
        for name in ("clientDataJSON", "attestationObject"):
            response[name] += "=" * (-len(response[name]) % 4)

        assert verified(credential).credential_id == credential_id

    def test_the_claims_that_browsers_add_are_not_believed(self) -> None:
        credential = made()
        credential["response"] |= {"publicKey": "!", "authenticatorData": 7, "nonsense": None}
        credential["clientExtensionResults"] = "anything"

        assert verified(credential).algorithm == ES256


class TestNotVerified:
    @pytest.mark.parametrize(
        "parts",
        [
            {"client_data_type": "webauthn.get"},
            {"challenge": b64(bytes(32))},
            {"challenge": b64(CHALLENGE[:31])},
            {"challenge": ""},
            {"rp_id": "evil.example"},
        ],
        ids=lambda parts: "-".join(map(str, parts.items())),
    )
    def test_a_credential_of_another_ceremony(self, parts: dict[str, Any]) -> None:
        assert refusal(made(**parts)).reason == "CREDENTIAL_NOT_VERIFIED"

    def test_a_credential_of_another_type(self) -> None:
        assert refusal(made() | {"type": "password"}).reason == "CREDENTIAL_NOT_VERIFIED"

    @pytest.mark.parametrize(("algorithm", "attestation"), [k for k in KINDS if k[1] != "none"])
    def test_a_statement_signed_over_something_else(self, algorithm: int, attestation: str) -> None:
        key = generate_key(algorithm)
        signing = attestation_certificate()[0] if attestation != "packed" else key
        statement: dict[str, Any] = {"sig": sign(signing, b"something else")}
        if attestation != "fido-u2f":
            statement["alg"] = algorithm if attestation == "packed" else ES256
        if attestation != "packed":
            statement["x5c"] = [attestation_certificate()[1]]

        failure = refusal(made(algorithm=algorithm, attestation=attestation, statement=statement))

        assert failure.reason == "CREDENTIAL_NOT_VERIFIED"
        assert "signature" in failure.log_detail


class TestOriginNotAllowed:
    @pytest.mark.parametrize(
        "origin",
        [
            "https://evil.example",
            "https://login.example.org.evil.example",
            "https://login.example.org:8443",
            "http://login.example.org",
            "https://login.example.org/",
            "https://LOGIN.example.org",
            "https://sub.login.example.org",
            "",
        ],
    )
    def test_another_page(self, origin: str) -> None:
        failure = refusal(made(origin=origin))

        assert failure.reason == "ORIGIN_NOT_ALLOWED"
        assert failure.metadata == {"origin": origin}

    @pytest.mark.parametrize(
        ("allowed", "parts", "shown"),
        [
            ((), {"cross_origin": True, "top_origin": "https://a.example"}, "https://a.example"),
            ((), {"top_origin": "https://a.example"}, "https://a.example"),
            ((), {"cross_origin": True}, ORIGIN),
            (("https://b.example",), {"cross_origin": True}, ORIGIN),
            (
                ("https://b.example",),
                {"cross_origin": True, "top_origin": "https://a.example"},
                "https://a.example",
            ),
        ],
    )
    def test_a_frame_in_a_page_that_is_not_allowed(
        self, allowed: tuple[str, ...], parts: dict[str, Any], shown: str
    ) -> None:
        failure = refusal(made(**parts), replace(POLICY, top_origins=allowed))

        assert failure.reason == "ORIGIN_NOT_ALLOWED"
        assert failure.metadata == {"origin": shown}

    def test_the_origin_is_shown_short_and_without_characters_that_do_harm(self) -> None:
        failure = refusal(made(origin="https://\r\n\0\ud800\u202eevil.example/" + "x" * 5000))

        shown = failure.metadata["origin"]
        assert shown.startswith("https://evil.example/xxx")
        assert len(shown) <= 256
        assert len(failure.log_detail) < 400


class TestUserNotVerified:
    def test_nobody_was_present(self) -> None:
        assert refusal(made(up=False)).reason == "USER_NOT_VERIFIED"

    def test_the_user_was_not_verified_though_the_ceremony_requires_it(self) -> None:
        policy = replace(POLICY, user_verification="required")

        assert refusal(made(uv=False), policy).reason == "USER_NOT_VERIFIED"
        assert verified(made(uv=True), policy).user_verified


class TestNotOffered:
    @pytest.mark.parametrize("algorithm", [EDDSA, RS256])
    def test_an_algorithm_this_ceremony_did_not_offer(self, algorithm: int) -> None:
        failure = refusal(made(algorithm=algorithm), replace(POLICY, algorithms=(ES256,)))

        assert failure.reason == "ALGORITHM_NOT_ALLOWED"

    @pytest.mark.parametrize("algorithm", [-35, -36, -47, -53, -37, -65535, 0])
    def test_an_algorithm_no_ceremony_offers(self, algorithm: int) -> None:
        key = cose_key(generate_key(ES256)) | {3: algorithm}

        failure = refusal(made(public_key=cbor2.dumps(key)))

        assert failure.reason == "ALGORITHM_NOT_ALLOWED"

    @pytest.mark.parametrize("name", ["tpm", "apple", "android-key", "android-safetynet", "compound", "", "NONE", "\0"])
    def test_an_attestation_format(self, name: str) -> None:
        assert refusal(made(format=name)).reason == "ATTESTATION_NOT_ALLOWED"


def rsa_key(bits: int) -> dict[int, int | bytes]:
    return cose_key(rsa.generate_private_key(65537, bits))


EC = cose_key(generate_key(ES256))
OKP = cose_key(generate_key(EDDSA))
RSA = cose_key(generate_key(RS256))


class TestMalformedKey:
    @pytest.mark.parametrize(
        "key",
        [
            EC | {-3: bytes(32)},
            EC | {-2: b"\1"},
            EC | {-3: b"\0" * 31},
            EC | {-2: b"\0" + bytes(32)},
            EC | {-1: 2},
            EC | {1: 1},
            EC | {3: EDDSA},
            EC | {-4: b""},
            {label: EC[label] for label in (1, 3, -1, -2)},
            OKP | {3: ES256},
            OKP | {-1: 7},
            OKP | {-2: b"\1"},
            OKP | {-3: b""},
            RSA | {3: EDDSA},
            RSA | {-1: b"\xff"},
            RSA | {-1: b"\1" + bytes(511) + b"\1"},
            RSA | {-1: bytes(600) + b"\1"},
            RSA | {-1: b"\xff" * 255 + b"\xfe"},
            RSA | {-2: b"\1" + bytes(3) + b"\1"},
            RSA | {-2: b"\1"},
            RSA | {-2: b"\2"},
            rsa_key(1024),
            {1: 2, -1: 1},
            {1: 2, 3: b"\x26", -1: 1},
            {},
        ],
        ids=str,
    )
    def test_a_key_that_no_login_could_use(self, key: dict[int, int | bytes]) -> None:
        """Format `none`, where the library never loads the key."""
        assert malformed_at(made(public_key=cbor2.dumps(key, canonical=True))) == PUBLIC_KEY

    def test_a_key_on_another_curve_with_the_algorithm_es256(self) -> None:
        point = ec.generate_private_key(ec.SECP384R1()).public_key().public_numbers()
        key = {1: 2, 3: ES256, -1: 2, -2: point.x.to_bytes(48), -3: point.y.to_bytes(48)}

        assert malformed_at(made(public_key=cbor2.dumps(key))) == PUBLIC_KEY


class TestMalformedStatement:
    @pytest.mark.parametrize(
        ("attestation", "change"),
        [
            ("packed", {"alg": 999}),
            ("packed", {"alg": EDDSA}),
            ("packed", {"sig": b""}),
            ("packed-x5c", {"alg": 999}),
            ("packed-x5c", {"alg": 0}),
            ("packed-x5c", {"sig": b""}),
            ("packed-x5c", {"x5c": [b""]}),
            ("packed-x5c", {"x5c": [b"0\x03junk"]}),
            ("packed-x5c", {"x5c": [attestation_certificate()[1][:-1]]}),
            ("fido-u2f", {"x5c": [attestation_certificate()[1]] * 2}),
            ("fido-u2f", {"x5c": [b"junk"]}),
        ],
    )
    def test_a_statement_the_library_cannot_read(self, attestation: str, change: dict[str, Any]) -> None:
        credential = made(attestation=attestation)
        members = cbor2.loads(unb64(credential["response"]["attestationObject"]))
        members["attStmt"] |= change
        credential["response"]["attestationObject"] = b64(cbor2.dumps(members))

        assert malformed_at(credential) == STATEMENT

    @pytest.mark.parametrize(
        "leaked", [KeyError("x5c"), IndexError("secret"), TypeError("secret"), AttributeError("x")]
    )
    def test_whatever_the_library_lets_out_is_logged_and_not_sent(
        self, leaked: Exception, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def leaking(**_: object) -> None:
            raise leaked

        monkeypatch.setattr(ceremony, "verify_registration_response", leaking)

        failure = refusal(made())

        assert failure.metadata == {"path": STATEMENT}
        assert [v.description for v in failure.violations] == ["is not a statement of its format"]
        assert type(leaked).__name__ in failure.log_detail

    def test_a_security_key_of_the_first_generation_has_no_aaguid(self) -> None:
        assert malformed_at(made(attestation="fido-u2f", aaguid=b"\1" * 16)) == STATEMENT
