"""The first start: one organization, one administrator, one token that works."""

import asyncio
import stat
from pathlib import Path

import pytest

from server.access.roles import Role
from server.access.tokens import token_hash
from server.operate.bootstrap import TokenFileError, bootstrap
from server.store.database import Database, connected
from server.store.statement import statement
from server.user import token_store
from tests.conftest import own_database
from tests.support.databases import MakeDatabase

_COUNTS = statement("""
select (select count(*) from organizations) as organizations, (select count(*) from users) as users,
    (select count(*) from tokens) as tokens, (select count(*) from events) as events""")


database = own_database


def _files(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def _counts(database: Database) -> tuple[int, ...]:
    return tuple(await database.fetch_one(_COUNTS))


async def test_the_token_in_the_file_is_the_administrators(
    tmp_path: Path, database: Database
) -> None:
    token_file = tmp_path / "admin.token"
    assert await bootstrap(database, token_file)

    token = token_file.read_text().strip()
    caller = await token_store.find_caller(database, token_hash(token))
    assert caller is not None
    assert caller.roles == {Role.INSTANCE_OWNER}
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600


async def test_a_second_start_changes_nothing(tmp_path: Path, database: Database) -> None:
    token_file = tmp_path / "admin.token"
    await bootstrap(database, token_file)
    before = await _counts(database), token_file.read_text()

    assert not await bootstrap(database, token_file)

    assert (await _counts(database), token_file.read_text()) == before


async def test_of_several_first_starts_at_once_one_writes_its_file(
    tmp_path: Path, database: Database
) -> None:
    files = [tmp_path / f"{number}.token" for number in range(4)]
    made = await asyncio.gather(*(bootstrap(database, file) for file in files))

    assert [file.exists() for file in files] == made
    assert sum(made) == 1
    assert (await _counts(database))[:3] == (1, 1, 1)
    assert len(_files(tmp_path)) == 1


async def test_nothing_is_made_while_the_token_cannot_be_written(
    tmp_path: Path, database: Database
) -> None:
    in_the_way = tmp_path / "admin.token.new"
    in_the_way.mkdir()  # stops root too, which ignores file modes
    with pytest.raises(TokenFileError, match=f"Cannot write .* to {in_the_way}.*DATA_DIR"):
        await bootstrap(database, tmp_path / "admin.token")

    assert await _counts(database) == (0, 0, 0, 0)
    assert _files(tmp_path) == [in_the_way]


async def test_the_token_of_another_database_is_kept_and_nothing_is_made(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    token_file = tmp_path / "admin.token"
    async with connected(await make_database(), pool_size=1) as first:
        await bootstrap(first, token_file)
    token = token_file.read_text()
    async with connected(await make_database(), pool_size=1) as second:
        with pytest.raises(TokenFileError, match=f"{token_file} contains a token .*DATA_DIR"):
            await bootstrap(second, token_file)

        assert await _counts(second) == (0, 0, 0, 0)
        assert token_file.read_text() == token

        token_file.rename(tmp_path / "moved away")
        assert await bootstrap(second, token_file)
    assert token_file.read_text() != token


async def test_a_first_start_that_was_killed_before_its_commit_is_repeated(
    tmp_path: Path, database: Database
) -> None:
    token_file = tmp_path / "admin.token"
    (tmp_path / "admin.token.new").write_text("kst_of-no-database\n")
    assert await bootstrap(database, token_file)

    token = token_file.read_text().strip()
    assert await token_store.find_caller(database, token_hash(token))
    assert _files(tmp_path) == [token_file]


async def test_a_first_start_that_was_killed_after_its_commit_is_completed_by_the_next(
    tmp_path: Path, database: Database
) -> None:
    token_file, prepared = tmp_path / "admin.token", tmp_path / "admin.token.new"
    await bootstrap(database, token_file)
    before = await _counts(database), token_file.read_text()
    token_file.rename(prepared)

    assert await bootstrap(database, token_file)

    assert (await _counts(database), token_file.read_text()) == before
    assert _files(tmp_path) == [token_file]


@pytest.mark.parametrize("present", ["admin.token", None])
async def test_what_another_start_prepared_is_left_alone(
    tmp_path: Path, database: Database, present: str | None
) -> None:
    token_file, prepared = tmp_path / "admin.token", tmp_path / "admin.token.new"
    await bootstrap(database, token_file)
    if present:  # of this database; the token file is that of another one
        prepared.write_text(token_file.read_text())
        token_file.write_text("of another database")
    else:
        token_file.unlink()
        prepared.write_text("of another database")
    before = {file: file.read_text() for file in _files(tmp_path)}

    assert not await bootstrap(database, token_file)

    assert {file: file.read_text() for file in _files(tmp_path)} == before


async def test_first_starts_at_once_in_one_folder_leave_the_token_that_works(
    tmp_path: Path, database: Database
) -> None:
    token_file = tmp_path / "admin.token"
    made = await asyncio.gather(*(bootstrap(database, token_file) for _ in range(4)))

    assert sum(made) == 1
    token = token_file.read_text().strip()
    assert await token_store.find_caller(database, token_hash(token))
    assert _files(tmp_path) == [token_file]
