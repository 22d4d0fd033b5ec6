"""Named parameters become numbered ones; the rest of a statement stays unchanged."""

import re
from pathlib import Path

import pytest

import server
from server.store.statement import statement


def test_each_name_has_one_number_wherever_it_stands() -> None:
    compiled = statement("select :user_id, :after where id = :user_id limit :limit")
    assert compiled.sql == "select $1, $2 where id = $1 limit $3"
    assert compiled.names == ("user_id", "after", "limit")


@pytest.mark.parametrize(
    "sql",
    [
        "select id::text from users",
        "select owner || ':name' || ':'",
        "select array[1:2]",
        "select 1",
    ],
)
def test_casts_quotes_and_slices_stay(sql: str) -> None:
    assert statement(sql).sql == sql
    assert statement(sql).names == ()


def test_a_parameter_can_have_a_cast() -> None:
    assert statement("select :payload::jsonb").sql == "select $1::jsonb"


def test_arguments_are_in_the_order_of_the_parameters() -> None:
    compiled = statement("select :b, :a")
    assert compiled.arguments({"a": 1, "b": 2}) == (2, 1)


@pytest.mark.parametrize("values", [{}, {"a": 1, "b": 2}, {"b": 1}])
def test_values_must_have_exactly_the_names_of_the_parameters(values: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="the parameters are"):
        statement("select :a").arguments(values)


def test_no_statement_of_the_server_has_a_numbered_parameter() -> None:
    numbered = {
        f"{path.name}: {line.strip()}"
        for path in Path(server.__file__).parent.rglob("*.py")
        if path.name != "statement.py"
        for line in path.read_text().splitlines()
        if re.search(r"\$\d", line)
    }

    assert numbered == set()
