"""Deliveries with access tokens: the requests, the logins, and the error of every failure."""

import asyncio
import contextlib
import dataclasses
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc import jwt
from joserfc.jwk import ECKey

from server.crypto.keyring import Keyring
from server.deliveries.smtp.auth import initial_response
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import DeliveryError, Destination, MailboxToken
from server.deliveries.smtp.transport import try_out
from server.net.trial import Step
from server.smtp.oauth.client import MailboxClient
from server.smtp.oauth.credential import TokenMethod, client_assertion
from server.smtp.oauth.tokens import MailboxTokens, RefreshTurns
from server.values.errors import Failure, Kind
from tests.smtp.test_transport import Client, destination, message
from tests.smtp.test_transport import client as client  # noqa: PLC0414 -- a fixture
from tests.support.certificates import Authority
from tests.support.delivering import deliver
from tests.support.mail_server import (
    OF_MICROSOFT,
    MailServer,
    mail_server,
    of_google,
    reply,
)
from tests.support.token_endpoint import (
    ACCOUNT,
    CLIENT_ID,
    MAILBOX,
    SCOPE_OF_GOOGLE,
    SCOPE_OF_MICROSOFT,
    Answer,
    TokenEndpoint,
    account_key,
    pem,
    refused,
    token_endpoint,
)

_BOTH = ("XOAUTH2", "OAUTHBEARER")


class Setting:
    """A mail server, a token endpoint that issues tokens for it, and a process that delivers."""

    def __init__(
        self, endpoint: TokenEndpoint, server: MailServer, options: TransportOptions
    ) -> None:
        self.endpoint = endpoint
        self.server = server
        self.options = options
        self.tokens = MailboxTokens(_no_database(), Keyring([bytes(32)]), options)

    def destination(
        self, method: TokenMethod = TokenMethod.CLIENT_SECRET, **fields: Any
    ) -> Destination:
        """The destination of a configuration with OAuth settings."""
        source = self.tokens.source(self.client(method, **fields))
        return destination(self.server.port, user=MAILBOX, tokens=source)

    def client(
        self, method: TokenMethod = TokenMethod.CLIENT_SECRET, **fields: Any
    ) -> MailboxClient:
        is_google = method is TokenMethod.SERVICE_ACCOUNT
        credentials = {
            TokenMethod.CLIENT_SECRET: {"client_secret": self.endpoint.client_secret},
            TokenMethod.PRIVATE_KEY_JWT: {"private_key": pem()},
            TokenMethod.SERVICE_ACCOUNT: {"service_account_key": account_key()},
        }
        values: dict[str, Any] = {
            "config_id": "config",
            "organization_id": "",
            "secret_id": "secret",
            "token_endpoint": self.endpoint.url,
            "client_id": ACCOUNT if is_google else CLIENT_ID,
            "scope": SCOPE_OF_GOOGLE if is_google else SCOPE_OF_MICROSOFT,
            "mailbox": MAILBOX,
            "method": method,
            "context": b"",
            "credential": credentials[method],
        }
        return MailboxClient(**(values | fields))

    async def deliver(self, method: TokenMethod = TokenMethod.CLIENT_SECRET, **fields: Any) -> None:
        """Delivers a mail."""
        to = self.destination(method, **fields)
        await deliver(to, message(), recipient="ada@example.com", options=self.options)

    async def failure(self, **fields: Any) -> DeliveryError:
        """The error of a delivery that must fail."""
        with pytest.raises(DeliveryError) as raised:
            await self.deliver(**fields)
        return raised.value

    async def steps(self, **fields: Any) -> list[Step]:
        """The steps of a trial."""
        return await try_out(
            self.destination(**fields), receiver_address=None, options=self.options
        )


def _no_database() -> Any:
    return None


@contextlib.asynccontextmanager
async def setting(
    authority: Authority, options: TransportOptions, mechanisms: tuple[str, ...] = ("XOAUTH2",)
) -> AsyncIterator[Setting]:
    async with (
        token_endpoint(authority) as endpoint,
        mail_server(
            tls=authority.certificate().context(),
            mechanisms=("LOGIN", *mechanisms),
            accepts=endpoint.accepts,
        ) as server,
    ):
        yield Setting(endpoint, server, options)


@pytest.fixture
async def at(authority: Authority, client: Client) -> AsyncIterator[Setting]:
    """Exchange Online, which offers XOAUTH2 alone."""
    async with setting(authority, client.options) as made:
        yield made


@pytest.mark.parametrize(
    "method", [each for each in TokenMethod if each is not TokenMethod.REFRESH_TOKEN]
)
async def test_a_mail_is_delivered_with_a_token_of_each_kind_of_secret(
    at: Setting, method: TokenMethod
) -> None:
    await at.deliver(method)

    [received] = at.server.received
    assert (received.user, received.is_encrypted) == (MAILBOX, True)
    assert {*at.endpoint.requests[0]} == {
        TokenMethod.CLIENT_SECRET: {"grant_type", "client_id", "client_secret", "scope"},
        TokenMethod.PRIVATE_KEY_JWT: {
            "grant_type",
            "client_id",
            "client_assertion",
            "client_assertion_type",
            "scope",
        },
        TokenMethod.SERVICE_ACCOUNT: {"grant_type", "assertion"},
    }[method]


async def test_an_assertion_names_the_certificate_that_microsoft_knows(
    at: Setting, authority: Authority
) -> None:
    # https://learn.microsoft.com/entra/identity-platform/certificate-credentials
    made = authority.certificate(rsa_key=True)
    at.endpoint.thumbprint = made.thumbprint

    await at.deliver(TokenMethod.PRIVATE_KEY_JWT, credential={"private_key": made.path.read_text()})

    assert len(at.server.received) == 1


def test_an_assertion_of_an_elliptic_curve_key_is_of_es256() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    assertion = client_assertion(text, client_id="a-client", audience="https://example.com/token")

    decoded = jwt.decode(assertion, ECKey(key, key), algorithms=["ES256"])
    assert decoded.claims["sub"] == "a-client"


@pytest.mark.parametrize("offered", [("XOAUTH2",), ("OAUTHBEARER",), _BOTH], ids="-".join)
async def test_the_mechanism_is_xoauth2_unless_only_the_other_is_offered(
    authority: Authority, client: Client, offered: tuple[str, ...]
) -> None:
    async with setting(authority, client.options, offered) as at:
        steps = {step.name: step for step in await at.steps()}

    assert steps["auth"].facts == {"mechanism": offered[0]}
    assert steps["token"].facts == {"token_endpoint": "localhost", "token_expires_in": "3599"}


async def test_a_server_that_refuses_one_mechanism_gets_the_other(
    authority: Authority, client: Client
) -> None:
    async with setting(authority, client.options, _BOTH) as at:
        at.server.faults["AUTH"] = _only_oauthbearer
        steps = await at.steps()

    assert [step.facts for step in steps if step.name == "auth"] == [{"mechanism": "OAUTHBEARER"}]


async def _only_oauthbearer(connection: Any, argument: str) -> None:
    if argument.startswith("OAUTHBEARER"):
        await connection.smtp_AUTH(argument)
    else:
        await connection.push(b"504 5.5.4 Unrecognized authentication type")


def test_a_name_is_escaped_for_oauthbearer() -> None:
    # RFC 5801, section 4.
    to = destination(25, user="a,b=c@contoso.com")

    assert initial_response("oauthbearer", to, "t") == (
        b"n,a=a=2Cb=3Dc@contoso.com,\1host=localhost\1port=25\1auth=Bearer t\1\1"
    )


async def test_a_server_without_token_mechanisms_is_named(
    authority: Authority, client: Client
) -> None:
    async with setting(authority, client.options, ()) as at:
        failed = await at.failure()

    assert (failed.step, failed.reason) == ("auth", "AUTH_MECHANISM_NOT_SUPPORTED")
    assert "offers only LOGIN" in failed.message
    assert "RemoveSMTPOAuth" in failed.message


async def test_a_token_never_leaves_without_encryption(
    at: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.resolve.Address.is_loopback", False)
    at.server.faults["EHLO"] = reply("250-mail.example.com", "250 AUTH XOAUTH2")

    failed = await at.failure()

    assert failed.reason == "TLS_REQUIRED"
    assert at.server.credentials == []


async def test_concurrent_deliveries_share_one_request_and_later_ones_its_token(
    at: Setting,
) -> None:
    await asyncio.gather(*(at.deliver() for _ in range(4)))
    await at.deliver()

    assert len(at.server.received) == 5
    assert len(at.endpoint.requests) == 1


@pytest.mark.parametrize(
    ("expires_in", "seconds"),
    [(3599, 3299), ("3600", 3300), (60, 30), (None, 150), (10**9, 86_100), ("NaN", 150)],
)
async def test_a_token_is_used_until_shortly_before_its_end(
    at: Setting, expires_in: Any, seconds: float
) -> None:
    at.endpoint.expires_in = expires_in
    source = at.tokens.source(at.client())

    assert (await source.token()).usable_seconds == seconds


async def test_a_token_that_has_ended_is_replaced(at: Setting) -> None:
    at.endpoint.expires_in = 0

    await at.deliver()
    await at.deliver()

    assert len(at.endpoint.requests) == 2


@pytest.mark.parametrize("refuse", [OF_MICROSOFT, of_google], ids=["microsoft", "google"])
async def test_a_token_that_ended_early_is_replaced_once(at: Setting, refuse: Any) -> None:
    await at.deliver()
    at.server.refuse = refuse
    at.endpoint.valid.clear()

    await at.deliver()

    assert len(at.server.received) == 2
    assert len(at.endpoint.requests) == 2


async def test_a_refused_new_token_is_not_tried_again(at: Setting) -> None:
    at.server.accepts = lambda _mailbox, _token: False

    failed = await at.failure()

    assert (failed.step, failed.reason) == ("auth", "AUTH_FAILED")
    assert at.server.commands.count("AUTH") == 1
    assert len(at.endpoint.requests) == 1


async def test_a_replaced_token_that_is_refused_too_is_the_last(at: Setting) -> None:
    await at.deliver()
    at.server.accepts = lambda _mailbox, _token: False

    failed = await at.failure()

    assert failed.reason == "AUTH_FAILED"
    assert len(at.endpoint.requests) == 2


async def test_deliveries_with_one_refused_token_replace_it_once(at: Setting) -> None:
    source = at.tokens.source(at.client())
    old = await source.token()

    at_once = await asyncio.gather(*(source.token(refused=old) for _ in range(4)))
    later = await source.token(refused=old)

    assert {*map(id, at_once)} == {id(later)} != {id(old)}
    assert len(at.endpoint.requests) == 2


_DISABLED = (
    "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."
    " Visit https://aka.ms/smtp_auth_disabled for more information."
)


@pytest.mark.parametrize(
    ("refuse", "words"),
    [
        (OF_MICROSOFT, ["535 5.7.3 Authentication unsuccessful", "New-ServicePrincipal"]),
        # https://github.com/simonrob/email-oauth2-proxy/issues/193
        (reply(_DISABLED), ["is disabled for the Tenant", "Authenticated SMTP"]),
        (reply("535 5.7.139 Authentication unsuccessful"), ["security defaults"]),
        (of_google, ['"status": "400"', "https://mail.google.com/", "Set the scope"]),
        (reply("535 5.7.8 No"), ["Correct the mailbox and the scope"]),
        (reply("334 not base64", "535 5.7.8 No"), ["not base64"]),
    ],
)
async def test_a_refused_login_is_explained_in_the_words_of_the_server(
    at: Setting, refuse: Any, words: list[str]
) -> None:
    at.server.accepts, at.server.refuse = None, refuse

    failed = await at.failure()

    assert (failed.step, failed.reason, failed.is_permanent) == ("auth", "AUTH_FAILED", False)
    assert all(word in failed.message for word in words), failed.message


async def test_a_throttled_login_is_temporary(at: Setting) -> None:
    at.server.faults["AUTH"] = reply("454 4.7.0 Too many login attempts, please try again later")

    failed = await at.failure()

    assert (failed.step, failed.reason) == ("auth", "TEMPORARILY_REFUSED")
    assert failed.concerns_login


async def test_a_server_that_is_busy_is_temporary(at: Setting) -> None:
    at.server.faults["AUTH"] = reply("421 4.7.0 Try again later, closing connection")

    assert (await at.failure()).reason == "TEMPORARILY_REFUSED"


async def test_a_sender_that_the_mailbox_may_not_use_is_a_wrong_setting(at: Setting) -> None:
    # https://learn.microsoft.com/troubleshoot/exchange/email-delivery/ndr
    at.server.faults["BODY"] = reply("554 5.2.252 SendAsDenied; noreply@contoso.com not allowed")

    failed = await at.failure()

    assert (failed.reason, failed.is_permanent) == ("SENDER_REFUSED", False)


_WRONG: dict[str, tuple[Answer | bytes, str, str]] = {
    "another application": (
        refused(
            "unauthorized_client", "AADSTS700016: Application with identifier 'x' was not found"
        ),
        "TOKEN_REFUSED",
        "Microsoft Entra has no such application",
    ),
    "a wrong secret": (
        refused("invalid_client", "AADSTS7000215: Invalid client secret provided.", "401 No"),
        "TOKEN_REFUSED",
        "not its Secret ID",
    ),
    "no delegation": (
        refused("unauthorized_client", "Client is unauthorized to retrieve access tokens"),
        "TOKEN_REFUSED",
        "Domain-wide",
    ),
    "an unknown reason": (refused("slow_down", ""), "TOKEN_REFUSED", 'refused: "slow_down"'),
    "throttling": (("429 Too Many Requests", {}), "TEMPORARILY_REFUSED", "status 429"),
    "an outage": (("503 Service Unavailable", {}), "TEMPORARILY_REFUSED", "status 503"),
    "no endpoint": (("404 Not Found", {}), "TOKEN_ENDPOINT_FAILED", "status 404"),
    "a redirect": (("302 Found", {}), "TOKEN_ENDPOINT_FAILED", "status 302"),
    "another type": (
        ("200 OK", {"token_type": "mac", "access_token": "t"}),
        "TOKEN_ANSWER_INVALID",
        "no bearer token",
    ),
    "no token": (("200 OK", {"token_type": "Bearer"}), "TOKEN_ANSWER_INVALID", "access_token"),
    "a list": (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", "TOKEN_ANSWER_INVALID", ""),
    "no JSON": (b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n<", "TOKEN_ANSWER_INVALID", ""),
    "no HTTP": (b"220 mail.example.com\r\n", "TOKEN_ENDPOINT_FAILED", "does not speak HTTP"),
    "no end": (
        b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000,
        "TOKEN_ENDPOINT_FAILED",
        "is too large",
    ),
}


@pytest.mark.parametrize("name", _WRONG)
async def test_a_failed_token_request_is_explained_before_any_login(at: Setting, name: str) -> None:
    given, reason, words = _WRONG[name]
    at.endpoint.answers = [given]

    failed = await at.failure()

    assert (failed.step, failed.reason) == ("token", reason)
    assert words in failed.message
    assert failed.concerns_destination
    assert failed.concerns_login
    assert "AUTH" not in at.server.commands
    # The failure is not remembered: the breaker of mails decides about the next attempt.
    await at.deliver()


async def test_an_endpoint_at_an_address_that_is_not_allowed_gets_no_request(at: Setting) -> None:
    private = await at.failure(token_endpoint="https://10.0.0.1/token")
    of_organization = await at.failure(organization_id="own")

    for failed in (private, of_organization):
        assert failed.reason == "TOKEN_ENDPOINT_FAILED"
        assert "KEYSTEAD_SMTP_ALLOWED_NETWORKS" in failed.message
    assert at.endpoint.requests == []


async def test_an_endpoint_with_a_certificate_of_an_unknown_authority_gets_no_request(
    at: Setting,
) -> None:
    at.options = dataclasses.replace(at.options)
    at.tokens = MailboxTokens(
        _no_database(), Keyring([bytes(32)]), dataclasses.replace(at.options, ca_file=None)
    )

    failed = await at.failure()

    assert "certificate of localhost" in failed.message
    assert at.endpoint.requests == []


@pytest.mark.parametrize("minutes", [-5, 5])
@pytest.mark.parametrize("method", [TokenMethod.PRIVATE_KEY_JWT, TokenMethod.SERVICE_ACCOUNT])
async def test_a_clock_that_is_five_minutes_off_does_no_harm(
    at: Setting, method: TokenMethod, minutes: int
) -> None:
    at.endpoint.clock = minutes * 59.5

    await at.deliver(method)


@pytest.mark.parametrize("minutes", [-20, 20])
@pytest.mark.parametrize("method", [TokenMethod.PRIVATE_KEY_JWT, TokenMethod.SERVICE_ACCOUNT])
async def test_a_clock_that_is_far_off_is_named(
    at: Setting, method: TokenMethod, minutes: int
) -> None:
    at.endpoint.clock = minutes * 60

    failed = await at.failure(method=method)

    assert failed.reason == "TOKEN_REFUSED"
    assert "Check the clock" in failed.message


async def test_no_error_and_no_representation_has_a_secret(at: Setting) -> None:
    to = at.destination()
    assert to.tokens is not None
    token = await to.tokens.token()
    given, encoded = at.endpoint.client_secret, b64encode(f"user={token.value}".encode()).decode()
    # Servers cut long lines, so they repeat a part.
    at.server.faults["AUTH"] = reply(f"454 4.7.0 You said {encoded[100:150]}")
    of_login = await at.failure()
    at.server.faults = {"MAIL": reply(f"550 5.7.1 You said {token.value[100:150]}")}
    of_sender = await at.failure()
    at.tokens = MailboxTokens(_no_database(), Keyring([bytes(32)]), at.options)
    at.endpoint.answers = [refused("invalid_client", f"You sent {given[5:35]}")]
    of_endpoint = await at.failure()

    for error in (of_endpoint, of_login, of_sender):
        assert "(not shown: it repeats a secret)" in error.message
    for text in (repr(to), repr(token)):
        assert given not in text
        assert token.value not in text


class _Locked:
    """Tokens of a configuration that another process has locked for too long."""

    async def token(self, *, refused: MailboxToken | None = None) -> MailboxToken:
        assert refused is None
        raise Failure(Kind.ABORTED, "CONCURRENT_CHANGE", "Try again.")


async def test_a_test_shows_that_the_database_gave_no_token(client: Client) -> None:
    async with mail_server() as server:
        to = destination(server.port, user=MAILBOX, tokens=_Locked())
        steps = await try_out(to, receiver_address=None, options=client.options)
        with pytest.raises(Failure, match="CONCURRENT_CHANGE"):
            await deliver(to, message(), recipient="ada@example.com", options=client.options)

    last = steps[-1]
    assert (last.name, last.succeeded) == ("token", False)
    assert (last.reason, last.message) == ("CONCURRENT_CHANGE", "Try again.")


@pytest.mark.parametrize(
    ("config_ids", "organization_id", "at_once"),
    [("aaaa", "own", 1), ("abcd", "own", 2), ("abcd", "", 4), ("aaaa", "", 1)],
)
async def test_few_requests_hold_a_connection_to_the_database(
    at: Setting, config_ids: str, organization_id: str, at_once: int
) -> None:
    turns, go_on, holding = RefreshTurns(), asyncio.Event(), 0

    async def request(config_id: str) -> None:
        nonlocal holding
        async with turns.turn(at.client(config_id=config_id, organization_id=organization_id)):
            holding += 1
            await go_on.wait()

    async with asyncio.TaskGroup() as group:
        for each in config_ids:
            group.create_task(request(each))
        await asyncio.sleep(0.01)
        assert holding == at_once
        go_on.set()

    assert holding == len(config_ids)


async def test_tokens_of_many_configurations_are_cached(at: Setting) -> None:
    tokens = [at.destination(config_id=f"config {number}").tokens for number in range(20)]
    first = [await each.token() for each in tokens if each]
    assert [await each.token() for each in tokens if each] == first
    # Another refused token does not let this one be forgotten again.
    for each, refused_token in zip(tokens[:2], first, strict=False):
        assert each
        await each.token(refused=refused_token)
    assert len(at.endpoint.requests) == 22
