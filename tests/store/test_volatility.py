"""No writing statement passes a column to a function that is not immutable.

Citus refuses this in UPDATE and DELETE (decision 1): the nodes could disagree about the result.
"""

import re
from collections.abc import Iterator

import pytest

from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.statements import statements

_WRITES = re.compile(r"\b(insert into|update|delete from|for update)\b")
_CALL = re.compile(r"\b([a-z_0-9]+)\(")
_QUOTED = re.compile(r"'[^']*'")
# Columns are the words of an argument without its parameters, casts, functions and keywords.
_NO_COLUMN = re.compile(
    r"\$\d+|::\s*[a-z_0-9 ]+(\[\])?|\b[a-z_0-9]+\("
    r"|\b(select|array|null|true|false|and|or|not|case|when|then|else|end|epoch|from|interval)\b"
)
_NOT_IMMUTABLE = """
select proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace
group by proname having bool_and(provolatile <> 'i')"""

# Statements with such calls, each with the reason.
ALLOWED = {
    "smtp.store.CHANGE": "its table has one row and is not distributed",
    "session.store._END_OF_IDP": "an INSERT of events of several users, which no one node has",
    "mail.outbox._NOTIFY": "merges a number into a mail; to be mended before mails are distributed",
}


def calls_with_columns(sql: str, functions: set[str]) -> Iterator[str]:
    """The functions with a column as, or within, an argument."""
    sql = _QUOTED.sub("", sql)
    for call in _CALL.finditer(sql):
        if call[1] in functions:
            depth, end = 1, call.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(sql[end], 0)
                end += 1
            if re.search(r"[a-z_]", _NO_COLUMN.sub("", sql[call.end() : end - 1])):
                yield call[1]


@pytest.fixture
async def functions(make_database: MakeDatabase) -> set[str]:
    """The stable and volatile functions of PostgreSQL, with any arguments."""
    async with given.sql(await make_database()) as connection:
        return {row["proname"] for row in await connection.fetch(_NOT_IMMUTABLE)}


async def test_no_statement_that_writes_gives_them_a_column(functions: set[str]) -> None:
    found = {
        name: names
        for name, each in statements().items()
        if _WRITES.search(each.sql)
        and (names := sorted(set(calls_with_columns(each.sql, functions))))
    }

    assert found.keys() == ALLOWED.keys(), found


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("update users set a = jsonb_build_object('a', email)", ["jsonb_build_object"]),
        ("update users set a = jsonb_build_object('a', $1::text)", []),
        ("update users set a = now()", []),
    ],
)
async def test_a_column_is_told_from_a_parameter(
    functions: set[str], sql: str, found: list[str]
) -> None:
    assert list(calls_with_columns(sql, functions)) == found
