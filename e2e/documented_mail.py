"""Sets mail up by the commands of docs/mail.md, with a fake Microsoft and a fake Google.

`python -m e2e.documented_mail FOLDER`, in a network of its own where the names of both lead to this
machine. The commands run as they stand in the document; a reader puts in IDs and files. Writes an
object for each way into `told.json`: what the test printed, the requests, the mails that arrived.
"""

import asyncio
import json
import os
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc.jwk import RSAKey

from e2e.programs import FOLDER
from tests.support import given
from tests.support.certificates import Authority
from tests.support.closing import serving
from tests.support.mail_server import MailServer, mail_server
from tests.support.process import serve
from tests.support.token_endpoint import CLIENT_ID, TokenEndpoint, account_key

NAMES: Final = (
    *("login.microsoftonline.com", "smtp.office365.com"),
    *("oauth2.googleapis.com", "smtp.gmail.com"),
)
_TENANT: Final = "11111111-2222-3333-4444-555555555555"
_MICROSOFT: Final = f"https://login.microsoftonline.com/{_TENANT}/oauth2/v2.0/token"
_GOOGLE: Final = "https://oauth2.googleapis.com/token"
_TEST: Final = "keystead smtp test --to you@contoso.com"
_DOCUMENT: Final = (FOLDER.parent / "docs" / "mail.md").read_text()


@dataclass(frozen=True)
class Way:
    """A block of commands: its section and its number there, and what a provider knows of it."""

    section: str
    block: int
    endpoint: str
    mailbox: str
    put_in: Mapping[str, str] = field(default_factory=dict)

    def commands(self) -> str:
        """The block as it is written, but for what a reader puts in."""
        section = _DOCUMENT.split(f"## {self.section}\n")[1].split("\n## ")[0]
        blocks = re.findall(r"^ *```bash\n(.*?)^ *```$", section, re.DOTALL | re.MULTILINE)
        text = dedent(blocks[self.block])
        for placeholder, value in self.put_in.items():
            assert placeholder in text
            text = text.replace(placeholder, value)
        return text


_IDS: Final = {"TENANT_ID": _TENANT, "APPLICATION_ID": CLIENT_ID}
_WAYS: Final = (
    Way("Microsoft 365", 0, _MICROSOFT, "noreply@contoso.com", _IDS),
    Way("Microsoft 365", 1, _MICROSOFT, "noreply@contoso.com", _IDS),
    Way("Google Workspace", 0, _GOOGLE, "noreply@example.com"),
    Way("A refresh token", 0, _GOOGLE, "you@gmail.com", {"CLIENT_ID": CLIENT_ID}),
)


@dataclass(frozen=True)
class Reader:
    """A person with a shell in a folder."""

    folder: Path
    environment: Mapping[str, str]

    async def run(self, commands: str) -> str:
        """Runs commands; the first that fails ends the program."""
        process = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", commands),
            cwd=self.folder,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        printed = (await process.communicate())[0].decode()
        if process.returncode != 0:
            sys.exit(f"{commands}\nended with status {process.returncode}:\n{printed}")
        return printed


async def main(folder: Path) -> None:
    """Goes each way, one after the other."""
    authority = Authority(folder)
    context = authority.certificate(names=NAMES).context()
    data_dir = folder / "data"
    settings = {"smtp_ca_file": authority.ca_file, "smtp_allowed_networks": "127.0.0.0/8"}
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "KEYSTEAD_DATA_DIR": str(data_dir),
        **{f"KEYSTEAD_{name.upper()}": str(value) for name, value in settings.items()},
    }
    reader, endpoint = Reader(folder, environment), TokenEndpoint()
    (folder / "secret.txt").write_text(endpoint.client_secret)
    (folder / "refresh.txt").write_text(endpoint.refresh_token)
    (folder / "key.json").write_text(account_key())
    async with (
        serving(endpoint.serve, context, at=443),
        mail_server(
            tls=context, port=587, mechanisms=("XOAUTH2",), accepts=endpoint.accepts
        ) as server,
        serve(data_dir, **settings) as keystead,
    ):
        await keystead.port()
        told = [await _gone(way, each, reader, endpoint, server) for each, way in enumerate(_WAYS)]
    (folder / "told.json").write_text(json.dumps(told))


async def _gone(
    way: Way, number: int, reader: Reader, endpoint: TokenEndpoint, server: MailServer
) -> Mapping[str, object]:
    endpoint.url, endpoint.mailbox = way.endpoint, way.mailbox
    endpoint.key, endpoint.thumbprint = TokenEndpoint().key, None
    endpoint.requests.clear()
    commands = way.commands()
    if "smtp add" in commands and number:
        await reader.run("keystead smtp remove")
    tested = await reader.run(commands)
    if "openssl" in commands:  # the upload
        _trust(endpoint, (reader.folder / "mail.pem").read_bytes())
    if "keystead smtp test" not in commands:
        tested = await reader.run(_TEST)
    address = f"ada-{number}@example.com"
    await reader.run(
        f"keystead user create ada-{number} --email {address}\n"
        f"keystead passkey link ada-{number} --send"
    )

    async def has_arrived() -> bool:
        return any(address in each.recipients for each in server.received)

    await given.eventually(has_arrived)
    received = server.received.copy()
    server.received.clear()
    return {
        "section": way.section,
        "test": tested,
        "requests": [sorted(each) for each in endpoint.requests],
        "received": [[each.user, each.sender, *each.recipients] for each in received],
    }


def _trust(endpoint: TokenEndpoint, pem: bytes) -> None:
    """As after the upload of a certificate."""
    certificate = x509.load_pem_x509_certificate(pem)
    public = certificate.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    endpoint.key = RSAKey.import_key(public)
    digest = certificate.fingerprint(hashes.SHA256())
    endpoint.thumbprint = urlsafe_b64encode(digest).decode().rstrip("=")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
