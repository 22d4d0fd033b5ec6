"""SQL with named parameters, compiled once at import to the numbered ones of PostgreSQL.

`:user_id` becomes `$1` wherever it stands in the text. A cast (`::text`) and a colon within quotes
stay as they are. A fragment is plain text until a whole statement is made of it.
"""

import re
import sys
from collections.abc import Mapping

_PARAMETER_OR_QUOTED = re.compile(r"'[^']*'|(?<![:\w]):(?P<name>[a-z][a-z_0-9]*)")


class Statement:
    """A statement as PostgreSQL takes it, and the names of its parameters in their order.

    `survives_failure`: its effect is kept if its call only validates and fails (decision 11).
    """

    __slots__ = ("names", "sql", "survives_failure")

    def __init__(self, sql: str, names: tuple[str, ...], *, survives_failure: bool = False) -> None:
        self.sql = sql
        self.names = names
        self.survives_failure = survives_failure

    def arguments(self, values: Mapping[str, object]) -> tuple[object, ...]:
        """The values in the order of the parameters.

        TypeError unless `values` has exactly the names of the parameters.
        """
        if len(values) == len(self.names):
            try:
                return tuple(map(values.__getitem__, self.names))
            except KeyError:
                pass
        raise TypeError(f"the parameters are {sorted(self.names)}, not {sorted(values)}")


def statement(sql: str) -> Statement:
    """Compiles SQL with named parameters. Called at import; its result is kept."""
    names: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        name = match["name"]
        return match[0] if name is None else f"${names.setdefault(name, len(names) + 1)}"

    compiled = _PARAMETER_OR_QUOTED.sub(numbered, sql)
    return Statement(compiled, tuple(names))


def surviving_failure(written: Statement) -> Statement:
    """The same statement, for writes that a failing call makes on purpose: a counted attempt.

    It is executed outside of transactions, and whatever its call wrote before is undone then if the
    call only validates.
    """
    return Statement(written.sql, written.names, survives_failure=True)


def names_of_statements() -> dict[str, str]:
    """The name of each statement of the loaded modules, by its SQL: `org.store._ADD`."""
    return {
        value.sql: f"{module.removeprefix('server.')}.{name}"
        for module, loaded in sorted(sys.modules.items())
        if module.startswith("server.")
        for name, value in vars(loaded).items()
        if isinstance(value, Statement)
    }
