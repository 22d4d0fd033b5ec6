"""The W3C's test vectors: Web Authentication Level 3 §16.

https://www.w3.org/TR/webauthn-3/#sctn-test-vectors. Their RP ID is example.org, their origin
https://example.org. They contain no user handle, so each is an answer to `allowCredentials`.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from examples.software_authenticator import b64
from server.passkey.webauthn.assertion import StoredCredential, verify_assertion
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.registration import CeremonyPolicy, verify_registration
from server.values.errors import Failure
from tests.passkey import assertions, credentials


@dataclass(frozen=True)
class Vector:
    """One authentication, in hexadecimal; `public_key` is the COSE key of its registration."""

    public_key: str
    credential_id: str
    challenge: str
    authenticator_data: str
    client_data: str
    signature: str
    top_origins: tuple[str, ...] = ()


VECTORS = {
    "16.2, ES256": Vector(
        public_key=(
            "a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26"
            "df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220"
        ),
        credential_id=("f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4"),
        challenge=("39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408"),
        authenticator_data=(
            "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000"
        ),
        client_data=(
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e"
            "55685158756c5455506f334a5558543049393770767a7a59425039745a6368587961763031416722"
            "2c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f72"
            "6967696e223a66616c73657d"
        ),
        signature=(
            "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd38022100"
            "8480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87"
        ),
    ),
    "16.4, crossOrigin": Vector(
        public_key=(
            "a501020326200121582022200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4"
            "e97d225820cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e"
        ),
        credential_id=("6e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57"),
        challenge=("876aa517ba83fdee65fcffdbca4c84eeae5d54f8041a1fc85c991e5bbb273137"),
        authenticator_data=(
            "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50500000000"
        ),
        client_data=(
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a226832716c"
            "463771445f65356c5f505f62796b7945377135645650674547685f49584a6b655737736e4d546322"
            "2c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f72"
            "6967696e223a747275652c22657874726144617461223a22636c69656e74446174614a534f4e206d"
            "617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e"
            "20746865206675747572652c207375636820617320746869733a2039327063545644304162792d71"
            "3464746d6a36656667227d"
        ),
        signature=(
            "3046022100eb12fcf23b12764c0f122e22371fab92e283879fd798f38ee1841c951b6e40e7022100"
            "c76237ff9db77b3c56f30837cda6a09acfa2e915544e609c0733b1184036d1cf"
        ),
        top_origins=("https://example.com",),
    ),
    "16.5, topOrigin": Vector(
        public_key=(
            "a5010203262001215820a1c47c1d82da4ebe82cd72207102b380670701993bc35398ae2e5726427f"
            "e01d22582086c1080d82987028c7f54ecb1b01185de243b359294a0ed210cd47480f0adc88"
        ),
        credential_id=("b8ad59b996047ab18e2ceb57206c362da57458793481f4a8ebf101c7ca7cc0f1"),
        challenge=("d54a5c8ca4b62a8e3bb321e3b2bc73856f85a10150db2939ac195739eb1ea066"),
        authenticator_data=(
            "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50500000000"
        ),
        client_data=(
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a2231557063"
            "6a4b53324b6f34377379486a7372787a68572d466f51465132796b3572426c584f6573656f475922"
            "2c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f72"
            "6967696e223a747275652c22746f704f726967696e223a2268747470733a2f2f6578616d706c652e"
            "636f6d222c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520"
            "657874656e6465642077697468206164646974696f6e616c206669656c647320696e207468652066"
            "75747572652c207375636820617320746869733a205569466f4a4d56525148444146574669347678"
            "557051227d"
        ),
        signature=(
            "3045022100b5a70c81780d5fcc9a4f2ae9caae99058f8accaf58b91fb59329646c28ac6ffc022012"
            "e101c165db3c8e9957f0c54dd6ca9b56bc3bd2f280bd2faa6c1d02c6e5c171"
        ),
        top_origins=("https://example.com",),
    ),
    "16.11, Ed25519": Vector(
        public_key=(
            "a401010327200621582044e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832"
        ),
        credential_id=("ce9f840ed96599580cd140fbc7bb3230633f50f61041aff73308ae71caa8a2bd"),
        challenge=("895957e01c633a698348a2d8a31a54b7db27e8c1c43b2080d79ae2190267bfd2"),
        authenticator_data=(
            "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50100000000"
        ),
        client_data=(
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a2269566c58"
            "3442786a4f6d6d44534b4c596f7870557439736e364d48454f7943413135726947514a6e76394922"
            "2c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f72"
            "6967696e223a66616c73657d"
        ),
        signature=(
            "f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d4"
            "0b011f0d6fecb097d6607525713223a0dc0d453993dae00b"
        ),
    ),
}
# The registrations of §16.4 and §16.5: challenge, clientDataJSON, attestationObject.
REGISTRATIONS = {
    "16.4, crossOrigin": (
        "3be5aacd03537142472340ab5969f240f1d87716e20b6807ac230655fa4b3b49",
        (
            "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a224f2d57"
            "717a514e5463554a484930437257576e7951504859647862694332674872434d475666704c4f306b222c"
            "226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f72696769"
            "6e223a747275652c22657874726144617461223a22636c69656e74446174614a534f4e206d6179206265"
            "20657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675"
            "747572652c207375636820617320746869733a207a5a7175457444523944577170573574425754467567"
            "227d"
        ),
        (
            "a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad"
            "6461c9c4735ae7f8edd46592a5e0f01452b2e4b54500000000883f4f6014f19c09d87aa38123be48d000"
            "206e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57a50102032620012158"
            "2022200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d225820cbd0be95e746"
            "ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e"
        ),
        None,
    ),
    "16.5, topOrigin": (
        "4e1f4c6198699e33c14f192153f49d7e0e8e3577d5ac416c5f3adc92a41f27e5",
        (
            "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22546839"
            "4d595a68706e6a504254786b68555f53646667364f4e58665672454673587a72636b7151664a2d55222c"
            "226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f72696769"
            "6e223a747275652c22746f704f726967696e223a2268747470733a2f2f6578616d706c652e636f6d227d"
        ),
        (
            "a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad"
            "6461c9c4735ae7f8edd46592a5e0f01452b2e4b5410000000097586fd09799a76401c200455099ef2a00"
            "20b8ad59b996047ab18e2ceb57206c362da57458793481f4a8ebf101c7ca7cc0f1a50102032620012158"
            "20a1c47c1d82da4ebe82cd72207102b380670701993bc35398ae2e5726427fe01d22582086c1080d8298"
            "7028c7f54ecb1b01185de243b359294a0ed210cd47480f0adc88"
        ),
        "https://example.com",
    ),
}


def _assertion(vector: Vector, **changes: str) -> dict[str, Any]:
    credential_id = b64(bytes.fromhex(vector.credential_id))
    response = {
        "clientDataJSON": b64(bytes.fromhex(vector.client_data)),
        "authenticatorData": b64(bytes.fromhex(vector.authenticator_data)),
        "signature": b64(bytes.fromhex(vector.signature)),
    }
    return {
        "id": credential_id,
        "rawId": credential_id,
        "type": "public-key",
        "response": response | changes,
    }


def _verify(vector: Vector, credential: dict[str, Any]) -> None:
    credential_id = bytes.fromhex(vector.credential_id)
    assertion = assertions.read(credential)
    assert assertion.response.client_data.challenge == bytes.fromhex(vector.challenge)
    verify_assertion(
        assertion,
        stored=StoredCredential(credential_id, bytes.fromhex(vector.public_key), b"user", 0, True),
        policy=PagePolicy(
            rp_id="example.org",
            origins=("https://example.org",),
            top_origins=vector.top_origins,
            user_verification="preferred",
        ),
        allowed=[credential_id],
    )


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_an_authentication_is_accepted(vector: Vector) -> None:
    _verify(vector, _assertion(vector))


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_an_authentication_with_another_counter_is_refused(vector: Vector) -> None:
    changed = vector.authenticator_data[:-2] + "01"

    with pytest.raises(Failure, match="SIGN_IN_FAILED"):
        _verify(vector, _assertion(vector, authenticatorData=b64(bytes.fromhex(changed))))


@pytest.mark.parametrize(
    ("challenge", "client_data", "attestation_object", "top_origin"),
    REGISTRATIONS.values(),
    ids=REGISTRATIONS,
)
def test_a_registration_in_a_frame_is_accepted(
    challenge: str, client_data: str, attestation_object: str, top_origin: str | None
) -> None:
    attested = bytes.fromhex(attestation_object)
    credential_id = b64(attested[-109:-77])
    policy = CeremonyPolicy(
        rp_id="example.org",
        rp_name="Example",
        origins=("https://example.org",),
        top_origins=("https://example.com",),
    )

    result = verify_registration(
        credentials.read(
            {
                "id": credential_id,
                "rawId": credential_id,
                "type": "public-key",
                "response": {
                    "clientDataJSON": b64(bytes.fromhex(client_data)),
                    "attestationObject": b64(attested),
                },
            }
        ),
        expected_challenge=bytes.fromhex(challenge),
        policy=policy,
    )

    assert result.top_origin == (top_origin or "")
