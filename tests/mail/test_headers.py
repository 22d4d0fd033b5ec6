"""Addresses in headers, for mails and for TestSMTPConfig."""

from dataclasses import replace

import pytest

from server.deliveries.smtp.envelope import trial_message
from server.deliveries.smtp.headers import header_address
from tests.mail.mail_instance import DESTINATION
from tests.mail.test_rendering import letter, templates

pytestmark = pytest.mark.python_differs("email folds and quotes headers anew in patch releases")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada\r\nBcc: eve@example.com", "Ada Bcc: eve@example.com"),
        ("Ada \u202e\u2028Lovelace", "Ada Lovelace"),
        ("\U0001f469\u200d\U0001f4bb Ada", "\U0001f469\u200d\U0001f4bb Ada"),
        ("=?utf-8?q?Eve?=", "= ?utf-8?q?Eve?="),
    ],
)
def test_a_name_is_one_line_of_visible_text(name: str, shown: str) -> None:
    assert header_address("ada@example.com", name).display_name == shown


def test_a_domain_is_written_as_dns_knows_it() -> None:
    assert header_address("ada@b\u00fccher.example").addr_spec == "ada@xn--bcher-kva.example"


def test_a_trial_has_the_sender_that_mails_have() -> None:
    destination = replace(
        DESTINATION,
        sender_name="\u202eB\u00fccher =?x",
        sender_address="noreply@b\u00fccher.example",
    )

    trial = trial_message(destination, "ada@example.com")
    mail = templates().message(
        letter(sender_name=destination.sender_name, sender_address=destination.sender_address)
    )

    assert str(trial["From"]) == str(mail["From"])
