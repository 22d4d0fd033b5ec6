"""Applications and their secrets, by the command line."""

import json
import re
from pathlib import Path

from keystead.application.v1 import application_service_pb2 as pb
from tests.application import calls as applications
from tests.cli.words import Keystead, columns, done, objects, unique
from tests.idp.oidc_calls import LOGO
from tests.support.given import Instance

_REDIRECT = "https://app.example.com/signed-in"


async def test_an_application_is_added_shown_and_removed(keystead: Keystead) -> None:
    organization = unique("org")
    await done(keystead("org", "create", organization))
    there = ("--org", organization)
    group_id = await done(keystead("group", "add", "staff", *there))

    application_id = await done(
        keystead(
            *("app", "add", "Wiki", "--kind", "web", *there, "--redirect-uri", _REDIRECT),
            *("--scope", "openid", "--scope", "groups", "--allow-group", "staff", "--first-party"),
        )
    )

    [shown] = await objects(keystead("app", "show", "wiki", *there, "--json"))
    assert shown == {
        "application_id": application_id,
        "name": "Wiki",
        "kind": "WEB",
        "redirect_uris": [_REDIRECT],
        "post_logout_redirect_uris": [],
        "backchannel_logout_uri": "",
        "token_endpoint_auth_method": "CLIENT_SECRET_BASIC",
        "jwks": "",
        "jwks_uri": "",
        "scopes": ["openid", "groups"],
        "id_token_alg": "RS256",
        "first_party": True,
        "requires_pkce": True,
        "allowed_groups": [group_id],
        "admits_groups_only": True,
        "audience": "ORGANIZATION",
        "access_token_lifetime_seconds": 300,
        "refresh_token_lifetime_seconds": 2_592_000,
        "refresh_token_idle_seconds": 604_800,
        "id_token_claims": [],
        "origins": [],
        "workload_issuers": [],
        "gate_jwt_header": "",
        "gate_identity_headers": False,
        "requires_pushed_authorization_requests": False,
        "token_endpoint_auth_signing_alg": "",
        "allows_token_endpoint_audience": False,
        "logo_bytes": 0,
        "secrets": {},
    }
    assert await columns(keystead("app", "list", *there)) == [[application_id, "Wiki", "WEB"]]
    await done(keystead("app", "remove", application_id))
    assert await done(keystead("app", "list", *there)) == ""


async def test_only_given_options_change_an_application(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    logo, jwks = tmp_path / "logo.png", tmp_path / "jwks.json"
    logo.write_bytes(LOGO)
    jwks.write_text(applications.JWKS)
    name = unique("app")
    application_id = await done(
        keystead("app", "add", name, "--kind", "web", "--redirect-uri", _REDIRECT)
    )

    await done(
        keystead(
            *("app", "set", name, "--auth-method", "private_key_jwt", "--jwks", str(jwks)),
            *("--logo", str(logo), "--no-pkce", "--access-token-lifetime", "60"),
        )
    )
    changed = await applications.get(instance.admin, application_id)
    await done(keystead("app", "set", name, "--redirect-uri", "", "--logo", "/dev/null"))
    emptied = await applications.get(instance.admin, application_id)

    assert changed.redirect_uris == [_REDIRECT]
    assert changed.token_endpoint_auth_method == pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT
    assert changed.jwks == applications.JWKS
    assert (changed.logo, changed.requires_pkce) == (LOGO, False)
    assert changed.access_token_lifetime_seconds == 60
    assert not emptied.redirect_uris
    assert not emptied.logo
    assert emptied.jwks == applications.JWKS


async def test_a_secret_is_printed_once_and_in_no_event(keystead: Keystead) -> None:
    name = unique("app")
    application_id = await done(keystead("app", "add", name, "--kind", "service"))

    secret = await done(keystead("app", "create-secret", name))
    second = await done(keystead("app", "create-secret", name))
    third = await keystead("app", "create-secret", name)
    shown = await done(keystead("app", "show", name, "--json"))
    events = await done(keystead("audit", "--json", "--aggregate", application_id))

    assert re.fullmatch("kas_[0-9a-f]{72}", secret)
    assert second != secret
    assert (third.status, third.output) == (1, "")
    assert "keystead app remove-secret" in third.errors
    for text in (shown, events):
        assert secret not in text


async def test_workload_issuers_are_a_file(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    file, name = tmp_path / "issuers.json", unique("app")
    claims = {"repository_owner_id": "4711"}
    issuers = [{**applications.WORKLOADS, "subject": "*", "claims": claims}]
    file.write_text(json.dumps([*issuers, applications.WORKLOADS]))

    application_id = await done(
        keystead(
            *("app", "add", name, "--kind", "service", "--auth-method", "none"),
            *("--workload-issuers", str(file)),
        )
    )
    added = await applications.get(instance.admin, application_id)
    [shown] = await objects(keystead("app", "show", name, "--json"))
    as_text = await done(keystead("app", "show", name))
    file.write_text("[]")
    method = ("--auth-method", "client_secret_basic")
    await done(keystead("app", "set", name, "--workload-issuers", str(file), *method))
    emptied = await applications.get(instance.admin, application_id)

    assert shown["workload_issuers"] == [*issuers, {**applications.WORKLOADS, "claims": {}}]
    assert [each.subject for each in added.workload_issuers] == ["*", "repo:example/*"]
    assert json.dumps(claims) in as_text
    assert not emptied.workload_issuers
    assert re.search(r"workload_issuers\s+-", await done(keystead("app", "show", name)))


async def test_a_wrong_file_of_workload_issuers_is_explained(
    keystead: Keystead, tmp_path: Path
) -> None:
    file = tmp_path / "issuers.json"

    async def errors(content: bytes) -> str:
        file.write_bytes(content)
        added = await keystead(
            *("app", "add", unique("app"), "--kind", "service", "--workload-issuers", str(file))
        )
        assert added.status != 0
        return added.errors

    for content in (b"{", b"{}", b"[1]"):
        assert "not a JSON list of objects" in await errors(content)
    assert "unknown members: subjects" in await errors(b'[{"subjects": []}]')
    assert "not text in UTF-8" in await errors(b"\xff")
    assert "  application.workloadIssuers.0.issuer: must" in await errors(b"[{}]")


async def test_refusals_name_commands(keystead: Keystead) -> None:
    name = unique("app")
    await done(keystead("app", "add", name, "--kind", "browser", "--redirect-uri", _REDIRECT))

    without = await keystead("app", "create-secret", name)
    no_secret = await keystead("app", "remove-secret", name, "unknown")
    contradiction = await keystead("app", "set", name, "--no-pkce")

    assert [each.status for each in (without, no_secret, contradiction)] == [1, 1, 1]
    assert "keystead app set --auth-method" in without.errors
    assert "keystead app show" in no_secret.errors
    assert "  application.requiresPkce: must be true" in contradiction.errors
