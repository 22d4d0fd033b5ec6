"""SQL with named parameters, compiled once at import to the numbered ones of PostgreSQL.

`:user_id` becomes `$1` wherever it stands in the text. A cast (`::text`) and a colon within quotes
stay as they are. A fragment is plain text until a whole statement is made of it.
"""

import re
from collections.abc import Callable, Mapping
from operator import itemgetter

_PARAMETER_OR_QUOTED = re.compile(r"'[^']*'|(?<![:\w]):(?P<name>[a-z][a-z_0-9]*)")


class Statement:
    """A statement as PostgreSQL takes it, and the names of its parameters in their order."""

    __slots__ = ("_pick", "names", "sql")

    def __init__(self, sql: str, names: tuple[str, ...]) -> None:
        self.sql = sql
        self.names = names
        self._pick = _picker(names)

    def arguments(self, values: Mapping[str, object]) -> tuple[object, ...]:
        """The values in the order of the parameters.

        TypeError unless `values` has exactly the names of the parameters.
        """
        if len(values) == len(self.names):
            try:
                return self._pick(values)
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


def _picker(names: tuple[str, ...]) -> Callable[[Mapping[str, object]], tuple[object, ...]]:
    """Gives the values of the names as a tuple, in the order of the names."""
    match names:
        case ():
            return lambda _values: ()
        case (name,):
            return lambda values: (values[name],)
        case _:
            return itemgetter(*names)
