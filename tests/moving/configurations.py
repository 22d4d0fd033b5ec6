"""Applications and providers of other systems, made by hand after the sources that each names.

Each sample has what moves, and an odd case of each thing that does not.
"""

from typing import Any

SECRET = "0123456789abcdef0123456789ABCDEF"


def _client(client_id: str, **fields: Any) -> dict[str, Any]:
    return {
        "clientId": client_id,
        "enabled": True,
        "protocol": "openid-connect",
        "clientAuthenticatorType": "client-secret",
        "standardFlowEnabled": True,
    } | fields


# keycloak/keycloak: ClientRepresentation, OIDCConfigAttributes, IdentityProviderRepresentation.
KEYCLOAK: dict[str, Any] = {
    "realm": "company",
    "users": [],
    "clients": [
        _client("account", redirectUris=["/realms/company/account/*"]),
        _client(
            "shop",
            name="Shop",
            rootUrl="https://shop.example.com/",
            redirectUris=["/callback", "/*", "http://shop.internal/callback", "custom:/x"],
            secret=SECRET,
            attributes={
                "post.logout.redirect.uris": "+##https://shop.example.com/bye",
                "pkce.code.challenge.method": "S256",
                "access.token.lifespan": "600",
                "backchannel.logout.url": "https://shop.example.com/logout",
            },
            protocolMappers=[{"name": "department"}],
            implicitFlowEnabled=True,
            directAccessGrantsEnabled=True,
            serviceAccountsEnabled=True,
        ),
        _client(
            "https://wiki.example.com",
            name="${client_wiki}",
            redirectUris=["https://wiki.example.com/oidc"],
            secret="**********",
            consentRequired=True,
            attributes={"access.token.lifespan": "86400"},
        ),
        _client("weak", redirectUris=["https://weak.example.com/"], secret="secret"),
        _client("spa", publicClient=True, redirectUris=["https://spa.example.com/"]),
        _client("cli", publicClient=True, redirectUris=["http://localhost:8000/callback"]),
        _client(
            "batch", standardFlowEnabled=False, serviceAccountsEnabled=True, secret=f"{SECRET}0"
        ),
        _client(
            "signed",
            clientAuthenticatorType="client-jwt",
            redirectUris=["https://signed.example.com/"],
            attributes={"jwks.url": "https://signed.example.com/jwks"},
        ),
        _client(
            "certified", clientAuthenticatorType="client-jwt", redirectUris=["https://c.example/"]
        ),
        _client("mtls", clientAuthenticatorType="client-x509"),
        _client("saml", protocol="saml"),
        _client("api", bearerOnly=True),
        _client("old", enabled=False),
        _client("password", standardFlowEnabled=False, publicClient=True),
        _client("wild", redirectUris=["*"]),
    ],
    "identityProviders": [
        {
            "alias": "workforce",
            "providerId": "oidc",
            "trustEmail": True,
            "config": {
                "issuer": "https://login.example.com",
                "clientId": "keycloak",
                "clientSecret": "of the provider",
                "clientAuthMethod": "client_secret_post",
                "defaultScope": "openid email",
            },
        },
        {
            "alias": "google",
            "providerId": "google",
            "enabled": False,
            "config": {"clientId": "4711", "clientSecret": "${vault.google}"},
        },
        {"alias": "adfs", "providerId": "saml"},
        {"alias": "key", "providerId": "oidc", "config": {"clientAuthMethod": "private_key_jwt"}},
        {"alias": "lost", "providerId": "keycloak-oidc", "config": {"clientId": "x"}},
    ],
    "identityProviderMappers": [{"name": "x"}],
    "clientScopes": [{"name": "email"}, {"name": "profile"}],
}

# pocket-id/pocket-id: model/oidc.go; columns of JSON are text, and booleans may be missing.
POCKET_ID: dict[str, Any] = {
    "tables": {
        "users": [],
        "user_groups": [{"id": "g", "name": "Staff Members", "friendly_name": "Staff"}],
        "oidc_clients_allowed_user_groups": [{"oidc_client_id": "c1", "user_group_id": "g"}],
        "oidc_clients": [
            {
                "id": "c1",
                "name": "Immich",
                "callback_urls": '["https://immich.example.com/auth/login", "app.immich:///x"]',
                "logout_callback_urls": "[]",
                "is_public": False,
                "pkce_enabled": True,
                "skip_consent": True,
                "is_group_restricted": True,
                "requires_reauthentication": True,
                "access_token_duration_minutes": 10,
                "credentials": '{"secrets":[{"hash":"x"}],"federatedIdentities":[{}]}',
            },
            {
                "id": "c2",
                "name": "Immich",
                "is_public": True,
                "callback_urls": ["https://a.example/"],
            },
            {"id": "c3", "name": "Wild", "callback_urls": '["https://*.example.com/**"]'},
            {"id": "c4", "name": "Learns", "callback_urls": None},
            {"id": "https://cimd.example/client", "name": "Document", "client_type": "cimd"},
        ],
    }
}

# auth0.com/docs/api/management/v2: GetClientResponseContent and ConnectionOptionsCommonOidc.
AUTH0_CLIENTS: list[dict[str, Any]] = [
    {"client_id": "global", "global": True},
    {
        "client_id": "aYzKB5h8o3",
        "name": "Shop",
        "app_type": "regular_web",
        "client_secret": SECRET,
        "is_first_party": True,
        "callbacks": ["https://shop.example.com/callback", "https://*.example.com/callback"],
        "allowed_logout_urls": ["https://shop.example.com"],
        "token_endpoint_auth_method": "client_secret_post",
        "jwt_configuration": {"alg": "HS256"},
        "oidc_logout": {"backchannel_logout_urls": ["https://shop.example.com/logout"]},
        "addons": {"samlp": {}},
    },
    {
        "client_id": "auth0-spa",
        "name": "SPA",
        "app_type": "spa",
        "token_endpoint_auth_method": "none",
        "callbacks": ["http://localhost:3000", "https://spa.example.com"],
    },
    {
        "client_id": "m2m",
        "name": "Batch",
        "app_type": "non_interactive",
        "client_secret": f"{SECRET}0",
    },
    {"client_id": "sso", "name": "Slack", "app_type": "slack"},
    {"client_id": "jwt", "name": "JWT", "token_endpoint_auth_method": "private_key_jwt"},
]
AUTH0_CONNECTIONS: list[dict[str, Any]] = [
    {"name": "Users", "strategy": "auth0"},
    {
        "name": "workforce",
        "strategy": "oidc",
        "options": {
            "issuer": "https://login.example.com",
            "client_id": "auth0",
            "client_secret": "x",
            "scope": "openid profile email",
            "type": "back_channel",
        },
    },
    {
        "name": "implicit",
        "strategy": "oidc",
        "options": {"issuer": "https://i.example", "client_id": "i", "type": "front_channel"},
    },
    {"name": "google-oauth2", "strategy": "google-oauth2", "options": {}},
    {"name": "azure", "strategy": "waad", "options": {"client_id": "x"}},
    {
        "name": "okta",
        "strategy": "okta",
        "options": {"domain": "example.okta.com", "client_id": "o", "client_secret": "y"},
    },
    {
        "name": "key",
        "strategy": "oidc",
        "options": {"client_id": "k", "token_endpoint_auth_method": "private_key_jwt"},
    },
]

# zitadel/zitadel: v1.proto and management.proto. Values with the number 0 are missing.
ZITADEL: dict[str, Any] = {
    "orgs": [
        {
            "orgId": "1",
            "humanUsers": [
                {
                    "userId": "7",
                    "user": {"userName": "ada", "idps": [{"configId": "9", "externalUserId": "a"}]},
                }
            ],
            "oidcApps": [
                {"app": {"name": "Web", "redirectUris": ["https://web.example.com/callback"]}},
                {
                    "app": {
                        "name": "App",
                        "appType": "OIDC_APP_TYPE_NATIVE",
                        "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE",
                        "redirectUris": ["com.example.app:/callback"],
                        "grantTypes": ["OIDC_GRANT_TYPE_IMPLICIT"],
                    }
                },
                {
                    "app": {
                        "name": "Public",
                        "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE",
                        "redirectUris": ["https://public.example.com/"],
                    }
                },
                {"app": {"name": "Key", "authMethodType": "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"}},
            ],
            "apiApps": [{"app": {"name": "API"}}],
            "oidcIdps": [
                {
                    "idpId": "9",
                    "idp": {
                        "name": "workforce",
                        "issuer": "https://login.example.com",
                        "clientId": "zitadel",
                        "scopes": ["openid", "email"],
                        "autoRegister": True,
                    },
                }
            ],
        }
    ]
}
