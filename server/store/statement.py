"""SQL with named parameters, compiled once at import to the numbered ones of PostgreSQL.

`:user_id` becomes `$1` wherever it stands in the text. A cast (`::text`) and a colon within quotes
stay as they are. A fragment is plain text until a whole statement is made of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PARAMETER_OR_QUOTED = re.compile(r"'[^']*'|(?<![:\w]):(?P<name>[a-z][a-z_0-9]*)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as PostgreSQL takes it, and the names of its parameters in their order."""

    sql: str
    names: tuple[str, ...]

    def arguments(self, values: Mapping[str, object]) -> list[object]:
        """The values in the order of the parameters.

        TypeError unless `values` has exactly the names of the parameters.
        """
        if len(values) != len(self.names) or not all(name in values for name in self.names):
            raise TypeError(f"the parameters are {sorted(self.names)}, not {sorted(values)}")
        return [values[name] for name in self.names]


def statement(sql: str) -> Statement:
    """Compiles SQL with named parameters. Called at import."""
    names: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        name = match["name"]
        return match[0] if name is None else f"${names.setdefault(name, len(names) + 1)}"

    compiled = _PARAMETER_OR_QUOTED.sub(numbered, sql)
    return Statement(compiled, tuple(names))
