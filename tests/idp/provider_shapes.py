"""The shapes of discovery documents, ID tokens and userinfo, by the documentation of providers.

The values are invented. `{issuer}` stands for the issuer of the provider on loopback.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.oidc_provider import CLIENT_ID

_STANDARD = ("aud", "exp", "iat", "iss", "sub", "email", "name")


@dataclass(frozen=True)
class Shape:
    """The shape of a provider, and the user that a first sign-in registers.

    `times` are claims of the ID token in seconds from now; a claim that is None is left out.
    """

    name: str
    source: str
    claims: Mapping[str, Any]
    # User name, display name and mail address.
    user: tuple[str, str, str]
    preset: str = ""
    path: str = ""
    # None: the provider has no userinfo endpoint.
    userinfo: Mapping[str, Any] | None = None
    times: Mapping[str, int] = field(default_factory=lambda: {"iat": 0, "exp": 3600})
    metadata: Mapping[str, Any] = field(default_factory=dict)
    # Further members of the published key.
    key: Mapping[str, Any] = field(default_factory=lambda: {"use": "sig", "alg": "RS256"})
    lists: Sequence[str] = (*_STANDARD, "auth_time")


_ENTRA: dict[str, Any] = {
    "source": "https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference,"
    " https://learn.microsoft.com/entra/identity-platform/userinfo",
    "preset": "microsoft",
    # Dated back: https://github.com/keycloak/keycloak/issues/46303
    "times": {"iat": -300, "nbf": -300, "exp": 3600, "auth_time": -20},
    "metadata": {
        "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"],
        "subject_types_supported": ["pairwise"],
        "request_uri_parameter_supported": False,
        "tenant_region_scope": "EU",
        "cloud_instance_name": "microsoftonline.com",
    },
    "key": {"use": "sig", "x5t": "AQ", "x5c": ["AQ=="], "issuer": "{issuer}"},
}

SHAPES = (
    Shape(
        "Google",
        "https://developers.google.com/identity/openid-connect/openid-connect",
        preset="google",
        claims={
            "azp": CLIENT_ID,
            "sub": "110169484474386276334",
            "hd": "example.com",
            "email": "ada@example.com",
            "email_verified": True,
            "name": "Ada Lovelace",
            "given_name": "Ada",
            "picture": "https://lh3.example.com/a/photo=s96-c",
        },
        userinfo={
            "sub": "110169484474386276334",
            "name": "Ada Lovelace",
            "email": "ada@example.com",
            "email_verified": True,
            "hd": "example.com",
        },
        lists=_STANDARD,
        user=("ada@example.com", "Ada Lovelace", "ada@example.com"),
    ),
    Shape(
        "Microsoft Entra, an application of one tenant",
        path="/b9419818-09af-49c2-b0c3-653adc1f376e/v2.0",
        claims={
            "aio": "ATQAy/8TAAAA",
            "name": "Ada Lovelace",
            "oid": "00000000-0000-0000-66f3-3332eca7ea81",
            "preferred_username": "ada@example.com",
            "rh": "0.AS8A",
            "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
            "tid": "b9419818-09af-49c2-b0c3-653adc1f376e",
            "uti": "fqiBqXLPj0eQa82S-IYFAA",
            "ver": "2.0",
            "at_hash": None,
        },
        userinfo={
            "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
            "name": "Ada Lovelace",
            "family_name": "Lovelace",
            "given_name": "Ada",
            "picture": "https://graph.microsoft.com/v1.0/me/photo/$value",
            "email": "ada@example.com",
        },
        # Entra does not say that it has verified an address.
        user=("ada@example.com", "Ada Lovelace", ""),
        **_ENTRA,
    ),
    Shape(
        "Microsoft Entra, an application of all tenants with personal accounts",
        path="/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
        claims={
            "name": "Ada Lovelace",
            "oid": "00000000-0000-0000-66f3-3332eca7ea81",
            "preferred_username": "ada@outlook.example",
            "email": "ada@outlook.example",
            "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaR",
            "tid": "9188040d-6c67-4c5b-b112-36a304b66dad",
            "ver": "2.0",
            "at_hash": None,
        },
        userinfo={
            "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaR",
            "email": "ada@outlook.example",
        },
        user=("ada@outlook.example", "Ada Lovelace", ""),
        **_ENTRA,
    ),
    Shape(
        "Okta",
        "https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/",
        preset="okta",
        claims={
            "ver": 1,
            "sub": "00uid4BxXw6I6TV4m0g3",
            "jti": "ID.4eAWJOCMB3SX8XewDfVR",
            "amr": ["mfa", "otp", "pwd"],
            "idp": "00o1gz1ReS7hgsLrc0g3",
            "name": "Ada Lovelace",
            "preferred_username": "ada@example.com",
        },
        times={"iat": 0, "exp": 3600, "auth_time": -30},
        userinfo={
            "sub": "00uid4BxXw6I6TV4m0g3",
            "name": "Ada Lovelace",
            "locale": "en-US",
            "email": "ada@example.com",
            "preferred_username": "ada@example.com",
            "updated_at": 1311280970,
            "email_verified": True,
        },
        user=("ada@example.com", "Ada Lovelace", "ada@example.com"),
    ),
    Shape(
        "Auth0",
        "https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure",
        preset="auth0",
        path="/",
        claims={
            "sub": "auth0|5f7c8ec7c33c6c004bbafe82",
            "name": "Ada Lovelace",
            "nickname": "ada",
            "picture": "https://s.gravatar.example/avatar/photo.png",
            "updated_at": "2026-11-28T20:00:00.000Z",
            "email": "ada@example.com",
            "email_verified": True,
            "sid": "t5C8h0PzJQzp",
            "at_hash": None,
        },
        userinfo={"sub": "auth0|5f7c8ec7c33c6c004bbafe82", "nickname": "ada"},
        times={"iat": 0, "exp": 36_000, "auth_time": -30},
        user=("ada@example.com", "Ada Lovelace", "ada@example.com"),
    ),
    Shape(
        "Keycloak",
        "https://www.keycloak.org/docs/latest/server_admin/#_oidc_token_types",
        preset="keycloak",
        path="/realms/main",
        claims={
            "jti": "5ee4d0c9-3c2f-4c7f-9d5a-1f6d7e0c2a11",
            "sub": "f:5b8a2e0a-1f3c-4f65-8f0e-6d3c6a7b1c2d:ada",
            "aud": [CLIENT_ID, "account"],
            "typ": "ID",
            "azp": CLIENT_ID,
            "sid": "1d5a4a4e-6a5c-4c0a-9a57-2c2f9c2f9b11",
            "acr": "1",
            "email_verified": True,
            "name": "Ada Lovelace",
            "preferred_username": "ada",
            "given_name": "Ada",
            "family_name": "Lovelace",
            "email": "ada@example.com",
        },
        userinfo={
            "sub": "f:5b8a2e0a-1f3c-4f65-8f0e-6d3c6a7b1c2d:ada",
            "preferred_username": "ada",
            "email_verified": True,
        },
        times={"iat": 0, "exp": 300, "auth_time": 0},
        metadata={
            "authorization_response_iss_parameter_supported": False,
            "id_token_signing_alg_values_supported": ["PS384", "RS384", "EdDSA", "HS256", "RS256"],
        },
        key={"use": "sig", "alg": "RS256", "x5c": ["AQ=="], "x5t": "AQ", "x5t#S256": "AQ"},
        user=("ada", "Ada Lovelace", "ada@example.com"),
    ),
    Shape(
        "authentik",
        "https://docs.goauthentik.io/add-secure-apps/providers/oauth2/",
        preset="authentik",
        path="/application/o/keystead/",
        claims={
            "sub": "9b7e3f0c1a2d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7",
            "acr": "goauthentik.io/providers/oauth2/default",
            "amr": ["pwd"],
            "azp": CLIENT_ID,
            "uid": "hCq2ZL3V0vXW",
            "email": "ada@example.com",
            # Since release 2025.10, unless the administrator maps another value.
            "email_verified": False,
            "name": "Ada Lovelace",
            "given_name": "Ada Lovelace",
            "preferred_username": "ada",
            "nickname": "ada",
            "groups": ["authentik Admins"],
        },
        userinfo={
            "sub": "9b7e3f0c1a2d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7",
            "email": "ada@example.com",
            "email_verified": False,
            "preferred_username": "ada",
        },
        times={"iat": 0, "exp": 300, "auth_time": -10},
        key={"use": "sig", "alg": "RS256", "x5c": ["AQ=="], "x5t": "AQ"},
        user=("ada", "Ada Lovelace", ""),
    ),
    Shape(
        "Zitadel",
        "https://zitadel.com/docs/apis/openidoauth/claims",
        preset="zitadel",
        claims={
            "aud": ["69234237810729019@shop", CLIENT_ID, "69234230193872955"],
            "azp": CLIENT_ID,
            "client_id": CLIENT_ID,
            "sub": "77776025198584418",
            "amr": ["user", "mfa"],
            "sid": "V1_236025698584418",
        },
        userinfo={
            "sub": "77776025198584418",
            "name": "Ada Lovelace",
            "preferred_username": "ada@example.zitadel.cloud",
            "email": "ada@example.com",
            "email_verified": True,
            "updated_at": 1687257744,
            "urn:zitadel:iam:user:resourceowner:id": "77776025198584417",
        },
        times={"iat": 0, "exp": 43_200, "auth_time": -5},
        user=("ada@example.zitadel.cloud", "Ada Lovelace", "ada@example.com"),
    ),
    *(
        Shape(
            name,
            "https://docs.gitlab.com/integration/openid_connect_provider/",
            preset=preset,
            claims={
                "sub": "4711",
                "sub_legacy": "c5f2a8e3b1d04f6799a0c1d2e3f40516",
                "email": "ada@example.com",
                "email_verified": True,
                "groups_direct": ["example", "example/shop"],
            },
            userinfo={
                "sub": "4711",
                "sub_legacy": "c5f2a8e3b1d04f6799a0c1d2e3f40516",
                "name": "Ada Lovelace",
                "nickname": "ada",
                "preferred_username": "ada",
                "email": "ada@example.com",
                "email_verified": True,
                "website": "",
                "profile": "https://gitlab.example.com/ada",
                "groups": ["example", "example/shop"],
            },
            times={"iat": 0, "exp": 120, "auth_time": -86_400},
            user=("ada", "Ada Lovelace", "ada@example.com"),
        )
        for name, preset in (("GitLab.com", "gitlab"), ("GitLab", "gitlab-self-managed"))
    ),
    Shape(
        "Apple",
        "https://developer.apple.com/documentation/signinwithapple/"
        "authenticating-users-with-sign-in-with-apple",
        claims={
            "sub": "001234.5f1c9d7e0a2b4c6d8e0f1a2b3c4d5e6f.0815",
            "email": "dpdcnf87nu@privaterelay.appleid.com",
            "email_verified": "true",
            "is_private_email": "true",
            "nonce_supported": True,
            "real_user_status": 2,
        },
        times={"iat": 0, "exp": 86_400, "auth_time": -2},
        user=("dpdcnf87nu@privaterelay.appleid.com",) * 2
        + ("dpdcnf87nu@privaterelay.appleid.com",),
    ),
    Shape(
        "Amazon Cognito",
        "https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html,"
        " https://docs.aws.amazon.com/cognito/latest/developerguide/"
        "amazon-cognito-user-pools-using-the-id-token.html",
        preset="cognito",
        path="/eu-central-1_EXAMPLE",
        claims={
            "sub": "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
            "cognito:groups": ["admins"],
            "cognito:username": "ada",
            "origin_jti": "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeef",
            "event_id": "64f513be-32db-42b0-b78e-b02127b4f463",
            "token_use": "id",
        },
        userinfo={
            "sub": "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
            "email_verified": "true",
            "email": "ada@example.com",
            "phone_number_verified": "true",
            "name": "Ada Lovelace",
            "username": "ada",
        },
        times={"iat": 0, "exp": 3600, "auth_time": -1},
        user=("ada@example.com", "Ada Lovelace", "ada@example.com"),
    ),
    Shape(
        "OneLogin",
        "https://developers.onelogin.com/openid-connect/api/provider-config",
        preset="onelogin",
        path="/oidc/2",
        claims={
            "sub": "31865472",
            "email": "ada@example.com",
            "preferred_username": "ada",
            "name": "Ada Lovelace",
            "updated_at": 1764460000,
            "at_hash": None,
        },
        userinfo={"sub": "31865472", "preferred_username": "ada", "name": "Ada Lovelace"},
        times={"iat": 0, "exp": 7200, "auth_time": -4},
        # It does not say that it has verified an address.
        user=("ada", "Ada Lovelace", ""),
    ),
    Shape(
        "Authelia",
        "https://www.authelia.com/integration/openid-connect/openid-connect-1.0-claims/",
        preset="authelia",
        # Without the claims of the scopes, which the userinfo has.
        claims={
            "sub": "f0919359-9d15-4e15-bcba-83b41620a073",
            "amr": ["pwd", "otp", "mfa"],
            "azp": CLIENT_ID,
            "client_id": CLIENT_ID,
            "jti": "b7c8bd5c-4f52-4f0c-8d6a-0f0f6d3f5c11",
        },
        userinfo={
            "sub": "f0919359-9d15-4e15-bcba-83b41620a073",
            "name": "Ada Lovelace",
            "preferred_username": "ada",
            "email": "ada@example.com",
            "email_verified": True,
            "alt_emails": ["ada@example.org"],
            "rat": 1764460000,
        },
        times={"iat": 0, "exp": 3600, "auth_time": -15},
        user=("ada", "Ada Lovelace", "ada@example.com"),
    ),
    Shape(
        "Keystead, another instance",
        "docs/applications.md",
        preset="keystead",
        claims={
            "sub": "0193a6f0-7c1e-7b3a-9d52-0f6b1c2d3e4f",
            "amr": ["swk", "user"],
            "preferred_username": "ada",
            "name": "Ada Lovelace",
            "email": "ada@example.com",
            "email_verified": True,
        },
        times={"iat": 0, "exp": 600, "auth_time": -3},
        user=("ada", "Ada Lovelace", "ada@example.com"),
    ),
)
