"""WebAuthn ceremonies as pure functions: no clock, no database, no settings.

`options` begins a ceremony in the browser. `credential` has the credentials as fields of commands.
`registration` verifies new passkeys, `assertion` verifies sign-ins. `client_data`,
`authenticator_data`, `attestation`, `cose` and `cbor` are strict readers of parts of a credential.

The rule: malformed input is refused with its path before a library parses it.
"""
