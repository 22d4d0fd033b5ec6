"""Lists of the command line are read in pages, whatever their length."""

from collections.abc import AsyncIterator, Sequence

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli import lists, names
from server.cli.lists import ListRow, all_rows
from server.idp import store as idp_store
from server.store.database import connected
from tests.support import given
from tests.support.given import Instance

_ITEMS = [f"{number:04}" for number in range(25)]


def _row(item: str) -> ListRow:
    return {"item_id": item, "length": len(item)}


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The starts of the pages that were read, of ten rows each."""
    monkeypatch.setattr(lists, "_ROWS_OF_PAGE", 10)
    return []


def _rows(pages: list[str], items: Sequence[str]) -> AsyncIterator[ListRow]:
    async def list_after(*, after: str, limit: int) -> list[str]:
        pages.append(after)
        return [item for item in items if item > after][:limit]

    return all_rows(list_after, _row)


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 20, 25])
async def test_all_rows_are_read(pages: list[str], length: int) -> None:
    rows = [row async for row in _rows(pages, _ITEMS[:length])]

    assert rows == [_row(item) for item in _ITEMS[:length]]
    assert len(pages) == length // 10 + 1


async def test_a_row_is_printed_before_the_next_page_is_read(pages: list[str]) -> None:
    rows = _rows(pages, _ITEMS)

    assert await anext(rows) == {"item_id": "0000", "length": 4}
    assert pages == [""]


@pytest.mark.parametrize("spelled", ["Müller IdP", "MÜLLER idp", "müller ＩＤＰ"])  # noqa: RUF001
async def test_a_provider_is_found_by_its_name_without_a_list_of_all(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, spelled: str
) -> None:
    org_id = await given.organization(instance.admin)
    owner = await given.user(instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    idp_id = await given.idp(owner, name="Müller IdP")
    await given.idp(owner, name="Another")
    monkeypatch.delattr(idp_store, "LIST")

    async with connected(instance.dsn, pool_size=1) as database:
        found = await names._idp(database, spelled, org_id)  # noqa: SLF001 -- commands run it

    assert found == (idp_id, org_id)
