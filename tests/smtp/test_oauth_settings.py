"""SetSMTPOAuth and RemoveSMTPOAuth: the settings, their secret at rest, and TestSMTPConfig."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from ipaddress import ip_network
from typing import Any

import asyncpg
import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from keystead.smtp.v1 import smtp_service_pb2 as pb
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import TokenSource
from server.smtp import commands, stored_password
from server.smtp.oauth import secret
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Database, connected
from server.values.errors import Failure
from tests.smtp import at_rest, calls
from tests.smtp.faults import ALLOWED_NETWORKS
from tests.support import given, rsa_keys
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.mail_server import MailServer, mail_server
from tests.support.token_endpoint import (
    ACCOUNT,
    CLIENT_ID,
    MAILBOX,
    SCOPE_OF_GOOGLE,
    SCOPE_OF_MICROSOFT,
    TokenEndpoint,
    account_key,
    pem,
    token_endpoint,
)

_NEW = b"new".ljust(32)


def _pem(key: Any) -> str:
    made: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return made.decode()


async def test_settings_are_shown_without_their_secret(admin: Client) -> None:
    added = (await calls.add(admin)).details

    details = (await calls.set_oauth(admin, mailbox=MAILBOX)).details

    config = await calls.get(admin)
    assert config.oauth == pb.SMTPOAuth(
        token_endpoint="https://login.example.com/token",
        client_id="a-client",
        scope="mail",
        mailbox=MAILBOX,
        method=pb.SMTP_TOKEN_METHOD_CLIENT_SECRET,
        secret_set_at=config.oauth.secret_set_at,
    )
    delay = details.change_date.ToNanoseconds() - config.oauth.secret_set_at.ToNanoseconds()
    assert abs(delay) < 60e9
    assert config.details == details
    assert details.sequence > added.sequence
    # Unused, but needed again after RemoveSMTPOAuth.
    assert config.password_set


def test_no_answer_has_a_place_for_a_secret() -> None:
    assert {*pb.SMTPOAuth.DESCRIPTOR.fields_by_name} == {
        "preset",
        "token_endpoint",
        "client_id",
        "scope",
        "mailbox",
        "method",
        "tenant",
        "secret_set_at",
    }


@pytest.mark.parametrize(
    ("fields", "endpoint", "scope"),
    [
        (
            {"preset": pb.SMTP_TOKEN_PRESET_MICROSOFT, "tenant": "contoso.com"},
            "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token",
            SCOPE_OF_MICROSOFT,
        ),
        (
            {"preset": pb.SMTP_TOKEN_PRESET_GOOGLE},
            "https://oauth2.googleapis.com/token",
            SCOPE_OF_GOOGLE,
        ),
    ],
    ids=["microsoft", "google"],
)
async def test_a_preset_gives_endpoint_and_scope(
    admin: Client, fields: Mapping[str, Any], endpoint: str, scope: str
) -> None:
    await calls.add(admin)

    await calls.set_oauth(admin, **{"token_endpoint": "", "scope": "", **fields})

    oauth = (await calls.get(admin)).oauth
    assert (oauth.token_endpoint, oauth.scope) == (endpoint, scope)
    assert (oauth.preset, oauth.tenant) == (fields["preset"], fields.get("tenant", ""))


@pytest.mark.parametrize(
    ("given_secrets", "method", "client_id"),
    [
        ({"private_key": pem()}, pb.SMTP_TOKEN_METHOD_PRIVATE_KEY_JWT, "a-client"),
        ({"service_account_key": account_key()}, pb.SMTP_TOKEN_METHOD_SERVICE_ACCOUNT, ACCOUNT),
        ({"refresh_token": "a-token"}, pb.SMTP_TOKEN_METHOD_REFRESH_TOKEN, "a-client"),
        (
            {"refresh_token": "a-token", "client_secret": "a-secret"},
            pb.SMTP_TOKEN_METHOD_REFRESH_TOKEN,
            "a-client",
        ),
    ],
    ids=["private key", "service account", "refresh token", "refresh token and client secret"],
)
async def test_the_secret_tells_the_method(
    admin: Client, given_secrets: Mapping[str, str], method: int, client_id: str
) -> None:
    await calls.add(admin)
    asked = "" if client_id == ACCOUNT else client_id

    await calls.set_oauth(admin, **{"client_secret": "", "client_id": asked, **given_secrets})
    first = await calls.get(admin)
    await calls.set_oauth(admin, client_secret="", client_id=asked, scope="another")

    assert (first.oauth.method, first.oauth.client_id) == (method, client_id)
    assert (await calls.get(admin)).oauth.client_id == client_id


_NO_KEY = "must have a private key in PEM"
_NO_FILE = "must be the JSON file of a key of a service account"


@pytest.mark.parametrize(
    ("fields", "field", "problem"),
    [
        ({"token_endpoint": ""}, "tokenEndpoint", "must be given without a preset"),
        ({"token_endpoint": "http://a.example/token"}, "tokenEndpoint", "must begin with https://"),
        ({"preset": 9}, "preset", "must be one of SMTP_TOKEN_PRESET_UNSPECIFIED"),
        ({"preset": 9, "token_endpoint": "", "scope": ""}, "preset", "must be one of"),
        ({"preset": pb.SMTP_TOKEN_PRESET_MICROSOFT}, "tenant", "must be given with"),
        ({"tenant": "contoso.com"}, "tenant", "only with it"),
        ({"scope": 'a "b'}, "scope", "must be scopes"),
        ({"client_id": ""}, "clientId", "must be given"),
        ({"client_secret": ""}, "clientSecret", "must be given, or else privateKey"),
        ({"client_secret": "a\nb"}, "clientSecret", "control"),
        ({"client_secret": "x" * 1001}, "clientSecret", "must be at most 1000"),
        ({"private_key": pem()}, "clientSecret", "must be given without privateKey"),
        ({"client_secret": "", "private_key": "no PEM"}, "privateKey", _NO_KEY),
        (
            {"client_secret": "", "private_key": _pem(ed25519.Ed25519PrivateKey.generate())},
            "privateKey",
            _NO_KEY,
        ),
        (
            {"client_secret": "", "private_key": _pem(rsa_keys.rsa_key("a short key", 1024))},
            "privateKey",
            _NO_KEY,
        ),
        (
            {"client_secret": "", "private_key": f"{pem()}-----BEGIN CERTIFICATE-----"},
            "privateKey",
            "must have its certificate in PEM",
        ),
        ({"client_secret": "", "service_account_key": "{"}, "serviceAccountKey", _NO_FILE),
        ({"client_secret": "", "service_account_key": "{}"}, "serviceAccountKey", _NO_FILE),
        (
            {"client_secret": "", "service_account_key": account_key()},
            "clientId",
            "must be empty: the key names its client",
        ),
    ],
)
async def test_a_wrong_field_is_named(
    admin: Client, fields: Mapping[str, Any], field: str, problem: str
) -> None:
    await calls.add(admin)

    refused = await given.refusal(calls.set_oauth(admin, **fields))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert field in dict(refused.violations)
    assert problem in dict(refused.violations)[field]


async def test_a_key_of_another_certificate_is_refused(admin: Client, authority: Authority) -> None:
    await calls.add(admin)
    text = pem("another key") + authority.certificate(rsa_key=True).pem

    refused = await given.refusal(calls.set_oauth(admin, client_secret="", private_key=text))

    assert "must belong to the certificate" in dict(refused.violations)["privateKey"]


async def test_a_service_account_must_have_an_rsa_key(admin: Client, authority: Authority) -> None:
    await calls.add(admin)
    text = authority.certificate().path.read_text().partition("-----BEGIN CERTIFICATE-----")[0]
    file = json.loads(account_key()) | {"private_key": text}

    refused = await given.refusal(
        calls.set_oauth(admin, client_secret="", service_account_key=json.dumps(file))
    )

    assert "must have an RSA key" in dict(refused.violations)["serviceAccountKey"]


async def test_a_mailbox_is_needed_if_the_configuration_has_no_user(admin: Client) -> None:
    await calls.add(admin, given.smtp_config(user="", password=""))

    refused = await given.refusal(calls.set_oauth(admin))
    await calls.set_oauth(admin, mailbox=MAILBOX)

    assert dict(refused.violations) == {"mailbox": "must be given: the configuration has no user"}


async def test_settings_need_a_configuration(admin: Client) -> None:
    for call in (calls.set_oauth(admin), calls.remove_oauth(admin)):
        refused = await given.refusal(call)
        assert refused.reason == "SMTP_CONFIG_NOT_FOUND"


async def test_settings_that_are_not_set_cannot_be_removed(admin: Client) -> None:
    await calls.add(admin)

    refused = await given.refusal(calls.remove_oauth(admin))

    assert refused.reason == "SMTP_OAUTH_NOT_FOUND"


async def test_the_same_settings_without_a_secret_change_nothing(
    admin: Client, sql: asyncpg.Connection
) -> None:
    await calls.add(admin)
    details = (await calls.set_oauth(admin)).details
    before = await at_rest.everything(sql)

    assert (await calls.set_oauth(admin, client_secret="")).details == details

    assert await at_rest.everything(sql) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"token_endpoint": "https://evil.example.com/token"},
        {"client_id": "another"},
        {"mailbox": "another@contoso.com"},
    ],
    ids=["token endpoint", "client", "mailbox"],
)
async def test_the_stored_secret_is_never_sent_to_another_party(
    admin: Client, fields: Mapping[str, str]
) -> None:
    await calls.add(admin)
    await calls.set_oauth(admin)

    refused = await given.refusal(calls.set_oauth(admin, **{"client_secret": "", **fields}))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SMTP_OAUTH_SECRET_REQUIRED"


@pytest.mark.parametrize(
    "fields",
    [{"host": "evil.example.com:587"}, {"tls": False}, {"user": "another"}],
    ids=["host", "tls", "user"],
)
async def test_no_token_is_sent_to_another_server(admin: Client, fields: Mapping[str, Any]) -> None:
    await calls.add(admin)
    await calls.set_oauth(admin)
    update = given.smtp_update(**{"password": "new", **fields})
    trial = given.smtp_update(**fields)

    refused = [
        await given.refusal(calls.update(admin, update)),
        await given.refusal(
            admin.call(admin.smtp.TestSMTPConfig, pb.TestSMTPConfigRequest(unsaved_config=trial))
        ),
    ]
    await calls.update(admin, given.smtp_update(sender_name="Another"))
    await calls.remove_oauth(admin)
    await calls.update(admin, update)

    assert [each.reason for each in refused] == ["SMTP_OAUTH_BOUND"] * 2


async def test_every_secret_is_stored_once_and_erased_with_its_settings(
    admin: Client, sql: asyncpg.Connection
) -> None:
    async def number() -> int:
        return len(await at_rest.secrets(sql))

    await calls.add(admin)
    numbers = [await number()]
    for call in (
        calls.set_oauth,
        calls.set_oauth,
        lambda client: calls.update(client, given.smtp_update(password="another")),
        lambda client: calls.update_password(client, "a third"),
        calls.remove_oauth,
        calls.set_oauth,
        calls.remove,
    ):
        await call(admin)
        numbers.append(await number())

    assert numbers == [1, 2, 2, 2, 2, 1, 2, 0]


async def test_a_secret_is_in_no_event(admin: Client, sql: asyncpg.Connection) -> None:
    await calls.add(admin)
    await calls.set_oauth(admin, client_secret="to-be-found")

    payloads = [row["payload"] for row in (await at_rest.everything(sql))["events"]]

    assert not any("to-be-found" in payload for payload in payloads)


async def test_rotation_moves_the_secret_to_the_first_key(
    admin: Client, sql: asyncpg.Connection, database: Database, keys: list[bytes]
) -> None:
    await calls.add(admin)
    await calls.set_oauth(admin, client_secret="moved")
    rotated = Keyring([_NEW, *keys])

    assert await secret.rotate(database, rotated, "") is True
    assert await secret.rotate(database, rotated, "") is False
    assert await stored_password.rotate(database, rotated, "") is True

    source = await _source(database, Keyring([_NEW]))
    assert source.client.credential == {"client_secret": "moved"}
    with pytest.raises(EncryptionKeyError):
        await secret.rotate(database, Keyring([b"other".ljust(32)]), "")


@pytest.mark.parametrize("is_set", [True, False], ids=["no settings", "no configuration"])
async def test_rotation_without_settings_does_nothing(
    admin: Client, database: Database, keyring: Keyring, is_set: bool
) -> None:
    if is_set:
        await calls.add(admin)

    assert await secret.rotate(database, keyring, "") is False


async def test_an_erased_secret_is_not_rotated_and_named_as_unreadable(
    admin: Client, sql: asyncpg.Connection, database: Database, keyring: Keyring
) -> None:
    await calls.add(admin)
    await calls.set_oauth(admin)
    source = await _source(database, keyring)
    await sql.execute("delete from secrets where aggregate_id <> 'signing_keys'")

    assert await secret.rotate(database, keyring, "") is False
    with pytest.raises(Failure, match="SMTP_OAUTH_SECRET_UNREADABLE"):
        await _source(database, keyring)
    with pytest.raises(Failure, match="SMTP_OAUTH_SECRET_UNREADABLE"):
        async with database.transaction() as transaction:
            await secret.lock(transaction, keyring, source.client)


async def test_a_secret_under_a_missing_key_is_named_as_unreadable(
    admin: Client, database: Database
) -> None:
    await calls.add(admin)
    await calls.set_oauth(admin)

    with pytest.raises(Failure, match="SMTP_OAUTH_SECRET_UNREADABLE"):
        await _source(database, Keyring([_NEW]))


async def _source(database: Database, keyring: Keyring) -> Any:
    """The tokens of the stored configuration."""
    tokens = MailboxTokens(database, keyring, TransportOptions())
    destination = await commands.destination(database, keyring, tokens, "")
    assert destination is not None
    source: TokenSource | None = destination.tokens
    return source


@pytest.fixture
async def endpoint(authority: Authority) -> AsyncIterator[TokenEndpoint]:
    async with token_endpoint(authority) as made:
        yield made


@pytest.fixture
async def exchange(authority: Authority, endpoint: TokenEndpoint) -> AsyncIterator[MailServer]:
    """An SMTP server that accepts the tokens of the endpoint."""
    async with mail_server(
        tls=authority.certificate().context(), mechanisms=("XOAUTH2",), accepts=endpoint.accepts
    ) as made:
        yield made


def _settings(endpoint: TokenEndpoint, **fields: Any) -> dict[str, Any]:
    return {
        "token_endpoint": endpoint.url,
        "client_id": CLIENT_ID,
        "scope": SCOPE_OF_MICROSOFT,
        "mailbox": MAILBOX,
        "client_secret": endpoint.client_secret,
    } | fields


async def _configure(
    admin: Client, exchange: MailServer, endpoint: TokenEndpoint, **fields: Any
) -> None:
    host = f"localhost:{exchange.port}"
    await calls.add(admin, given.smtp_config(host=host, tls=True, user="", password=""))
    await calls.set_oauth(admin, **_settings(endpoint, **fields))


async def _steps(admin: Client, **fields: Any) -> list[tuple[str, bool, str]]:
    request = pb.TestSMTPConfigRequest(receiver_address="ada@example.com", **fields)
    tested = await admin.call(admin.smtp.TestSMTPConfig, request)
    return [(step.name, step.succeeded, step.reason) for step in tested.steps]


async def test_a_test_has_the_step_token_and_fetches_a_new_one(
    admin: Client, exchange: MailServer, endpoint: TokenEndpoint
) -> None:
    await _configure(admin, exchange, endpoint)

    steps = [await _steps(admin), await _steps(admin)]

    names = ["resolve", "connect", "greeting", "tls", "token", "auth", "sender", "message"]
    assert steps == [[(name, True, "") for name in names]] * 2
    assert len(endpoint.requests) == 2
    assert [each.user for each in exchange.received] == [MAILBOX] * 2


async def test_a_test_of_an_unsaved_configuration_uses_the_settings_unless_it_has_a_password(
    admin: Client, exchange: MailServer, endpoint: TokenEndpoint
) -> None:
    await _configure(admin, exchange, endpoint)
    host = f"localhost:{exchange.port}"
    unsaved = given.smtp_update(host=host, tls=True, user="")
    with_password = given.smtp_update(host=host, tls=True, user=MAILBOX, password="secret")

    by_token = await _steps(admin, unsaved_config=unsaved)
    by_password = await _steps(admin, unsaved_config=with_password)

    assert ("token", True, "") in by_token
    assert by_password[-1] == ("auth", False, "AUTH_MECHANISM_NOT_SUPPORTED")


async def test_a_refused_secret_fails_the_step_token(
    admin: Client, exchange: MailServer, endpoint: TokenEndpoint
) -> None:
    await _configure(admin, exchange, endpoint, client_secret="wrong")

    assert (await _steps(admin))[-1] == ("token", False, "TOKEN_REFUSED")


def _server(database: Database, keyring: Keyring, authority: Authority) -> MailboxTokens:
    """The tokens of one of several servers."""
    networks = [ip_network(each) for each in ALLOWED_NETWORKS]
    options = TransportOptions(ca_file=authority.ca_file, allowed_networks=networks)
    return MailboxTokens(database, keyring, options)


@pytest.mark.parametrize("rotates", [True, False])
async def test_two_servers_refresh_at_once_and_lose_no_refresh_token(
    instance: Instance,
    admin: Client,
    exchange: MailServer,
    endpoint: TokenEndpoint,
    database: Database,
    keyring: Keyring,
    authority: Authority,
    rotates: bool,
) -> None:
    endpoint.rotates = rotates
    secrets = {"refresh_token": endpoint.refresh_token, "client_secret": "of-the-client"}
    await _configure(admin, exchange, endpoint, **secrets)
    before = (await calls.get(admin)).details
    # While one waits for its answer, the other one would use the same refresh token.
    endpoint.before = lambda: asyncio.sleep(0.05)

    async with connected(instance.dsn, pool_size=4) as another:
        servers = [_server(each, keyring, authority) for each in (database, another)]
        sources = [await commands.destination(database, keyring, server, "") for server in servers]
        await asyncio.gather(*(_two_tokens(each) for each in sources))

    assert len(endpoint.valid) == 4
    assert endpoint.requests[0] == {
        "grant_type": "refresh_token",
        "client_id": CLIENT_ID,
        "scope": SCOPE_OF_MICROSOFT,
        **secrets,
    }
    stored = (await _source(database, keyring)).client.credential
    assert stored == {"refresh_token": endpoint.refresh_token, "client_secret": "of-the-client"}
    # The log is not told, and the breaker of mails takes the client as the same.
    assert (await calls.get(admin)).details == before
    assert sources[0] == await commands.destination(database, keyring, servers[1], "")


async def _two_tokens(destination: Any) -> None:
    known = await destination.tokens.token()
    await destination.tokens.token(refused=known)
