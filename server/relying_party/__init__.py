"""An OpenID Connect relying party (OpenID Connect Core and Discovery 1.0).

`discovery.py`, `authorization_response.py`, `token_request.py`, `id_token.py` and `time_claims.py`
are pure functions; only `http_client.py` connects to providers; `provider.py` combines these
modules. `trial.py` tests settings step by step. `workload.py` verifies the tokens of workloads, and
the OpenID provider (`server/oauth/`) the assertions of applications, by the same signatures, keys
and requests.

The rule: a provider's message never chooses its own checks. Issuer, algorithms and endpoints are
compared with the settings and the discovery document. Each check is a function that raises
`ProviderError` with a reason, which only administrators see.
"""
