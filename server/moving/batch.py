"""The users of a call of ImportUsers, until each is the same as before, refused, or importable."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from server.moving.imported import ImportedUser
from server.validation.confusables import skeleton_digests
from server.validation.fields import case_folded
from server.values.errors import Violation

_MAX_WRONG_FIELDS: Final = 100


class Candidate:
    """A user whose fields are valid, and its place in the request."""

    def __init__(self, place: int, user: ImportedUser, digest: bytes) -> None:
        self.place, self.user, self.digest = place, user, digest

    @cached_property
    def name_claim(self) -> str:
        """The name in the form in which names are unique."""
        return case_folded(self.user.user_name)

    @cached_property
    def groups(self) -> Mapping[str, str]:
        """The fields that name groups, by ID or by name."""
        user = self.user
        given = {f"groups.{n}": name for n, name in enumerate(user.groups)}
        return given | {
            f"idpLinks.{place}.groups.{n}": name
            for place, link in enumerate(user.idp_links)
            for n, name in enumerate(link.groups)
        }

    @cached_property
    def skeletons(self) -> tuple[str, ...]:
        """Digests that names which look alike have in common."""
        return skeleton_digests(self.user.user_name)


class Batch:
    """Candidates by their place, and every wrong field of those that are refused."""

    def __init__(self) -> None:
        self._candidates: dict[int, Candidate] = {}
        self._wrong: defaultdict[int, list[Violation]] = defaultdict(list)

    def add(self, candidate: Candidate) -> None:
        """Adds a user whose fields are valid."""
        self._candidates[candidate.place] = candidate

    def refuse(self, place: int, *wrong: Violation) -> None:
        """Notes wrong fields of the user at a place."""
        self._wrong[place].extend(wrong)

    def check(self, place: int, field: str, problem: str) -> None:
        """Notes a wrong field, if there is a problem."""
        if problem:
            self.refuse(place, Violation(field, problem))

    def settle(self, candidate: Candidate) -> None:
        """Takes away a user that was imported before."""
        del self._candidates[candidate.place]

    def candidates(self) -> Sequence[Candidate]:
        """The users that may be imported, in the order of the request, also those refused since."""
        return list(self._candidates.values())

    def importable(self) -> Iterator[Candidate]:
        """The users without a wrong field."""
        return (each for each in self._candidates.values() if each.place not in self._wrong)

    def wrong_fields(self, place: int) -> Sequence[Violation]:
        """The wrong fields of a user, the first of very many; none if it is imported."""
        return self._wrong.get(place, [])[:_MAX_WRONG_FIELDS]
