"""Errors of commands that cannot start: instructions, and never the key or the password."""

import base64
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import Keyring, create_key_file, read_key_file
from server.settings.settings import Settings
from server.store.database import connected
from server.values.errors import OperatorError
from tests.conftest import MakeInstance
from tests.passkey import links
from tests.secrets.search import found
from tests.smtp import calls
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.process import Finished, free_port, keystead

_MARK = uuid4().hex
_UNREACHABLE = "postgresql://user@127.0.0.1:1/database"

# URLs with mistakes around the password, which is `{}`.
_URLS = {
    "right": "postgresql://user:{}@127.0.0.1:1/database",
    "in the query": "postgresql://user@127.0.0.1:1/database?password={}",
    "as another option": "postgresql://user@127.0.0.1:1/database?sslmode={}",
    "as the port": "postgresql://user@127.0.0.1:{}/database",
    "with /": "postgresql://user:1/{}@127.0.0.1:1/database",
    "with ?": "postgresql://user:1?{}@127.0.0.1:1/database",
    "with #": "postgresql://user:{}#1@127.0.0.1:1/database",
    "with [": "postgresql://user:[{}@127.0.0.1:1/database",
    "with %": "postgresql://user:{}%zz@127.0.0.1:1/database",
    "with @ and :": "postgresql://user:1@1:{}@127.0.0.1:1/database",
}


@pytest.mark.parametrize("url", _URLS.values(), ids=_URLS)
async def test_a_password_in_a_database_url_is_never_shown(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("KEYSTEAD_DATABASE_URL", url.format(_MARK))

    said = await _refusal_to_connect()

    assert said
    assert found({"the password": _MARK.encode()}, said.encode()) == set()


async def _refusal_to_connect() -> str:
    """The text of the refusal. Any other exception would end in a traceback."""
    try:
        settings = Settings.load()
        assert settings.database_url
        async with connected(settings.database_url.get_secret_value(), pool_size=1):
            raise AssertionError("there is no database")
    except OperatorError as error:
        return str(error)


async def test_a_wrong_key_in_the_environment_is_never_shown(tmp_path: Path) -> None:
    finished = await keystead(
        "serve", data_dir=tmp_path, database_url=_UNREACHABLE, encryption_keys=f"{_MARK},{_MARK}="
    )

    assert "KEYSTEAD_ENCRYPTION_KEYS: Key 1 of the list is not 32 bytes" in finished.errors
    _is_a_sentence_without(_MARK.encode(), finished)


@dataclass(frozen=True)
class _Stored:
    """A database with a secret in it, and a directory with its key."""

    dsn: str
    folder: Path

    @property
    def key_file(self) -> Path:
        return self.folder / "encryption.keys"

    @property
    def key(self) -> bytes:
        """The first key of the file."""
        return read_key_file(self.key_file)[0]

    def with_key_file(self, folder: Path, *further: str, mode: int = 0o600) -> "_Stored":
        """The same database with another directory, whose key file begins with `further` keys."""
        copy = _Stored(self.dsn, folder)
        copy.key_file.write_text("\n".join([*further, self.key_file.read_text()]))
        copy.key_file.chmod(mode)
        return copy

    def with_another_key(self, folder: Path) -> "_Stored":
        """The same database with another directory, which has an unrelated key."""
        copy = _Stored(self.dsn, folder)
        create_key_file(copy.key_file)
        return copy

    async def serve(self, **settings: object) -> Finished:
        """Tries to start a server, which must end by itself."""
        return await keystead("serve", data_dir=self.folder, database_url=self.dsn, **settings)


@pytest.fixture(scope="module")
async def stored(make_instance: MakeInstance, make_database: MakeDatabase) -> _Stored:
    """The secrets are a password, and a link in a mail that waits: no mail server listens."""
    dsn = await make_database()
    async with make_instance(dsn=dsn) as instance:
        admin = instance.admin
        await calls.add(admin, given.smtp_config(host="127.0.0.1:1"))
        user = user_pb.CreateUserRequest(user_name="ada", email="ada@example.com")
        user_id = (await admin.call(admin.users.CreateUser, user)).user_id
        await links.create(admin, user_id, send=True)
        return _Stored(dsn, instance.data_dir)


async def test_a_lost_key_file_is_named_and_not_made_anew(stored: _Stored, tmp_path: Path) -> None:
    lost = _Stored(stored.dsn, tmp_path)

    finished = await lost.serve()

    assert f"{lost.key_file} is missing; it should hold the key" in finished.errors
    assert not lost.key_file.exists()
    _is_a_sentence_without(stored.key, finished)


@pytest.mark.parametrize("place", ["file", "environment"])
async def test_a_key_that_was_replaced_is_named_by_its_id(
    stored: _Stored, tmp_path: Path, place: str
) -> None:
    replaced = stored.with_another_key(tmp_path)
    settings: dict[str, object] = {}
    if place == "environment":  # with more than one process that loads the keys
        settings = {
            "encryption_keys": base64.b64encode(replaced.key).decode(),
            "grpc_address": f"127.0.0.1:{free_port()}",
            "http_address": f"127.0.0.1:{free_port()}",
            "workers": 2,
        }

    finished = await replaced.serve(**settings)

    missing = Keyring([stored.key]).writing_key_id
    assert f"with keys that are not configured: {missing}. Put them into" in finished.errors
    _is_a_sentence_without(stored.key, finished)
    _is_a_sentence_without(replaced.key, finished)


@pytest.mark.parametrize(
    ("further", "mode", "problem"),
    [
        ([_MARK], 0o600, "Key 1 of {} is not 32 bytes in base64."),
        ([], 0o640, "{} can be read by others than its owner."),
    ],
    ids=["damaged", "open to others"],
)
async def test_a_key_file_that_cannot_be_used_is_named(
    stored: _Stored, tmp_path: Path, further: list[str], mode: int, problem: str
) -> None:
    unusable = stored.with_key_file(tmp_path, *further, mode=mode)

    finished = await unusable.serve()

    assert finished.errors.startswith(problem.format(unusable.key_file))
    _is_a_sentence_without(_MARK.encode(), finished)
    _is_a_sentence_without(stored.key, finished)


def _is_a_sentence_without(secret: bytes, finished: Finished) -> None:
    said = f"{finished.output}{finished.errors}"
    assert finished.status == 1
    assert said
    assert "Traceback" not in said
    assert found({"the secret": secret}, said.encode()) == set()
