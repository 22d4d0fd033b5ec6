"""Mail addresses: internal domains are accepted, and the settings of the library stay unchanged."""

import pytest
from email_validator import EmailNotValidError, validate_email

from server.values.mail_address import normal_mail_address

pytestmark = pytest.mark.python_differs("email folds and quotes headers anew in patch releases")


@pytest.mark.parametrize(
    ("address", "normal"),
    [
        ("noreply@corp.local", "noreply@corp.local"),
        ("root@localhost", "root@localhost"),
        ("ada@Corp.LOCAL", "ada@corp.local"),
        ("ada@corp.\N{FULLWIDTH LATIN SMALL LETTER L}ocal", "ada@corp.local"),
        ("ada@b\N{LATIN SMALL LETTER U WITH DIAERESIS}ro.test", "ada@b\xfcro.test"),
        ("ada@xn--bro-hoa.test", "ada@b\xfcro.test"),
        ("ada@notlocal", "ada@notlocal"),
        ("ada@example.com", "ada@example.com"),
    ],
)
def test_a_domain_may_be_one_that_the_internet_does_not_have(address: str, normal: str) -> None:
    assert normal_mail_address(address) == normal


@pytest.mark.parametrize(
    "address",
    ["ada@.local", "ada@corp..local", "ada@-corp.local", "ada @corp.local", "@corp.local"],
)
def test_such_a_domain_has_the_syntax_of_every_other(address: str) -> None:
    with pytest.raises(ValueError, match=r"^must be a mail address like name@example\.com: "):
        normal_mail_address(address)


def test_other_users_of_the_library_in_this_process_keep_its_rules() -> None:
    with pytest.raises(EmailNotValidError, match="special-use or reserved name"):
        validate_email("ada@corp.local", check_deliverability=False)
