"""WebAuthn ceremonies as pure functions: no clock, no database, no settings.

`options` begins a ceremony in the browser. `registration` verifies new passkeys, `assertion`
verifies sign-ins, each after `credential` has parsed the credential. `client_data`,
`authenticator_data`, `attestation`, `cose` and `cbor` are strict readers of its parts.

The rule: malformed input is refused with its path before a library parses it.
"""
