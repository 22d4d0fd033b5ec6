"""The public key of a passkey: a COSE key (RFC 9052 §7) for one of the offered algorithms.

With attestation format `none`, the `webauthn` library does not load the key. It would register
unusable keys, and keys with which anybody can sign in.
"""

from typing import Final, TypeAlias

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from nacl.bindings import crypto_core_ed25519_is_valid_point

from server.passkey.webauthn import cbor

CoseKey: TypeAlias = dict[int, int | bytes]
PublicKey: TypeAlias = ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey

# RFC 8812 §2 requires 2048 bits. The upper bounds limit the cost of every sign-in.
_RSA_BITS: Final = range(2048, 4096 + 1)
# One byte more than 4096 bits, because some encoders prefix the modulus with a zero byte.
_RSA_MODULUS_MAX_BYTES: Final = 513
_RSA_EXPONENT_MAX_BYTES: Final = 4
_P256_FIELD: Final = 2**256 - 2**224 + 2**192 + 2**96 - 1  # FIPS 186-5, SP 800-186 §3.2.1.3


def read(value: cbor.Value) -> CoseKey:
    """The members of a key: integers and byte strings under integers.

    ValueError for another value, such as `true`, which equals 1 in Python, a key type.
    """
    if not isinstance(value, dict):
        raise ValueError("must be a map")  # noqa: TRY004 -- as for the members
    key: CoseKey = {}
    for label, member in value.items():
        if (
            not isinstance(label, int)
            or not isinstance(member, int | bytes)
            or isinstance(member, bool)
        ):
            raise ValueError("must hold numbers and byte strings under numbers only")  # noqa: TRY004
        key[label] = member
    return key


def load(key: CoseKey) -> PublicKey:
    """Load the key.

    Key type, curve and algorithm must match, without further members (WebAuthn L3 §5.8.5).

    ValueError for an invalid key.
    UnsupportedAlgorithm if this build of OpenSSL lacks it.
    """
    match key:
        case {1: 1, 3: -8, -1: 6, -2: bytes(x)} if len(key) == 4:
            edwards_key = ed25519.Ed25519PublicKey.from_public_bytes(x)  # requires 32 bytes
            _check_edwards_point(x)
            return edwards_key
        case {1: 2, 3: -7, -1: 1, -2: bytes(x), -3: bytes(y)} if len(key) == 5:
            if len(x) != 32 or len(y) != 32:
                raise ValueError("the coordinates must be 32 bytes each")
            numbers = ec.EllipticCurvePublicNumbers(
                int.from_bytes(x), int.from_bytes(y), ec.SECP256R1()
            )
            # OpenSSL reduces a coordinate, so that one key would have several encodings.
            if max(numbers.x, numbers.y) >= _P256_FIELD:
                raise ValueError("the coordinates must be below the prime of the field")
            return numbers.public_key()  # refuses a point that is not on the curve
        case {1: 3, 3: -257, -1: bytes(n), -2: bytes(e)} if len(key) == 4:
            if len(n) > _RSA_MODULUS_MAX_BYTES or len(e) > _RSA_EXPONENT_MAX_BYTES:
                raise ValueError("the modulus or the exponent is too long")
            modulus, exponent = int.from_bytes(n), int.from_bytes(e)
            if modulus.bit_length() not in _RSA_BITS or modulus % 2 == 0:
                raise ValueError("the modulus must be odd and have 2048 to 4096 bits")
            return rsa.RSAPublicNumbers(exponent, modulus).public_key()
        case _:
            raise ValueError("key type, curve, algorithm and members do not belong together")


def _check_edwards_point(encoded: bytes) -> None:
    """Refuse 32 bytes that no private key generates (RFC 8032 §5.1.5).

    With a key A of small order, the signature equation [S]B = R + [k]A (§5.1.7) holds for every
    message whose k is a multiple of that order, so anybody could sign in as its user. OpenSSL
    accepts such keys, and bytes that §5.1.3 does not decode to a point; WebAuthn checks only the
    curve. libsodium accepts canonical points of the subgroup of prime order, without its neutral
    element.

    ValueError for an invalid key.
    """
    if not crypto_core_ed25519_is_valid_point(encoded):
        raise ValueError("the key is not a point of the prime-order subgroup in canonical form")
