"""Client ID metadata documents: their URLs, members, fetches, cache and budgets."""

import asyncio
import json
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any, cast

import pytest

from server.application.configuration import ClientAuthMethod
from server.application.store import Application
from server.oauth.capabilities import MetadataDocuments
from server.oauth.client_documents import client_id_url, document
from server.oauth.client_documents.document import DocumentError
from server.oauth.client_documents.documents import ClientDocuments
from server.relying_party.http_client import ClientOptions
from server.store.database import Statements
from server.values.errors import Failure, Kind
from tests.support import rsa_keys
from tests.support.certificates import Authority
from tests.support.oidc_provider import Handler, Provider, answer, answering

_CLOCK = "server.values.cache.monotonic"
_URL = "https://app.example.com/oauth/client.json"
_CALLBACK = "https://app.example.com/callback"
_JSON = "content-type: application/json\r\n"
_DAY = 86_400


def _document(url: str = _URL, **members: Any) -> dict[str, Any]:
    """A right document; a member of None is left out."""
    regular = {"client_id": url, "client_name": "Tools", "redirect_uris": [_CALLBACK]}
    return {name: value for name, value in (regular | members).items() if value is not None}


# URLs


@pytest.mark.parametrize(
    "url",
    [
        _URL,
        "https://app.example.com:8443/client",
        "https://localhost:8443/c",
        "https://xn--bcher-kva.example/a%20b/",
    ],
)
def test_these_urls_can_be_client_ids(url: str) -> None:
    assert client_id_url.check_client_id_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "http://app.example.com/client",
        "HTTPS://app.example.com/client",
        "https://App.example.com/client",
        "https://app.example.com",
        "https://app.example.com/",
        "https://app.example.com/client?x=1",
        "https://app.example.com/client?",
        "https://app.example.com/client#x",
        "https://app.example.com/client#",
        "https://app.example.com:443/client",
        "https://app.example.com:/client",
        "https://app.example.com:0443/client",
        "https://app.example.com:99999/client",
        "https://user@app.example.com/client",
        "https://user:password@app.example.com/client",
        "https://app.example.com/./client",
        "https://app.example.com/a/../client",
        "https://app.example.com/a/%2e%2E/client",
        "https://app.example.com/a/..%2fclient",
        "https://app.example.com\\@evil.example/client",
        "https://app.example.com/cli\nent",
        "https://app.example.com/\u0441lient",
        "https://b\u00fccher.example/client",
        "https://127.0.0.1/client",
        "https://2130706433/client",
        "https://0x7f.1/client",
        "https://127.1/client",
        "https://[::1]/client",
        "https://app.example.com./client",
        "https:///client",
        f"https://app.example.com/{'x' * 200}",
    ],
)
def test_other_urls_are_no_client_ids(url: str) -> None:
    with pytest.raises(ValueError, match="must"):
        client_id_url.check_client_id_url(url)


@pytest.mark.parametrize(
    ("url", "hosts", "expected"),
    [
        (_URL, ["app.example.com"], True),
        (_URL, ["other.example", "*"], True),
        (_URL, [], False),
        (_URL, ["example.com"], False),
        (_URL, ["app.example.com:8443"], False),
        ("https://app.example.com:8443/c", ["app.example.com"], False),
        ("https://app.example.com:8443/c", ["*"], False),
        ("https://app.example.com:8443/c", ["app.example.com:8443"], True),
    ],
)
def test_an_organization_admits_hosts_to_the_letter(
    url: str, hosts: list[str], expected: bool
) -> None:
    assert client_id_url.is_admitted(url, hosts) is expected


# Members


def _application(**members: Any) -> Application:
    return document.application_of(_document(**members), url=_URL)


def test_a_document_is_a_third_party_application_with_pkce() -> None:
    application = _application(first_party=True, pkce="NONE", logo_uri="https://a.example/")

    configuration = application.configuration
    assert application.application_id == _URL
    assert configuration.name == "Tools"
    assert configuration.token_endpoint_auth_method == ClientAuthMethod.NONE
    assert (configuration.first_party, configuration.pkce) == (False, "REQUIRED")
    assert (configuration.logo, configuration.scopes) == (b"", ())


def test_a_document_has_no_http_on_a_private_name() -> None:
    """Anybody publishes a document: no administrator has allowed it."""
    own = f"{client_id_url.origin_of(_URL)}/cb"

    application = _application(redirect_uris=["http://grafana.lan/cb", own])

    assert application.configuration.redirect_uris == (own,)


def test_an_application_without_a_name_has_that_of_its_host() -> None:
    assert _application(client_name=None).configuration.name == "app.example.com"


def test_a_name_has_at_most_40_characters() -> None:
    advice = "Your mailbox is full. Press Allow to keep your mails, or they are deleted today"

    name = _application(client_name=advice).configuration.name

    assert name == "Your mailbox is full. Press Allow to ke\u2026"
    assert _application(client_name="x" * 40).configuration.name == "x" * 40


@pytest.mark.parametrize(
    ("uris", "kept"),
    [
        (
            [_CALLBACK, "https://app.example.com/b?x=1"],
            [_CALLBACK, "https://app.example.com/b?x=1"],
        ),
        (["https://app.example.com", "https://app.example.com?a"], None),
        (["http://127.0.0.1:8000/a", "http://[::1]/a", "http://localhost/a"], None),
        ([_CALLBACK, _CALLBACK, "cursor://callback", "https://other.example/"], [_CALLBACK]),
        ([_CALLBACK, "https://app.example.com.evil.example/"], [_CALLBACK]),
        ([_CALLBACK, "https://app.example.com@evil.example/"], [_CALLBACK]),
        ([_CALLBACK, "https://app.example.com:8443/"], [_CALLBACK]),
        ([_CALLBACK, "http://app.example.com/", "javascript:alert(1)"], [_CALLBACK]),
        ([_CALLBACK, "http://localhost.evil.example/", "http://127.0.0.1@evil/"], [_CALLBACK]),
        ([_CALLBACK, "https://app.example.com/a/../b", "com.example.app:/a"], [_CALLBACK]),
    ],
)
def test_redirect_uris_of_its_origin_and_loopback_are_kept(
    uris: list[str], kept: list[str] | None
) -> None:
    configuration = _application(redirect_uris=uris).configuration

    assert list(configuration.redirect_uris) == (uris if kept is None else kept)


_KEY = rsa_keys.jwk("a", "first")
_JWKS = {"keys": [_KEY.as_dict(private=False)]}
_WITH_KEY = {"token_endpoint_auth_method": "private_key_jwt"}


def test_keys_are_in_the_document_or_at_its_origin() -> None:
    embedded = _application(**_WITH_KEY, jwks=_JWKS).configuration
    named = _application(**_WITH_KEY, jwks_uri="https://app.example.com/keys").configuration
    ignored = _application(jwks_uri="https://other.example/keys").configuration

    assert (json.loads(embedded.jwks), embedded.jwks_uri) == (_JWKS, "")
    assert (named.jwks, named.jwks_uri) == ("", "https://app.example.com/keys")
    assert (ignored.jwks, ignored.jwks_uri) == ("", "")


@pytest.mark.parametrize(
    "members",
    [
        {"client_id": None},
        {"client_id": f"{_URL}/"},
        {"client_id": _URL.upper()},
        {"client_id": "https://app.example.com:443/oauth/client.json"},
        {"client_id": [_URL]},
        {"client_name": ""},
        {"client_name": "x" * 201},
        {"client_name": "a\u202eb"},
        {"client_name": 1},
        {"client_name": "P\u0430ypal"},
        {"redirect_uris": None},
        {"redirect_uris": []},
        {"redirect_uris": _CALLBACK},
        {"redirect_uris": [1]},
        {"redirect_uris": [_CALLBACK] * 51},
        {"redirect_uris": ["https://other.example/callback"]},
        {"token_endpoint_auth_method": "client_secret_basic"},
        {"client_secret": "x"},
        {"client_secret_expires_at": 0},
        {"grant_types": ["client_credentials"]},
        {"response_types": ["token"]},
        {"scope": ["openid"]},
        {"scope": "x" * 2001},
        _WITH_KEY,
        {**_WITH_KEY, "jwks": _JWKS, "jwks_uri": "https://app.example.com/keys"},
        {**_WITH_KEY, "jwks": {"keys": [_KEY.as_dict(private=True)]}},
        {**_WITH_KEY, "jwks": {"keys": []}},
        {**_WITH_KEY, "jwks": []},
        {**_WITH_KEY, "jwks_uri": "http://app.example.com/keys"},
        {**_WITH_KEY, "jwks_uri": "https://other.example/keys"},
        {**_WITH_KEY, "jwks_uri": "https://app.example.com.evil.example/keys"},
    ],
)
def test_other_documents_are_refused(members: dict[str, Any]) -> None:
    with pytest.raises(DocumentError):
        _application(**members)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[]",
        b"\xff",
        b'{"client_id": NaN}',
        b'{"client_id": "a", "client_id": "a"}',
        b'{"jwks": {"keys": [], "keys": []}}',
        b"[" * 10_000,
    ],
)
def test_other_texts_are_no_documents(content: bytes) -> None:
    with pytest.raises(DocumentError):
        document.parsed(content)


# Fetches


class Client:
    """The documents of a server, and a document on a host that it may reach."""

    def __init__(self, provider: Provider, authority: Authority, **options: Any) -> None:
        self.provider = provider
        self.url = f"{provider.issuer}/client.json"
        self.options = ClientOptions(
            allowed_networks=[ip_network("127.0.0.0/8"), ip_network("::1")],
            ca_file=authority.ca_file,
            **options,
        )
        self.documents = ClientDocuments(self.options)
        self.answers()

    def answers(self, headers: str = _JSON, **members: Any) -> None:
        """Publishes the document."""
        uris = {"redirect_uris": ["http://127.0.0.1/callback"]}
        content = json.dumps(_document(self.url, **uris | members)).encode()
        self.provider.handlers["/client.json"] = answering(content, headers=headers)

    async def get(self, path: str = "/client.json", network: str = "192.0.2.1") -> str:
        """The name of the application."""
        url = self.provider.issuer + path
        application = await self.documents.get(url, is_named=True, network=network)
        return application.configuration.name

    async def refused(self, path: str = "/client.json", network: str = "192.0.2.1") -> str:
        """The reason for which a document is refused."""
        with pytest.raises(Failure) as refused:
            await self.get(path, network)
        return refused.value.reason


@pytest.fixture
def client(provider: Provider, oidc_authority: Authority) -> Client:
    return Client(provider, oidc_authority, timeout=1)


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets time pass for the cache of documents."""
    now = 0.0

    def passed(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(_CLOCK, lambda: now)
    return passed


async def _never(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def _slowly(writer: asyncio.StreamWriter) -> None:
    writer.write(answer(b"x" * 100, headers=_JSON)[:-50])
    await writer.drain()
    await asyncio.sleep(60)


@pytest.mark.parametrize(
    "handler",
    [
        answering(b"{}", status="302 Found", headers="location: https://localhost/\r\n"),
        answering(b"{}", status="404 Not Found", headers=_JSON),
        answering(b"{}", status="201 Created", headers=_JSON),
        answering(b" " * 65_537, headers=_JSON),
        answering(b"x" * 100, headers=f"{_JSON}content-encoding: gzip, gzip\r\n"),
        _never,
        _slowly,
    ],
    ids=["redirect", "404", "201", "too large", "compressed twice", "no answer", "slow"],
)
async def test_what_cannot_be_read_is_a_temporary_error_and_not_kept(
    client: Client, handler: Handler
) -> None:
    client.provider.handlers["/client.json"] = handler

    assert await client.refused() == "CLIENT_METADATA_UNREACHABLE"
    client.answers()
    assert await client.get() == "Tools"


@pytest.mark.parametrize(
    ("headers", "content"),
    [
        (_JSON, b'{"client_id": "https://localhost/other"}'),
        (_JSON, b'{"client_id": "a", "client_id": "b"}'),
        ("", b"{}"),
        ("content-type: text/plain\r\n", b"{}"),
        ("content-type: application/jsonp\r\n", b"{}"),
    ],
)
async def test_an_invalid_document_is_refused_and_not_kept(
    client: Client, headers: str, content: bytes
) -> None:
    client.provider.handlers["/client.json"] = answering(content, headers=headers)

    assert await client.refused() == "CLIENT_METADATA_INVALID"
    client.answers("content-type: Application/Client+JSON; charset=utf-8\r\n")
    assert await client.get() == "Tools"


async def test_64_kib_are_read(client: Client) -> None:
    content = json.dumps(_document(client.url, redirect_uris=["http://[::1]/"])).encode()
    client.provider.handlers["/client.json"] = answering(content.ljust(65_536), headers=_JSON)

    assert await client.get() == "Tools"


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [
        ("", 3600),
        ("max-age=600", 600),
        ("public, Max-Age=600", 600),
        ("s-max-age=600", 3600),
        ("max-age=0", 60),
        ("no-store, max-age=600", 60),
        ("no-cache", 60),
        ("max-age=99999999", _DAY),
        ("max-age=nonsense", 3600),
    ],
)
async def test_a_document_is_kept_as_long_as_its_header_says(
    client: Client, wait: Callable[[float], None], cache_control: str, seconds: int
) -> None:
    client.answers(f"{_JSON}cache-control: {cache_control}\r\n")
    assert await client.get() == "Tools"
    client.answers(client_name="Other")

    wait(seconds - 1)
    assert await client.get() == "Tools"
    wait(1)
    assert await client.get() == "Other"
    assert client.provider.requests == ["/client.json"] * 2


async def test_an_old_document_stands_in_for_an_unreachable_one_for_a_day(
    client: Client, wait: Callable[[float], None]
) -> None:
    assert await client.get() == "Tools"
    client.provider.handlers["/client.json"] = answering(b"", status="503 Busy")

    wait(_DAY - 1)
    assert await client.get() == "Tools"
    wait(1)
    assert await client.refused() == "CLIENT_METADATA_UNREACHABLE"


async def test_an_old_document_does_not_stand_in_for_an_invalid_one(
    client: Client, wait: Callable[[float], None]
) -> None:
    assert await client.get() == "Tools"
    client.answers(client_id="https://localhost/other")

    wait(3600)
    assert await client.refused() == "CLIENT_METADATA_INVALID"


# Budgets


def _publish(client: Client, paths: list[str]) -> None:
    for path in paths:
        content = json.dumps(
            _document(client.provider.issuer + path, redirect_uris=["http://[::1]/"])
        ).encode()
        client.provider.handlers[path] = answering(content, headers=_JSON)


async def test_a_network_causes_ten_fetches_and_spends_nothing_of_others(client: Client) -> None:
    paths = [f"/client-{number}" for number in range(12)]
    _publish(client, paths)

    for path in paths[:10]:
        assert await client.get(path) == "Tools"
    refused = [await client.refused(path) for path in paths[10:]]

    assert refused == ["RATE_LIMITED"] * 2
    assert len(client.provider.requests) == 10
    assert await client.get(paths[0]) == "Tools"  # kept
    assert await client.get(paths[10], network="192.0.2.2") == "Tools"


async def test_many_networks_together_share_the_budget_of_a_domain(
    provider: Provider, oidc_authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.oauth.client_documents.documents._PER_DOMAIN", (0.001, 5))
    client = Client(provider, oidc_authority)
    paths = [f"/client-{number}" for number in range(6)]
    _publish(client, paths)

    for path in paths[:5]:
        assert await client.get(path, network=path) == "Tools"

    assert await client.refused(paths[5], network=paths[5]) == "RATE_LIMITED"


async def test_a_spent_budget_leaves_old_documents_usable(
    client: Client, wait: Callable[[float], None]
) -> None:
    paths = [f"/client-{number}" for number in range(10)]
    _publish(client, paths)
    for path in paths:
        await client.get(path)

    wait(3600)
    assert [await client.get(path) for path in paths] == ["Tools"] * 10
    assert len(client.provider.requests) == 10


async def test_at_most_twenty_fetches_run_at_once(client: Client) -> None:
    paths = [f"/client-{number}" for number in range(21)]
    for path in paths:
        client.provider.handlers[path] = _never

    refused = await asyncio.gather(*(client.refused(path, network=path) for path in paths))

    assert refused == ["CLIENT_METADATA_UNREACHABLE"] * 21
    assert len(client.provider.requests) <= 20


async def test_a_host_that_nobody_names_must_be_public(client: Client) -> None:
    with pytest.raises(Failure) as refused:
        await client.documents.get(client.url, is_named=False, network="192.0.2.1")

    assert refused.value.reason == "CLIENT_METADATA_UNREACHABLE"
    assert client.provider.connections == 0


# The metadata of the provider


class _Database:
    """Has an organization that admits documents, or does not answer."""

    def __init__(self) -> None:
        self.answer: dict[str, str] | None = None
        self.is_away = False
        self.reads = 0

    async def fetch_row(self, *_: object) -> dict[str, str] | None:
        self.reads += 1
        if self.is_away:
            raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")
        return self.answer


async def test_the_metadata_is_read_every_five_seconds_and_survives_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("server.values.cache.monotonic", lambda: now)
    database = _Database()
    documents = MetadataDocuments(cast(Statements, database))

    assert not await documents.are_admitted()
    database.answer = {"id": "an organization"}
    now = 4.9
    assert not await documents.are_admitted()
    now = 5.0
    assert await documents.are_admitted()
    database.is_away = True
    now = 10.0
    assert await documents.are_admitted()
    assert database.reads == 3
