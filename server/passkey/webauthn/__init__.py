"""WebAuthn ceremonies as pure functions: no clock, no database, no settings.

`precheck`, `cbor`, `cose` and `attestation` are strict readers that run before the `webauthn`
library sees any input.

The rule: malformed input is refused by name before a library parses it.
"""
