"""The gate: sign-in for applications that know nothing of it, behind a proxy that asks the gate.

RPCs: Check of GateService, which Envoy calls as `envoy.service.auth.v3.Authorization/Check`;
`bridge/gate.py` spells it as `GET /gate/check` for other proxies.

The rule: a request is allowed only for a live session of a person whom the application admits,
which was read at most five seconds before. What a client sent never reaches the application under
the name of a header that the gate gives.
"""
