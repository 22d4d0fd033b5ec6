"""The own texts that mails have: those of an organization, with those of the instance beneath."""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from server.mail.outbox import MailKind
from server.mail.own_words import FIELDS, OwnWords, key_of, parts_of, text_id, usable
from server.org.mail_texts import store
from server.org.mail_texts.commands import SetMailText
from server.org.mail_texts.store import MailText
from server.store.database import Database, Statements
from server.values.cache import Cache

_CACHED_SECONDS = 5.0
# Organizations with languages. A value has at most 30,000 characters, and is mostly empty.
_MOST_CACHED = 500


async def find_own_words(database: Statements, organization_id: str, language: str) -> OwnWords:
    """The own words of an organization over those of the instance, or of the instance (empty)."""
    return await _merged(partial(_read, database), organization_id, language)


def words_of(texts: Iterable[MailText | SetMailText]) -> OwnWords:
    """The fields that own texts replace."""
    return {
        key_of(kind, name): getattr(each, name)
        for each in texts
        for kind, _ in [parts_of(each.mail_text_id)]
        for name in FIELDS
        if usable(kind, name, getattr(each, name))
    }


class OwnMailWords:
    """The own words in this process, at most five seconds old."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reads: Cache[tuple[str, str], OwnWords] = Cache(_MOST_CACHED)

    async def of(self, organization_id: str, language: str) -> OwnWords:
        """As `find_own_words`. `Failure` UNAVAILABLE."""
        return await _merged(self._get, organization_id, language)

    def forget(self, organization_id: str, language: str) -> None:
        """Lets the next `of` read the texts again."""
        self._reads.forget((organization_id, language))

    async def _get(self, organization_id: str, language: str) -> OwnWords:
        read = partial(_read, self._database, organization_id, language)
        return await self._reads.get((organization_id, language), read, seconds=_CACHED_SECONDS)


async def _merged(
    read: Callable[[str, str], Awaitable[OwnWords]], organization_id: str, language: str
) -> OwnWords:
    found = await read("", language)
    return {**found, **await read(organization_id, language)} if organization_id else found


async def _read(database: Statements, organization_id: str, language: str) -> OwnWords:
    ids = [text_id(kind, language) for kind in MailKind]
    found = await store.LIST_SOME.all(database, organization_id=organization_id, mail_text_ids=ids)
    return words_of(found)
