"""The SMTP configuration, by the command line."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.crypto.keyring import load_keyring
from tests.cli.words import Keystead, columns, commands_on, done, objects
from tests.conftest import Installation
from tests.smtp import at_rest
from tests.support import given
from tests.support.certificates import Authority
from tests.support.mail_server import mail_server
from tests.support.token_endpoint import CLIENT_ID, MAILBOX, SCOPE_OF_MICROSOFT, token_endpoint

_SENDER = ("--sender-address", "id@example.com", "--sender-name", "Example")
_HOST = ("--host", "smtp.example.com:587", "--tls")
_PASSWORD = b"of-the-mail-server\n"
_LOGIN = ("--user", "keystead", "--password-file", "-")
_LOCAL = {"smtp_allowed_networks": "127.0.0.0/8", "smtp_timeout": 5}


@pytest.fixture
def keystead(installation: Installation) -> Keystead:
    """Runs a command on an installation of its own, because it has one SMTP configuration."""

    return commands_on(installation)


async def _password(installation: Installation) -> str:
    keyring = load_keyring((), installation.data_dir / "encryption.keys")
    async with given.sql(installation.dsn) as sql:
        return await at_rest.password(sql, keyring)


async def test_an_organization_has_a_configuration_of_its_own(keystead: Keystead) -> None:
    await done(keystead("smtp", "add", *_HOST, *_SENDER))
    own = ("--org", "default")
    await done(keystead("smtp", "add", *own, *_HOST, *_SENDER))
    await done(keystead("smtp", "update", *own, "--sender-name", "Own"))

    [of_organization] = await objects(keystead("smtp", "show", *own, "--json"))
    await done(keystead("smtp", "remove", *own))
    [of_instance] = await objects(keystead("smtp", "show", "--json"))

    assert (of_organization["sender_name"], of_instance["sender_name"]) == ("Own", "Example")


async def test_a_configuration_is_added_shown_changed_and_removed(
    installation: Installation, keystead: Keystead
) -> None:
    added = await done(keystead("smtp", "add", *_HOST, *_SENDER, *_LOGIN, stdin=_PASSWORD))
    [shown] = await objects(keystead("smtp", "show", "--json"))
    for name in ("sequence", "creation_date", "change_date", "resource_owner"):
        assert shown.pop(name)
    assert datetime.fromisoformat(shown.pop("password_set_at")) <= datetime.now(UTC)
    assert shown == {
        "host": "smtp.example.com:587",
        "tls": True,
        "sender_address": "id@example.com",
        "sender_name": "Example",
        "user": "keystead",
        "password_set": True,
        "oauth": None,
    }
    assert ["sender_name", "Example"] in await columns(keystead("smtp", "show"))

    # Omitted options change nothing, and the password is kept
    changed = await done(keystead("smtp", "update", "--sender-name", "Another"))
    [after] = await objects(keystead("smtp", "show", "--json"))
    assert shown | {"sender_name": "Another"} == {name: after[name] for name in shown}
    assert await _password(installation) == "of-the-mail-server"

    removed = await done(keystead("smtp", "remove"))
    gone = await keystead("smtp", "show")

    assert added == "The SMTP configuration was added. To try it, run: keystead smtp test"
    assert changed == "The SMTP configuration was changed. To try it, run: keystead smtp test"
    assert removed == "The SMTP configuration and its secrets were removed."
    assert (gone.status, gone.output) == (1, "")
    assert gone.errors == "No SMTP configuration is set. Add one with `keystead smtp add`.\n"


async def test_the_password_is_given_again_for_another_server_and_in_no_output(
    installation: Installation, keystead: Keystead
) -> None:
    finished = [await keystead("smtp", "add", *_HOST, *_SENDER, *_LOGIN, stdin=_PASSWORD)]

    refused = await keystead("smtp", "update", "--host", "other.example.com:587")
    assert refused.status == 1
    assert "Send the password again" in refused.errors

    moved = ("--host", "other.example.com:587", "--password-file", "-")
    finished.append(await keystead("smtp", "update", *moved, stdin=b"another-secret\n"))
    assert await _password(installation) == "another-secret"
    finished.append(await keystead("smtp", "show", "--json"))
    finished.append(await keystead("audit", "--json"))
    # without authentication there is no password
    finished.append(await keystead("smtp", "update", "--user", ""))
    assert '"password_set": false' in (await keystead("smtp", "show", "--json")).output
    for each in finished:
        assert each.status == 0
        assert "secret" not in each.errors
        for secret in ("of-the-mail-server", "another-secret"):
            assert secret not in each.output


async def test_a_test_shows_each_step_and_sends_a_mail_on_request(keystead: Keystead) -> None:
    async with mail_server() as server:
        host = ("--host", f"127.0.0.1:{server.port}")
        await done(keystead("smtp", "add", *host, *_SENDER))

        steps = await columns(keystead("smtp", "test", **_LOCAL))
        assert [step[:2] for step in steps][-1] == ["sender", "yes"]
        assert server.received == []

        sent = await objects(
            keystead("smtp", "test", "--to", "ada@example.com", "--json", **_LOCAL)
        )
        assert (sent[-1]["name"], sent[-1]["succeeded"]) == ("message", True)
        assert len(server.received) == 1

    failed = await keystead("smtp", "test", **_LOCAL)
    assert (failed.status, failed.errors) == (1, "")
    assert failed.output.splitlines()[-1].startswith("connect\tno\t")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("update", "--no-tls"), 1, "No SMTP configuration is set."),
        (("add", *_SENDER, "--host", "a"), 1, "  host: "),
        (("add",), 2, "Missing option '--sender-address'"),
        (("add", *_SENDER, *_HOST, "--user", "a"), 1, "  password: must be given"),
        (("test",), 1, "Add one with `keystead smtp add`"),
        (("remove",), 1, "Add one with `keystead smtp add`"),
        (("updat",), 2, "Did you mean"),
    ],
)
async def test_a_refusal_says_what_to_do(
    keystead: Keystead, words: tuple[str, ...], status: int, sentence: str
) -> None:
    refused = await keystead("smtp", *words)

    assert (refused.status, refused.output) == (status, "")
    assert sentence in refused.errors
    assert "Traceback" not in refused.errors


async def test_a_second_configuration_is_refused(keystead: Keystead) -> None:
    await done(keystead("smtp", "add", *_HOST, *_SENDER))

    refused = await keystead("smtp", "add", *_HOST, *_SENDER)

    assert refused.status == 1
    assert "Change it with `keystead smtp update`" in refused.errors


async def test_a_mail_is_sent_with_a_token_by_the_commands_of_the_guide(
    keystead: Keystead, tmp_path: Path
) -> None:
    # docs/mail.md; the preset would be the real Microsoft.
    authority = Authority(tmp_path)
    certificate = authority.certificate()
    local = {**_LOCAL, "smtp_ca_file": str(authority.ca_file)}
    async with (
        token_endpoint(authority) as endpoint,
        mail_server(
            tls=certificate.context(), mechanisms=["XOAUTH2"], accepts=endpoint.accepts
        ) as server,
    ):
        preset = ("--token-endpoint", endpoint.url, "--scope", SCOPE_OF_MICROSOFT)
        client = ("--client-id", CLIENT_ID, "--mailbox", MAILBOX, "--client-secret-file", "-")
        host = ("--host", f"localhost:{server.port}", "--tls")
        await done(keystead("smtp", "add", *host, *_SENDER))
        secret = endpoint.client_secret.encode()
        said = await done(keystead("smtp", "set-oauth", *preset, *client, stdin=secret))
        tested = await keystead("smtp", "test", "--to", "ada@example.com", **local)
        shown = await keystead("smtp", "show", "--json")
        removed = await done(keystead("smtp", "remove-oauth"))

    assert said == "The OAuth settings were set. To try them, run: keystead smtp test"
    assert removed == "The OAuth settings and their secret were removed."
    assert "localhost issued an access token." in tested.output
    assert [each.user for each in server.received] == [MAILBOX]
    outputs = [tested.output, tested.errors, shown.output]
    assert '"oauth"' in shown.output
    assert not any(endpoint.client_secret in output for output in outputs)
