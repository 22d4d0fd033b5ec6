"""The rule for all names that people are shown."""

import pytest

from server.idp import commands as idp
from server.org import commands as org
from server.passkey import commands as passkey
from server.passkey.ceremonies import VerifyPasskeyRegistration
from server.smtp import commands as smtp
from server.user import commands as user
from server.user import tokens
from server.validation.fields import Command, json_path, read
from server.values.errors import Failure

pytestmark = pytest.mark.python_differs("unicodedata has another version of Unicode")


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (user.CreateUser, "user_name"),
        (user.CreateUser, "display_name"),
        (user.UserFields, "display_name"),
        (tokens.CreateToken, "name"),
        (tokens.CreateCertificate, "name"),
        (tokens.CreateWorkloadCredential, "name"),
        (VerifyPasskeyRegistration, "passkey_name"),
        (passkey.RenamePasskey, "name"),
        (org.CreateOrganization, "name"),
        (idp.CreateIDP, "name"),
        (idp.UpdateIDP, "name"),
        (idp.IDPFields, "name"),
        (smtp.AddSMTPConfig, "sender_name"),
        (smtp.UpdateSMTPConfig, "sender_name"),
    ],
)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (" \u00a0", "must contain a visible character"),
        ("\u200b", "must contain a visible character"),
        ("a\u202eb", "must not contain U+202E, which changes the direction of text"),
        ("a\u2069b", "must not contain U+2069, which changes the direction of text"),
    ],
)
def test_a_name_can_be_seen_and_turns_no_text(
    command: type[Command], field: str, name: str, reason: str
) -> None:
    with pytest.raises(Failure) as refused:
        read(command, {field: name})

    reasons = {each.field: each.description for each in refused.value.violations}
    assert reasons[json_path([field])] == reason
