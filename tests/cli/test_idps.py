"""Identity providers and their OpenID Connect settings, by the command line."""

from pathlib import Path

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests.cli.words import Keystead, columns, done, objects, unique
from tests.idp import calls, oidc_calls
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Instance
from tests.support.oidc_provider import CLIENT_ID, CLIENT_SECRET, oidc_provider

_SECRET = b"a-client-secret\n"
_FROM_STDIN = ("--client-id", "keystead", "--client-secret-file", "-")


async def test_a_provider_is_added_by_a_preset_shown_and_removed(
    instance: Instance, keystead: Keystead
) -> None:
    organization = unique("org")
    await done(keystead("org", "create", organization))
    there = ("--org", organization)

    idp_id = await done(
        keystead("idp", "create", "--preset", "google", *_FROM_STDIN, *there, stdin=_SECRET)
    )

    [idp] = await objects(keystead("idp", "show", "google", *there, "--json"))
    [shown] = await objects(keystead("idp", "show-oidc", idp_id, "--json"))
    assert (idp["idp_id"], idp["name"], idp["styling_type"]) == (idp_id, "Google", "PROVIDER")
    expected = {
        "issuer": "https://accounts.google.com",
        "client_id": "keystead",
        "client_secret_set": True,
        "scopes": ["profile", "email"],
        "auto_register_mail_domains": [],
        "auto_register_hosted_domains": [],
        "update_name_at_sign_in": True,
        "update_email_at_sign_in": False,
    }
    assert {name: shown[name] for name in expected} == expected
    assert shown["token_endpoint_auth_method"] == "CLIENT_SECRET_BASIC"
    button = {"logo_bytes": 0, "background_color": "#ffffff", "text_color": "#1f1f1f"}
    assert shown["button"] == button
    assert ["issuer", "https://accounts.google.com"] in await columns(
        keystead("idp", "show-oidc", idp_id)
    )
    removed = await done(keystead("idp", "remove-oidc", idp_id))
    assert removed.startswith(f"The OpenID Connect settings of '{idp_id}' were removed")
    await done(keystead("idp", "remove", idp_id))
    assert await done(keystead("idp", "list", *there)) == ""


async def test_a_provider_is_added_by_its_issuer_and_changed(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    name = unique("idp")
    logo, secret = tmp_path / "logo.png", tmp_path / "secret"
    logo.write_bytes(oidc_calls.LOGO)
    secret.write_bytes(_SECRET)
    client = ("--issuer", "https://login.example.com", "--client-id", "keystead")

    idp_id = await done(
        keystead(
            *("idp", "create", "--name", name, "--auto-register", *client),
            *("--client-secret-file", str(secret), "--logo", str(logo), "--scope", "email"),
        )
    )
    again = ("--auth-method", "client_secret_post")
    assert (await done(keystead("idp", "set-oidc", name, *client, *again))).endswith("idp test")
    await done(keystead("idp", "set", name, "--no-auto-register", "--name", f"{name}-2"))

    config = await oidc_calls.get(instance.admin, idp_id)
    assert config.client_secret_set
    assert config.scopes == ["profile", "email"]
    assert config.button.logo == b""
    assert config.token_endpoint_auth_method == 2
    idp = await calls.get(instance.admin, idp_id)
    assert (idp.name, idp.auto_register) == (f"{name}-2", False)
    assert idp.styling_type == idp_pb.STYLING_TYPE_PROVIDER
    assert [idp_id, f"{name}-2", "no", "no"] in await columns(keystead("idp", "list"))


async def test_who_registers_at_a_provider_of_everybody_is_limited_or_named(
    instance: Instance, keystead: Keystead
) -> None:
    name = unique("idp")
    new = ("idp", "create", "--name", name, "--preset", "google", "--auto-register", *_FROM_STDIN)

    refused = await keystead(*new, stdin=_SECRET)
    idp_id = await done(
        keystead(
            *(*new, "--mail-domain", "Example.com", "--hosted-domain", "example.com"),
            *("--no-update-name", "--update-email"),
            stdin=_SECRET,
        )
    )
    anybody = await done(keystead(*new, "--anybody", stdin=_SECRET))
    limited = await keystead("idp", "set", idp_id, "--auto-register")
    warned = await keystead("idp", "set", anybody, "--auto-register")
    off = await keystead("idp", "set", anybody, "--no-auto-register")

    assert (refused.status, refused.output) == (2, "")
    assert "Give --mail-domain or --hosted-domain, or --anybody" in refused.errors
    assert (limited.status, warned.status, off.status) == (0, 0, 0)
    assert ["Anybody" in each.errors for each in (limited, warned, off)] == [False, True, False]
    config = await oidc_calls.get(instance.admin, idp_id)
    assert config.auto_register_mail_domains == ["example.com"]
    assert config.auto_register_hosted_domains == ["example.com"]
    assert (config.update_name_at_sign_in, config.update_email_at_sign_in) == (False, True)
    assert not config.admits_anybody
    assert (await oidc_calls.get(instance.admin, anybody)).admits_anybody


async def test_the_client_secret_is_in_no_event_and_no_output(keystead: Keystead) -> None:
    added = await keystead(
        *("idp", "create", "--name", "Secretive", "--issuer", "https://login.example.com"),
        *_FROM_STDIN,
        stdin=_SECRET,
    )
    idp_id = added.output.strip()
    shown = await keystead("idp", "show-oidc", idp_id, "--json")
    events = await keystead("audit", "--json", "--aggregate", idp_id, "--creator", "operator")

    assert len(events.output.splitlines()) == 2
    for finished in (added, shown, events):
        assert finished.status == 0
        assert _SECRET.decode().strip() not in finished.output + finished.errors


async def test_a_refused_setting_leaves_no_provider(keystead: Keystead) -> None:
    organization = unique("org")
    await done(keystead("org", "create", organization))

    refused = await keystead(
        *("idp", "create", "--name", "a", "--issuer", "http://login.example.com", *_FROM_STDIN),
        *("--background-color", "#ffffff", "--text-color", "#eeeeee", "--org", organization),
    )

    assert (refused.status, refused.output) == (1, "")
    for field in ("issuer", "clientSecret", "button.textColor"):
        assert f"  {field}: " in refused.errors
    assert await done(keystead("idp", "list", "--org", organization)) == ""


async def test_a_name_that_several_have_is_refused_with_their_ids(
    instance: Instance, keystead: Keystead
) -> None:
    name = unique("idp")
    request = idp_pb.CreateIDPRequest(name=name)
    idp_ids = [
        (await instance.admin.call(instance.admin.idps.CreateIDP, request)).idp_id for _ in range(2)
    ]

    refused = await keystead("idp", "remove", name)

    assert refused.status == 1
    assert all(idp_id in refused.errors for idp_id in idp_ids)


async def test_a_trial_is_printed_step_by_step(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    authority = Authority(tmp_path)
    trusted = {"idp_ca_file": authority.ca_file, "idp_allowed_networks": "127.0.0.0/8,::1"}
    async with oidc_provider(authority) as provider:
        idp_id = await given.idp(instance.admin)
        await oidc_calls.set_config(
            instance.admin,
            idp_id,
            issuer=provider.issuer,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
        )

        passed = await columns(keystead("idp", "test", idp_id, **trusted))
        failed = await keystead("idp", "test", idp_id)

    assert [row[:2] for row in passed] == [
        [step, "yes"] for step in ("discovery", "keys", "client")
    ]
    assert failed.status == 1
    [step] = [line.split("\t") for line in failed.output.splitlines()]
    assert [step[0], step[1], step[3]] == ["discovery", "no", "ADDRESS_NOT_ALLOWED"]
