"""Mail by Microsoft and Google for somebody who has nothing but docs/mail.md."""

import json
import os
import sys
from pathlib import Path

from e2e import documented_mail
from e2e.programs import FOLDER, PROGRAM_SECONDS, output, required

# In a network of its own, both have their own names and ports.
_ISOLATED = """
ip link set lo up
mount --bind "$HOSTS" /etc/hosts
exec "$@"
"""


async def test_mail_goes_out_by_the_commands_of_the_document(tmp_path: Path) -> None:
    unshare, ip = required("unshare", "util-linux"), required("ip", "iproute2")
    required("openssl", "openssl")
    assert os.geteuid() == 0, f"{ip} needs root"
    hosts = tmp_path / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {' '.join(documented_mail.NAMES)}\n")
    program = (sys.executable, "-m", "e2e.documented_mail", str(tmp_path))

    await output(
        *(unshare, "--net", "--mount", "sh", "-euc", _ISOLATED, "sh", *program),
        seconds=PROGRAM_SECONDS,
        cwd=FOLDER.parent,
        HOSTS=str(hosts),
        HOME=str(tmp_path),
    )

    told = json.loads((tmp_path / "told.json").read_text())
    assert [each["section"] for each in told] == [
        *("Microsoft 365", "Microsoft 365", "Google Workspace", "A refresh token")
    ]
    senders = ["noreply@contoso.com", "noreply@contoso.com", "noreply@example.com"]
    mailboxes = [*senders, "you@gmail.com"]
    senders.append("noreply@example.com")
    for number, (each, mailbox, sender) in enumerate(zip(told, mailboxes, senders, strict=True)):
        of_test = "you@example.com" if number == 2 else "you@contoso.com"
        recipients = [of_test, f"ada-{number}@example.com"]
        assert each["received"] == [[mailbox, sender, recipient] for recipient in recipients]
        assert "XOAUTH2" in each["test"]
    secrets = ("client_secret", "client_assertion", "assertion", "refresh_token")
    assert all(secret in each["requests"][0] for secret, each in zip(secrets, told, strict=True))
