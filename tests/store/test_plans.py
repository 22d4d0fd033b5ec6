"""No statement of a call reads a whole table, however large the installation."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import asyncpg
import pytest

from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.statements import (
    SMALL,
    bare,
    generic_plan,
    leading_columns,
    nodes,
    pretend_to_be_large,
    statements,
)

# More rows than any page, batch or owner of the pretended installation has.
_WHOLE = 1_000_000

_DOCTOR = "`keystead doctor` counts all"
_ROTATION = "`keystead rotate-keys` reads all secrets once"
_AUDIT = "`keystead audit` looks through the whole log"

# Statements that may read whole tables, each with the reason.
WHOLE_TABLES = {
    "passkey.counts._COUNT": _DOCTOR,
    "rpc.preconditions.idempotent_answers._KEY_IDS": _ROTATION,
    "idp.oidc.store._LIST_UNDER_OTHER_KEYS": _ROTATION,
    "push.store._LIST_UNDER_OTHER_KEYS": _ROTATION,
    "smtp.store._LIST_ORGANIZATIONS": _ROTATION,
    "log.verification._WITHOUT_POSITION": _AUDIT,
    "log.verification._OUT_OF_ORDER": _AUDIT,
}


@pytest.fixture(scope="module")
async def large(make_database: MakeDatabase) -> AsyncIterator[asyncpg.Connection]:
    """A database whose statistics claim ten million rows a table."""
    async with given.sql(await make_database()) as connection:
        await pretend_to_be_large(connection)
        await connection.execute("set plan_cache_mode = force_generic_plan")
        yield connection


def _flaws(plan: Mapping[str, Any], leading: Mapping[str, str]) -> Iterator[str]:
    """The parts of a plan that read or sort the whole of a growing table."""
    for node, is_limited in nodes(plan):
        kind, relation = node["Node Type"], node.get("Relation Name", "")
        if kind == "Seq Scan" and relation not in SMALL and not relation.startswith("pg_"):
            yield f"reads all of {relation}"
        elif "Sort" in kind and node["Plan Rows"] > _WHOLE:
            yield f"sorts by {', '.join(node['Sort Key'])}"
        elif (index := node.get("Index Name", "")) in leading:
            condition = bare(node.get("Index Cond", ""))
            is_page = is_limited or node["Plan Rows"] <= _WHOLE
            if leading[index] not in condition if condition else not is_page:
                yield f"reads all of the index {index}"


async def test_no_statement_reads_a_whole_table(large: asyncpg.Connection) -> None:
    leading = await leading_columns(large)
    found = {}
    for name, statement in statements().items():
        plan = await generic_plan(large, statement)
        if flaws := list(_flaws(plan, leading)):
            found[name] = flaws

    unexpected = {name: flaws for name, flaws in found.items() if name not in WHOLE_TABLES}
    assert unexpected == {}
    assert WHOLE_TABLES.keys() - found.keys() == set()
