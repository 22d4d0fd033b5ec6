"""The mail server of the tour, which stores mails and forwards none."""

import contextlib
import email
import email.policy
import hmac
import logging
import queue
import re
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session

from examples.grpcurl import TourError

_PATIENCE_SECONDS = 60
# aiosmtpd logs uses of its own deprecated functions.
logging.getLogger("mail.log").setLevel(logging.ERROR)
_LINK = re.compile(r"https?://\S+#user=([^;\s]+);code=(\S+)")


class Mailbox:
    """Receives mails on `address` from clients with this user and password, in order."""

    def __init__(self, user: str, password: str) -> None:
        self._login = f"{user}\0{password}".encode()
        self._received: queue.Queue[EmailMessage] = queue.Queue()
        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=_free_port(),
            authenticator=self._check,
            auth_require_tls=False,  # the connection stays on this machine
        )
        self.address = f"127.0.0.1:{self._controller.port}"

    def next(self) -> EmailMessage:
        """Waits for the next mail."""
        try:
            return self._received.get(timeout=_PATIENCE_SECONDS)
        except queue.Empty:
            raise TourError(f"No mail arrived within {_PATIENCE_SECONDS} seconds.") from None

    def start(self) -> None:
        """Starts listening, in a thread of its own."""
        self._controller.start()

    def stop(self) -> None:
        """Stops listening."""
        self._controller.stop()

    async def handle_DATA(  # noqa: N802 -- named by aiosmtpd
        self, _server: object, _session: Session, envelope: Envelope
    ) -> str:
        """Receives a mail."""
        content = envelope.content
        if not isinstance(content, bytes):
            return "554 5.6.0 No message"
        message = email.message_from_bytes(content, policy=email.policy.default)
        self._received.put(message)
        return "250 2.0.0 OK"

    def _check(self, _server: object, _session: Session, _envelope: Envelope, *login: Any) -> Any:
        _mechanism, data = login
        given = b"\0".join([data.login, data.password]) if isinstance(data, LoginPassword) else b""
        # If not handled here, the library replies: 535 for a wrong password.
        return AuthResult(success=hmac.compare_digest(given, self._login), handled=False)


@contextlib.contextmanager
def mailbox(user: str, password: str) -> Iterator[Mailbox]:
    """A mail server until the end of the block."""
    box = Mailbox(user, password)
    box.start()
    try:
        yield box
    finally:
        box.stop()


def link_in(mail: EmailMessage) -> tuple[str, str]:
    """The user and the code of the registration link in the text of a mail."""
    text = mail.get_body(("plain",))
    found = _LINK.search(text.get_content()) if text else None
    if found is None:
        raise TourError(f"There is no link in the mail:\n{mail}")
    return found[1], found[2]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
