"""Whether mails can align for DMARC (RFC 7489, section 3.1)."""

from ipaddress import ip_network

import pytest

from server.deliveries.smtp.alignment import alignment_problem
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.transport import try_out
from tests.smtp.test_transport import client as client  # noqa: PLC0414 -- a fixture
from tests.smtp.test_transport import destination
from tests.support.mail_server import mail_server


@pytest.mark.parametrize(
    ("sender", "login", "is_aligned"),
    [
        ("noreply@example.com", "", True),
        ("noreply@example.com", "mailer", True),
        ("noreply@example.com", "mailer@example.com", True),
        ("noreply@example.com", "mailer@Mail.Example.COM", True),
        ("noreply@news.example.com", "mailer@example.com", True),
        ("noreply@example.com", "mailer@mail.example.com", True),
        ("noreply@a.example.org", "mailer@b.example.org", True),
        ("noreply@a.example.org", "mailer@b.example.net", False),
        ("noreply@intranet", "mailer@mail.intranet", True),
        ("noreply@example.com", "mailer@com.example", False),
        ("noreply@münchen.example", "mailer@xn--mnchen-3ya.example", True),
        ("noreply@example.com", "mailer@contoso.com", False),
        ("noreply@example.com", "mailer@notexample.com", False),
        ("noreply@example.com", "mailer@contoso..com\u200b", False),
    ],
)
def test_a_login_of_another_domain_may_fail(sender: str, login: str, is_aligned: bool) -> None:
    assert (alignment_problem(sender, login) == "") is is_aligned


async def test_a_test_warns_of_it() -> None:
    options = TransportOptions(allowed_networks=[ip_network("127.0.0.0/8")], timeout=5)
    async with mail_server(users={"ada@contoso.com": "right"}) as server:
        to = destination(server.port, user="ada@contoso.com", password="right")
        steps = await try_out(to, receiver_address=None, options=options)

    assert steps[-1].succeeded
    assert steps[-1].facts == {"dmarc": "unaligned"}
    assert "log in with a mailbox at example.com" in steps[-1].message
