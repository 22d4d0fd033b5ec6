"""The first start: one organization, one administrator, one token that works."""

import asyncio
import stat
from pathlib import Path

import pytest

from server.bootstrap import TokenFileError, bootstrap
from server.caller import Role, token_hash
from server.database import Database, connected
from server.migrate import migrate
from server.user import token_store
from tests.conftest import MakeDatabase

_COUNTS = """
select (select count(*) from organizations) as organizations, (select count(*) from users) as users,
    (select count(*) from tokens) as tokens, (select count(*) from events) as events"""


def _files(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def _counts(database: Database) -> tuple[int, ...]:
    return tuple(await database.fetch_one(_COUNTS))


async def test_the_token_in_the_file_is_the_administrators(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    token_file = tmp_path / "admin.token"
    async with connected(await make_database(), pool_size=1) as database:
        await migrate(database)

        assert await bootstrap(database, token_file)

        token = token_file.read_text().strip()
        caller = await token_store.find_caller(database, token_hash(token))
    assert caller is not None
    assert caller.roles == {Role.INSTANCE_OWNER}
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600


async def test_a_second_start_changes_nothing(tmp_path: Path, make_database: MakeDatabase) -> None:
    token_file = tmp_path / "admin.token"
    async with connected(await make_database(), pool_size=1) as database:
        await migrate(database)
        await bootstrap(database, token_file)
        before = await _counts(database), token_file.read_text()

        assert not await bootstrap(database, token_file)

        assert (await _counts(database), token_file.read_text()) == before


async def test_of_several_first_starts_at_once_one_writes_its_file(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    files = [tmp_path / f"{number}.token" for number in range(4)]
    async with connected(await make_database(), pool_size=4) as database:
        await migrate(database)

        made = await asyncio.gather(*(bootstrap(database, file) for file in files))

        assert [file.exists() for file in files] == made
        assert sum(made) == 1
        assert (await _counts(database))[:3] == (1, 1, 1)
    assert len(_files(tmp_path)) == 1


async def test_nothing_is_made_while_the_token_cannot_be_written(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    token_file = tmp_path / "admin.token"
    token_file.mkdir()  # stops root too, whom no mode stops
    async with connected(await make_database(), pool_size=1) as database:
        await migrate(database)

        with pytest.raises(TokenFileError, match="KEYSTEAD_DATA_DIR"):
            await bootstrap(database, token_file)

        assert await _counts(database) == (0, 0, 0, 0)
    assert _files(tmp_path) == [token_file]
