"""Tokens of workloads, right and forged."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import jwt
from joserfc.jwk import RSAKey

from tests.support import rsa_keys
from tests.support.oidc_provider import Provider

SUBJECT: Final = "repo:example/shop:ref:refs/heads/main"
Claims: TypeAlias = dict[str, Any]


def claims_of(provider: Provider, audience: Any, **claims: Any) -> Claims:
    """The claims of a right token; one of None is left out."""
    now = int(time.time())
    regular = {
        "iss": provider.issuer,
        "aud": audience,
        "sub": SUBJECT,
        "iat": now,
        "exp": now + 3600,
    }
    return {name: value for name, value in (regular | claims).items() if value is not None}


# Claims as the platforms document them: those of a job, the trust that docs/workloads.md names, and
# the same claims of a job that must not fit.
DOCUMENTED: Final[Mapping[str, tuple[Claims, Claims, Claims]]] = {
    # https://docs.github.com/en/actions/reference/security/oidc#example-oidc-token
    "GitHub": (
        {
            "sub": "repo:octo-org/octo-repo:environment:prod",
            "environment": "prod",
            "ref": "refs/heads/main",
            "ref_type": "branch",
            "repository": "octo-org/octo-repo",
            "repository_id": "74",
            "repository_owner": "octo-org",
            "repository_owner_id": "65",
            "job_workflow_ref": "octo-org/x/.github/workflows/oidc.yml@refs/heads/main",
            "event_name": "workflow_dispatch",
            "runner_environment": "github-hosted",
        },
        {
            "subject": "repo:octo-org/octo-repo:environment:prod",
            "claims": {"repository_id": "74"},
        },
        {"repository_id": "75"},  # of a repository that took the name
    ),
    # https://docs.gitlab.com/ci/secrets/id_token_authentication/#token-payload
    "GitLab": (
        {
            "sub": "project_path:my-group/my-project:ref_type:branch:ref:main",
            "namespace_id": "72",
            "namespace_path": "my-group",
            "project_id": "20",
            "project_path": "my-group/my-project",
            "pipeline_source": "web",
            "ref": "main",
            "ref_type": "branch",
            "ref_path": "refs/heads/main",
            "ref_protected": "true",
            "runner_id": 1,
        },
        {
            "subject": "project_path:my-group/my-project:ref_type:branch:ref:main",
            "claims": {"project_id": "20", "ref_protected": "true"},
        },
        {"ref_protected": "false"},
    ),
}


def _by_hmac(provider: Provider, claims: Claims) -> str:
    """A token signed by HMAC, with the public key as the secret."""
    public = provider.key.as_pem(private=False).decode()
    segments = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in ({"alg": "HS256", "kid": provider.key.kid}, claims)
    ]
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(
        ".".join(segments).encode(), public.encode()
    )
    return ".".join([*segments, base64.urlsafe_b64encode(signature).rstrip(b"=").decode()])


def _altered(provider: Provider, claims: Claims) -> str:
    header, _, signature = provider.signed(claims | {"sub": "other"}).split(".")
    return f"{header}.{provider.signed(claims).split('.')[1]}.{signature}"


_OF_AN_ATTACKER: Final = rsa_keys.jwk("a", "first")


def _signed(claims: Claims, key: RSAKey, **headers: Any) -> str:
    """A token with these claims and headers, signed by this key."""
    private = key.as_pem(private=True)
    return jwt.encode(claims, private, algorithm="RS256", headers=headers)


Forge: TypeAlias = Callable[[Provider, Claims], str]

# Tokens with right claims that their issuer did not sign, or not like this.
FORGERIES: Final[Mapping[str, Forge]] = {
    "HMAC": _by_hmac,
    "none": lambda provider, claims: jwt.encode(
        claims, "", algorithm="none", headers={"kid": provider.key.kid}
    ),
    "altered": _altered,
    "another key": lambda _provider, claims: _signed(claims, _OF_AN_ATTACKER, kid="first"),
    "its own key": lambda _provider, claims: _signed(
        claims, _OF_AN_ATTACKER, jwk=_OF_AN_ATTACKER.as_dict(private=False)
    ),
    "unknown kid": lambda provider, claims: provider.signed(claims, kid="unknown"),
    "critical": lambda provider, claims: _signed(
        claims, provider.key, kid=provider.key.kid, crit=["x"], x=1
    ),
    "four parts": lambda provider, claims: provider.signed(claims) + ".",
    "no signature": lambda provider, claims: provider.signed(claims).rpartition(".")[0] + ".",
    "no JWT": lambda _provider, _claims: "text",
}
