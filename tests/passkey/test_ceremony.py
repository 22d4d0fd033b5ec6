"""The registration ceremony: its options, and the credentials that it accepts."""

import json
from dataclasses import replace
from typing import Any

import cbor2
import pytest
from webauthn import verify_registration_response

from examples.software_authenticator import (
    ES256,
    RS256,
    SoftwareAuthenticator,
    b64,
    cose_key,
    unb64,
)
from server.passkey.webauthn.options import CredentialDescriptor
from server.passkey.webauthn.registration import VerifiedCredential
from tests.passkey.credentials import CHALLENGE, KINDS, ORIGIN, POLICY, made, options, verified


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

    def test_exclude_known_passkeys_with_any_transports(self) -> None:
        known = [CredentialDescriptor(b"one", ("usb", "telepathy")), CredentialDescriptor(b"two")]

        assert options(exclude=known)["excludeCredentials"] == [
            {"id": b64(b"one"), "type": "public-key", "transports": ["usb", "telepathy"]},
            {"id": b64(b"two"), "type": "public-key", "transports": []},
        ]


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
            transports=("internal", "hybrid"),
            user_verified=True,
            backup_eligible=False,
            backed_up=False,
            attachment="platform",
            origin=ORIGIN,
            top_origin="",
        )

    @pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
    def test_what_is_stored_is_what_the_library_verifies(
        self, algorithm: int, attestation: str
    ) -> None:
        extensions = {"credProtect": 2, "hmac-secret": True}
        credential = made(
            algorithm=algorithm, attestation=attestation, extensions=extensions, be=True
        )

        ours = verified(credential)
        theirs = verify_registration_response(
            credential=credential,
            expected_challenge=CHALLENGE,
            expected_rp_id=POLICY.rp_id,
            expected_origin=ORIGIN,
        )

        assert theirs.credential_id == ours.credential_id
        assert theirs.credential_public_key == ours.public_key
        assert theirs.sign_count == ours.sign_count
        assert theirs.aaguid == ours.aaguid
        assert theirs.user_verified == ours.user_verified
        assert theirs.credential_device_type.value == "multi_device"
        assert theirs.credential_backed_up == ours.backed_up

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

        assert result.top_origin == "https://shop.example"

    def test_a_frame_whose_browser_does_not_name_the_page_around_it(self) -> None:
        """§7.1 step 10 asks whether frames are expected; step 11 has nothing to compare."""
        policy = replace(POLICY, top_origins=("https://shop.example",))

        result = verified(made(cross_origin=True), policy)

        assert result.top_origin == ""

    @pytest.mark.parametrize(
        "statement", [{}, {"sig": b"s"}, {"alg": None, "x5c": [b"junk"] * 2}, {1: [{"deep": b""}]}]
    )
    @pytest.mark.parametrize("attestation", ["none", "packed", "fido-u2f"])
    def test_a_statement_is_no_evidence(self, attestation: str, statement: dict[Any, Any]) -> None:
        result = verified(made(attestation=attestation, statement=statement))

        assert result.attestation_format == attestation

    @pytest.mark.parametrize(
        "members",
        [
            b"\xef\xbb\xbf{%s}",
            b'{%s,"extra":"\xff\xc0\xaf\xed\xa0\x80"}',
            b'{%s,"tokenBinding":{"status":"not-supported"}}',
            b'{%s,"tokenBinding":{}}',
        ],
        ids=["byte order mark", "not UTF-8 where nothing reads it", "token binding", "no status"],
    )
    def test_client_data_is_read_as_the_specification_says(self, members: bytes) -> None:
        regular = json.dumps(
            {"type": "webauthn.create", "challenge": b64(CHALLENGE), "origin": ORIGIN}
        )
        client_data = members % regular[1:-1].encode()

        assert verified(made(client_data=client_data)).origin == ORIGIN

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
