"""The processes of postfix, which end with the block that started them, and delivered mails."""

import asyncio
import contextlib
import email.policy
import os
import shutil
import signal
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Iterator, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

from e2e.postfix.configuration import PASSWORD, USER, services, write
from e2e.postfix.policy import Policy
from e2e.programs import ARTIFACTS, required
from tests.support import given
from tests.support.certificates import Authority

_SECONDS = 20
_STARTED = "daemon started"
_MASTER = Path("/usr/lib/postfix/sbin/master")


class Postfix:
    """A postfix that can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.log_file = folder / "postfix.log"
        self.log_file.touch()
        self._process: Process | None = None
        self._starts = 0
        authority, outsider = (_authority(folder / name) for name in ("authority", "outsider"))
        self.ca_file = authority.ca_file
        self._services = services(authority, outsider)
        self.policy = Policy()
        write(folder, authority, self._services)

    def host(self, service: str) -> str:
        """The address and port of a service of `configuration.services`."""
        return self._services[service].host

    @property
    def log(self) -> str:
        """The log so far."""
        return self.log_file.read_text()

    def mails(self, recipient: str) -> Sequence[EmailMessage]:
        """The messages delivered to the recipient so far, oldest first."""
        inbox = self._folder / "mail" / "inbox" / "new"
        files = sorted(inbox.glob("*"), key=lambda file: file.stat().st_mtime_ns)
        mails = [
            message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files
        ]
        return [mail for mail in mails if mail["Delivered-To"] == recipient]

    async def received(self, recipient: str, mails: int = 1) -> Sequence[EmailMessage]:
        """The delivered messages, as soon as they have this number and the queue is empty."""

        async def are_there() -> bool:
            return len(self.mails(recipient)) >= mails and not self._queued()

        await given.eventually(are_there)
        return self.mails(recipient)

    def _queued(self) -> bool:
        queue = self._folder / "queue"
        return any(
            path.is_file()
            for name in ("maildrop", "incoming", "active", "deferred")
            for path in (queue / name).rglob("*")
        )

    async def start(self) -> None:
        """Returns when it accepts connections everywhere."""
        self._starts += 1
        self._process = await asyncio.create_subprocess_exec(
            *(_MASTER, "-c", self._folder / "etc", "-s"),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,
        )

        await given.eventually(self._is_started)

    async def _is_started(self) -> bool:
        assert self._process is not None
        assert self._process.returncode is None, self.log
        return self.log.count(_STARTED) == self._starts

    async def stop(self) -> None:
        """Kills all of its processes at once; accepted messages stay in its queue."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        await asyncio.wait_for(self._process.wait(), _SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process = None
        await given.eventually(self._refuses_everywhere)

    async def _refuses_everywhere(self) -> bool:
        """Waits for killed processes, too: each of them holds the sockets until it has ended."""
        return all([await _refuses(service.host) for service in self._services.values()])


async def _refuses(host: str) -> bool:
    address, _, port = host.rpartition(":")
    try:
        _, writer = await asyncio.open_connection(address, int(port))
    except ConnectionRefusedError:
        return True
    except ConnectionError:
        return False
    writer.close()
    return False


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[Postfix]:
    """A postfix until the end of the block; its log is an artifact."""
    assert os.geteuid() == 0, "postfix needs root: run `make e2e` as root, in a container for it"
    with _folder() as folder:
        postfix = Postfix(folder)
        await _run(required("postfix", "postfix"), "-c", str(folder / "etc"), "check")
        await _add_user(folder / "users")
        async with postfix.policy.serving(folder / "policy"):
            try:
                await postfix.start()
                yield postfix
            finally:
                await postfix.stop()
                ARTIFACTS.mkdir(exist_ok=True)
                shutil.copy(postfix.log_file, ARTIFACTS)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Not a folder of pytest, which the users of postfix cannot read."""
    with tempfile.TemporaryDirectory(prefix="keystead-postfix-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part, owner in (("queue", "root"), ("data", "postfix"), ("mail", "nobody")):
            (folder / part).mkdir()
            shutil.chown(folder / part, owner)
        yield folder


def _authority(folder: Path) -> Authority:
    folder.mkdir()
    return Authority(folder)


async def _add_user(file: Path) -> None:
    program = required("saslpasswd2", "sasl2-bin")
    await _run(program, "-p", "-c", "-f", str(file), USER, written=PASSWORD)
    shutil.chown(file, "postfix")


async def _run(*command: str, written: str = "") -> None:
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=STDOUT)
    shown, _ = await asyncio.wait_for(process.communicate(written.encode()), _SECONDS)
    assert process.returncode == 0, shown.decode()
