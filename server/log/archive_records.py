"""The records of archives, and their comparison with the checkpoints (decision 3).

The rule: write access to the database is not enough to make removed events look archived. A record
has a message authentication code under the key of the checkpoints, and its digest is compared with
theirs.
"""

import bisect
import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence

from server.log.archive_store import Archive, absent

# No checkpoint begins like this (`checkpoints._HEADER`), so one cannot pass for an archive.
_DOMAIN = b"keystead event archive"


def mac_of(key: bytes, archive: Archive) -> bytes:
    """The message authentication code of a record (HMAC-SHA-256, RFC 2104)."""
    values = (
        archive.number,
        archive.partition.first_sequence,
        archive.partition.until_sequence,
        archive.event_count,
        archive.ranges,
        archive.digest.hex(),
        archive.file_name,
        archive.archived_at.isoformat(),
    )
    return hmac.digest(key, _DOMAIN + json.dumps(values).encode(), "sha256")


def is_authentic(key: bytes, archive: Archive) -> bool:
    """Whether the record was made with the key."""
    return hmac.compare_digest(mac_of(key, archive), archive.mac)


class Coverage:
    """Compares the records of archives with the digests of checkpoints.

    `archives` are those whose events are in files only, without records that were forged.
    """

    def __init__(self, key: bytes, archives: Sequence[Archive]) -> None:
        self._forged = [each for each in archives if not is_authentic(key, each)]
        self.archives = absent([each for each in archives if each not in self._forged])
        self._digests = {each.number: hashlib.sha256() for each in self.archives}
        self._ranges = sorted(
            (first, until, each.number) for each in self.archives for first, until in each.ranges
        )

    def has(self, position: int, digest: bytes) -> bool:
        """Whether the event at a position is archived. Positions come in ascending order."""
        place = bisect.bisect_right(self._ranges, (position, 2**63, 0)) - 1
        if place < 0 or position >= self._ranges[place][1]:
            return False
        self._digests[self._ranges[place][2]].update(digest)
        return True

    def is_proven(self, archive: Archive) -> bool:
        """Whether the checkpoints cover exactly its events, once all checkpoints are read."""
        return hmac.compare_digest(self._digests[archive.number].digest(), archive.digest)

    def problems(self) -> Iterator[str]:
        """A sentence for each record that is wrong, once all checkpoints are read."""
        for archive in self._forged:
            yield (
                f"The record of the archive {archive.number} ({archive.file_name}) was changed or"
                " inserted: it proves nothing."
            )
        for archive in self.archives:
            if not self.is_proven(archive):
                yield (
                    f"The archive {archive.number} ({archive.file_name}) does not have the events"
                    " that the checkpoints cover."
                )
