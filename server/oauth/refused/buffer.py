"""Refusals that are not written yet, of at most two seconds."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

from server.oauth.refused.store import MAX_REQUEST_IDS, MAX_VALUES, KeptRefusal

# Reasons of applications. Each has at most `MAX_VALUES` rows.
MAX_REASONS: Final = 1000
_Reason: TypeAlias = tuple[str, str, str]
_Value: TypeAlias = tuple[str, str]


class RefusalBuffer:
    """Gathers refusals by application, endpoint and reason."""

    def __init__(self) -> None:
        self._rows: dict[_Reason, dict[_Value, KeptRefusal]] = {}

    def add(self, refusal: KeptRefusal) -> None:
        """Adds a refusal. Displaces those of the application with the most reasons."""
        reason = refusal.application_id, refusal.endpoint, refusal.reason
        rows = self._rows.setdefault(reason, {})
        value = refusal.parameter, refusal.value
        if (known := rows.get(value)) is not None:
            refusal.count += known.count
            refusal.request_ids = [*refusal.request_ids, *known.request_ids][:MAX_REQUEST_IDS]
        elif len(rows) == MAX_VALUES:
            # The first one of the least frequent.
            del rows[min(rows, key=lambda each: rows[each].count)]
        rows[value] = refusal
        if len(self._rows) > MAX_REASONS:
            [(most, _)] = Counter(each[0] for each in self._rows).most_common(1)
            del self._rows[next(each for each in self._rows if each[0] == most)]

    def take(self) -> Sequence[KeptRefusal]:
        """Empties the buffer; returns its rows."""
        rows, self._rows = self._rows, {}
        return [each for of_reason in rows.values() for each in of_reason.values()]
