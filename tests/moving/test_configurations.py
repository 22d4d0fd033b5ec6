"""`keystead migrate --configuration`: applications and providers become a file of `apply`."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.words import commands_on
from tests.configuration.conftest import org
from tests.configuration.files import Configured
from tests.moving import configurations as samples
from tests.moving.configurations import SECRET
from tests.support.given import Instance

__all__ = ["org"]  # a fixture

Migrate = Callable[..., Any]


@pytest.fixture
def migrate(
    instance: Instance, org: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Migrate:
    """Migrates files; returns the configuration, its secrets, what is said, and what it plans."""

    async def run(system: str, *exports: object) -> tuple[Any, dict[str, str], set[str], list[str]]:
        files = [tmp_path / f"{number}.json" for number in range(len(exports))]
        for file, export in zip(files, exports, strict=True):
            file.write_text(json.dumps(export))
        to, secrets = tmp_path / "keystead.yaml", tmp_path / "secrets"
        said = await commands_on(instance)(
            *("migrate", system, *map(str, files), "--to", str(tmp_path / "people.ndjson")),
            *("--configuration", str(to), "--secrets", str(secrets)),
        )
        assert said.status == 0, said.errors
        assert {each.stat().st_mode & 0o777 for each in (to, secrets)} == {0o600}
        lines = [line.partition("=") for line in secrets.read_text().splitlines()]
        variables = {name: value.strip("'") for name, _, value in lines}
        for name, value in variables.items():
            monkeypatch.setenv(name, value or "of the operator")
        planned = await org.paths(to.read_text())
        assert (await org.apply(to.read_text())).succeeded
        assert await org.paths(to.read_text()) == []
        return yaml.safe_load(to.read_text()), variables, set(said.errors.splitlines()), planned

    return run


async def test_a_keycloak_realm(migrate: Migrate) -> None:
    content, secrets, said, planned = await migrate("keycloak", samples.KEYCLOAK)

    applications = content["applications"]
    assert applications["Shop"] == {
        "id": "shop",
        "kind": "APPLICATION_KIND_WEB",
        "redirect_uris": ["https://shop.example.com/callback", "http://shop.internal/callback"],
        "post_logout_redirect_uris": [
            "https://shop.example.com/callback",
            "http://shop.internal/callback",
            "https://shop.example.com/bye",
        ],
        "allows_http": True,
        "token_endpoint_auth_method": "TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC",
        "access_token_lifetime_seconds": 600,
        "backchannel_logout_uri": "https://shop.example.com/logout",
        "pkce": "APPLICATION_PKCE_REQUIRED",
        "first_party": True,
        "secret": {"from_env": "SHOP_SECRET"},
    }
    assert {name: each["kind"].rpartition("_")[2] for name, each in applications.items()} == {
        "Shop": "WEB",
        "https://wiki.example.com": "WEB",
        "weak": "WEB",
        "spa": "BROWSER",
        "cli": "NATIVE",
        "batch": "SERVICE",
        "signed": "WEB",
    }
    assert content["idps"] == {
        "workforce": {
            "oidc_config": {
                "issuer": "https://login.example.com",
                "client_id": "keycloak",
                "token_endpoint_auth_method": "TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST",
                "scopes": ["email"],
                "client_secret": {"from_env": "WORKFORCE_SECRET"},
            }
        },
        "google": {
            "is_disabled": True,
            "oidc_config": {
                "issuer": "https://accounts.google.com",
                "client_id": "4711",
                "scopes": ["profile", "email"],
                "client_secret": {"from_env": "GOOGLE_SECRET"},
            },
        },
    }
    assert secrets == {
        "SHOP_SECRET": SECRET,
        "BATCH_SECRET": f"{SECRET}0",
        "WORKFORCE_SECRET": "of the provider",
        "GOOGLE_SECRET": "",
    }
    assert len(planned) == 9
    assert said == {
        "0 users, 0 of them with a passkey.",
        "7 applications and 2 identity providers.",
        "1 x mappers of identity providers stay: write mappings.",
        "2 x client scopes stay, with their protocol mappers.",
        "client shop: its protocol mappers stay: department.",
        "client shop: the implicit flow stays.",
        "client shop: the password grant stays.",
        "client shop: its service account stays: create an application of the kind SERVICE.",
        "application Shop: https://shop.example.com/* has a wildcard: name each URI.",
        (
            "application Shop: custom:/x must begin with https://, or for a native application with"
            " a private-use scheme with a dot, such as com.example.app:/."
        ),
        (
            "application https://wiki.example.com gets another client ID: 'https://wiki.example.com'"
            " must be of A-Z, a-z, 0-9 and ._~- and not a dot or two alone."
        ),
        (
            "application https://wiki.example.com: its access tokens get the default lifetime;"
            " 86400 seconds are not 60 to 3600."
        ),
        (
            "application https://wiki.example.com: its secret is not in the export: make another by"
            " keystead app create-secret."
        ),
        (
            "application weak: its secret must be random and have 128 bits: at least 32 hexadecimal"
            " digits or 22 characters of base64url. Make a new one, for example with openssl rand"
            " -hex 32; make another by keystead app create-secret."
        ),
        (
            "client certified stays: its key is a certificate: create the application with jwks or"
            " jwks_uri."
        ),
        "client mtls stays: it authenticates by client-x509.",
        "client saml stays: it speaks saml.",
        "client api stays: it only takes tokens: create an application of the kind RESOURCE.",
        "client old stays: it is disabled.",
        "client password stays: it has neither the authorization code flow nor a service account.",
        "application wild: * has a wildcard: name each URI.",
        "application wild has no redirect URI that can move, so it stays.",
        "identity provider workforce: addresses need email_verified of the provider.",
        (
            "identity provider google: set GOOGLE_SECRET to its secret, which the export does not"
            " have."
        ),
        "identity provider adfs stays: saml is not OpenID Connect.",
        "identity provider key stays: it authenticates by private_key_jwt.",
        "identity provider lost stays: its issuer (none) must begin with https://.",
    }


async def test_pocket_id(migrate: Migrate) -> None:
    content, secrets, said, _ = await migrate("pocket-id", samples.POCKET_ID)

    assert content == {
        "groups": {"staff-members": {"display_name": "Staff"}},
        "applications": {
            "Immich": {
                "id": "c1",
                "kind": "APPLICATION_KIND_WEB",
                "redirect_uris": ["https://immich.example.com/auth/login"],
                "access_token_lifetime_seconds": 600,
                "first_party": True,
                "pkce": "APPLICATION_PKCE_REQUIRED",
                "allowed_groups": ["staff-members"],
                "admits_groups_only": True,
            },
            "Immich (c2)": {
                "id": "c2",
                "kind": "APPLICATION_KIND_BROWSER",
                "redirect_uris": ["https://a.example/"],
            },
        },
    }
    assert (secrets, len(said)) == ({}, 11)


async def test_auth0(migrate: Migrate) -> None:
    content, secrets, said, _ = await migrate(
        "auth0", samples.AUTH0_CLIENTS, {"connections": samples.AUTH0_CONNECTIONS, "total": 7}
    )

    applications = content["applications"]
    assert {name: each["kind"].rpartition("_")[2] for name, each in applications.items()} == {
        "Shop": "WEB",
        "SPA": "NATIVE",
        "Batch": "SERVICE",
    }
    assert applications["Shop"]["backchannel_logout_uri"] == "https://shop.example.com/logout"
    configs = {name: each["oidc_config"] for name, each in content["idps"].items()}
    assert {name: (each["issuer"], each["client_id"]) for name, each in configs.items()} == {
        "workforce": ("https://login.example.com", "auth0"),
        "implicit": ("https://i.example", "i"),
        "okta": ("https://example.okta.com", "o"),
    }
    assert secrets == {
        "SHOP_SECRET": SECRET,
        "BATCH_SECRET": f"{SECRET}0",
        "WORKFORCE_SECRET": "x",
        "OKTA_SECRET": "y",
    }
    assert len(said) == 10


async def test_zitadel_names_its_providers(migrate: Migrate, tmp_path: Path) -> None:
    content, secrets, said, _ = await migrate("zitadel", samples.ZITADEL)

    [user] = map(json.loads, (tmp_path / "people.ndjson").read_text().splitlines())
    assert user["idpLinks"] == [{"idp": "workforce", "subject": "a"}]
    assert [*content["idps"]] == ["workforce"]
    assert content["idps"]["workforce"]["auto_register"] is True
    assert {
        name: each["kind"].rpartition("_")[2] for name, each in content["applications"].items()
    } == {
        "Web": "WEB",
        "App": "NATIVE",
        "Public": "BROWSER",
    }
    assert secrets == {"WORKFORCE_SECRET": ""}
    assert "1 x API applications stay: create applications of the kind RESOURCE." in said


async def test_objects_of_one_name_all_move_or_are_told(migrate: Migrate) -> None:
    [org] = samples.ZITADEL["orgs"]
    others = [{**org, "orgId": number, "humanUsers": []} for number in "23"]

    content, _, said, _ = await migrate("zitadel", {"orgs": [org, *others]})

    assert {f"Web{each}" for each in ("", " (2)", " (3)")} <= content["applications"].keys()
    assert len(content["applications"]) == 9
    assert [*content["idps"]] == ["workforce"]
    assert "identity provider workforce is there more than once; the first one moves." in said


async def test_a_client_id_of_two_realms_is_that_of_the_first(migrate: Migrate) -> None:
    shop = samples.KEYCLOAK["clients"][1] | {"clientId": "realms", "name": "Realms"}
    realm = {"users": [], "clients": [shop]}

    content, _, said, _ = await migrate("keycloak", [realm, realm])

    ids = {name: each.get("id", "") for name, each in content["applications"].items()}
    assert ids == {"Realms": "realms", "Realms (realms)": ""}
    assert (
        "application Realms gets another client ID: 'realms' is that of another application."
        in said
    )


async def test_one_name_of_two_issuers_is_refused(instance: Instance, tmp_path: Path) -> None:
    [org] = samples.ZITADEL["orgs"]
    other = copy.deepcopy({**org, "orgId": "2", "humanUsers": []})
    other["oidcIdps"][0]["idp"]["issuer"] = "https://other.example.com"
    export = tmp_path / "export.json"
    export.write_text(json.dumps({"orgs": [org, other]}))

    said = await commands_on(instance)(
        "migrate", "zitadel", str(export), "--to", str(tmp_path / "people.ndjson")
    )

    assert said.status == 1
    assert (
        "'https://login.example.com' and 'https://other.example.com' would both be 'workforce'"
        in said.errors
    )


async def test_secrets_without_a_file_of_theirs_are_told(
    instance: Instance, tmp_path: Path
) -> None:
    export, secrets = tmp_path / "export.json", tmp_path / "secrets"
    export.write_text(json.dumps(samples.KEYCLOAK))
    command = ("migrate", "keycloak", str(export), "--to", str(tmp_path / "people.ndjson"))

    told = await commands_on(instance)(*command, "--configuration", str(tmp_path / "keystead.yaml"))
    alone = await commands_on(instance)(*command, "--secrets", str(secrets))

    names = "SHOP_SECRET, BATCH_SECRET, WORKFORCE_SECRET, GOOGLE_SECRET"
    assert f"set {names}, or name a file for them by --secrets." in told.errors
    assert alone.status == 2
    assert "--configuration" in alone.errors
