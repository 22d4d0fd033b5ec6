"""WebAuthn ceremonies as pure functions: no clock, no database, no settings.

`ceremony` registers passkeys, `assertion` verifies sign-ins. `precheck`, `cbor` and `cose` are
strict readers that run before the `webauthn` library.

The rule: malformed input is refused with its path before a library parses it.
"""
