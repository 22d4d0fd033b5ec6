"""Thousands of credentials for one server, and the log lines of their calls."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import cbor2
import grpc

from tests.hostile.target import FAULTS, Target
from tests.passkey.attacks import REASONS, mutations
from tests.passkey.ceremonies import ORIGIN, Begun, begin, remove
from tests.passkey.credentials import data_of
from tests.support import given
from tests.support.given import Client

# The permitted results of a call: the reasons of a refusal, or success.
OUTCOMES = REASONS | {"INVALID_FIELDS", "verified", "inexpressible"}
LIMIT_MILLISECONDS = 50.0

_VERIFY = "/keystead.passkey.v1.PasskeyService/VerifyPasskeyRegistration"
_BATCH = 500
_LOG_SECONDS = 30
_LOG_POLL_SECONDS = 0.005
_REPETITIONS = 3
# The largest attestation object that fits into a request.
_LARGEST = 700_000

Credential = dict[str, Any]

# The parts of a credential for every place in it that is CBOR.
PLACES: dict[str, Callable[[bytes], dict[str, Any]]] = {
    "as the attestation object": lambda attack: {"attestation_object": attack},
    "inside the statement": lambda attack: {
        "attestation_object": b"\xa3\x63fmt\x64none\x67attStmt\xa1\x61x"
        + attack
        + b"\x68authData\x40"
    },
    "as the public key": lambda attack: {"public_key": attack},
    "inside the public key": lambda attack: {"public_key": b"\xa1\x01" + attack},
    "inside the extensions": lambda attack: {
        "data": data_of(extensions={})[:-1] + b"\xa1\x61x" + attack
    },
}


@dataclass
class Results:
    """The number of calls by reason, and the duration of each in the server."""

    outcomes: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    slow_once: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def violations(self) -> Sequence[str]:
        """Results that must not occur."""
        return [*self.faults, *self.slow]

    def quantile(self, share: float) -> float:
        """The duration that this share of the calls does not exceed."""
        ordered = sorted(self.milliseconds)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


class Attacker:
    """A user with a ceremony without a maximum number of attempts."""

    def __init__(self, target: Target, rows: asyncpg.Connection, user: Client) -> None:
        self._target = target
        self._rows = rows
        self._user = user
        self._begun: Begun | None = None
        self._unsent: set[str] = set()

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, target: Target) -> AsyncIterator["Attacker"]:
        """A new user, with a connection to its rows."""
        async with given.sql(target.instance.dsn) as rows:
            yield cls(target, rows, await given.user(target.admin))

    async def mutated(self, count: int, seed: int) -> Iterator[Credential]:
        """Begins a ceremony. Returns mutated credentials that answer it."""
        begun = await self.begin()
        return mutations(begun.options, ORIGIN, count, seed)

    async def begin(self) -> Begun:
        """Begins another ceremony."""
        if self._begun:
            await remove(self._user, self._begun.passkey_id)
        self._begun = await begin(self._user)
        await self._rows.execute(
            "update passkey_ceremonies set attempts = -1000000 where passkey_id = $1",
            self._begun.passkey_id,
        )
        return self._begun

    async def send(self, credential: Credential, request_id: str) -> str:
        """The result: a reason, `verified`, or `inexpressible` if no client can send it."""
        assert self._begun
        try:
            request = self._begun.request(credential)
        except UnicodeEncodeError:
            self._unsent.add(request_id)
            return "inexpressible"  # a lone surrogate
        passkeys = self._user.passkeys
        try:
            await self._user.call(
                passkeys.VerifyPasskeyRegistration, request, x_request_id=request_id
            )
        except grpc.aio.AioRpcError as error:
            if error.code() in FAULTS:
                return error.code().name
            return given.read_refusal(error).reason
        await self._take_back(self._begun)
        return "verified"

    async def took(self, request_ids: Collection[str]) -> Mapping[str, float]:
        """The durations of these calls in the log, in milliseconds. All have ended."""
        found = self._target.milliseconds
        expected = {name for name in request_ids if name not in self._unsent}
        async with asyncio.timeout(_LOG_SECONDS):
            while not expected <= found.keys():
                found.update(
                    (line["request_id"], line["milliseconds"])
                    for line in self._target.logged()
                    if line.get("method") == _VERIFY
                )
                await asyncio.sleep(_LOG_POLL_SECONDS)
        return {name: found.pop(name) for name in request_ids if name in expected}

    async def _take_back(self, begun: Begun) -> None:
        """Makes a completed ceremony pending again."""
        await remove(self._user, begun.passkey_id)
        await self._rows.execute(
            "update passkey_ceremonies set verified_at = null where passkey_id = $1",
            begun.passkey_id,
        )


async def send_mutated(target: Target, count: int, *, callers: int, seed: int) -> Results:
    """Sends this number of mutated credentials, from this number of callers at once."""
    results = Results()
    sizes = [min(_BATCH, count - start) for start in range(0, count, _BATCH)]
    async with contextlib.AsyncExitStack() as stack:
        waiting: asyncio.Queue[Attacker] = asyncio.Queue()
        for _ in range(callers):
            waiting.put_nowait(await stack.enter_async_context(Attacker.of(target)))

        async def batch(number: int, size: int) -> None:
            attacker = await waiting.get()
            credentials = await attacker.mutated(size, seed + number)
            named = {f"{number}-{n}": credential for n, credential in enumerate(credentials)}
            await _send(attacker, named, results)
            waiting.put_nowait(attacker)

        async with asyncio.TaskGroup() as batches:
            for number, size in enumerate(sizes):
                batches.create_task(batch(number, size))
    return results


async def send_attacks(
    target: Target, attacks: Mapping[str, bytes], objects: Mapping[str, Credential]
) -> Results:
    """Sends every attack by CBOR at every place, and objects as credentials."""
    results = Results()
    async with Attacker.of(target) as attacker:
        begun = await attacker.begin()
        credentials = {
            f"{attack} {where}": begun.credential(**place(encoded))
            for attack, encoded in attacks.items()
            for where, place in PLACES.items()
        }
        await _send(attacker, {**credentials, **objects}, results)
    return results


async def _send(attacker: Attacker, named: Mapping[str, Credential], results: Results) -> None:
    """Sends credentials one after the other.

    A slow one is sent again, and its fastest call counts: other processes delay the others.
    """
    for name, credential in named.items():
        outcome = await attacker.send(credential, name)
        results.outcomes[outcome] += 1
        if outcome not in OUTCOMES:
            results.faults.append(f"{name}: {outcome}")
    milliseconds = await attacker.took(named)
    results.milliseconds += milliseconds.values()
    for name, taken in milliseconds.items():
        if taken > LIMIT_MILLISECONDS:
            results.slow_once.append(f"{name}: {taken} ms")
            again = [f"{name}, again {n}" for n in range(_REPETITIONS)]
            for request_id in again:
                await attacker.send(named[name], request_id)
            fastest = min((await attacker.took(again)).values())
            if fastest > LIMIT_MILLISECONDS:
                results.slow.append(f"{name}: {fastest} ms at its fastest")


def _head(major: int, argument: int) -> bytes:
    """The head of a CBOR value of this major type, with four bytes for the argument."""
    return bytes([major << 5 | 26]) + argument.to_bytes(4)


# CBOR_ATTACKS in the largest size, and values that expand when they are read.
BOMBS: dict[str, bytes] = {
    "shared references of shared references": b"\xd8\x1c\x82\xd8\x1c\x80\xd8\x1d\x01"
    + b"".join(b"\xd8\x1c\x82\xd8\x1d" + bytes([n % 24, 0xD8, 0x1D, n % 24]) for n in range(100)),
    "fraction of giants": cbor2.dumps(cbor2.CBORTag(30, [2**9000, 3**5000])),
    "tags at full size": b"\xc1" * _LARGEST,
    "deep lists at full size": b"\x81" * _LARGEST,
    "wide list at full size": _head(4, _LARGEST) + b"\x01" * _LARGEST,
    "wide list of empty lists": _head(4, _LARGEST // 2) + b"\x80" * (_LARGEST // 2),
    "text at full size": _head(3, _LARGEST) + b"a" * _LARGEST,
    "bytes at full size": _head(2, _LARGEST) + b"a" * _LARGEST,
    "map of canonical keys": _head(5, _LARGEST // 6)
    + b"".join(b"\x1a" + (n + 2**24).to_bytes(4) + b"\x01" for n in range(_LARGEST // 6)),
    "map of colliding keys at full size": _head(5, _LARGEST // 10)
    + b"".join(
        b"\x1b" + (n * (2**61 - 1) % 2**64).to_bytes(8) + b"\x01" for n in range(_LARGEST // 10)
    ),
}

# Objects of the largest size that are not credentials.
OBJECTS: dict[str, Credential] = {
    "a text at full size": {"id": "A" * 1_048_000},
    "a text beyond the BMP at full size": {"id": "💥" * 1_000_000},
    "too large a text": {"id": "A" * 4_000_000},
    "9,990 numbers": {"id": "x" * 60, "values": [1.0] * 9_990},
    "9,990 texts": {"id": "x" * 60, "values": ["é" * 100] * 9_990},
    "9,990 empty objects": {"id": "x" * 60, **{f"member {n}": {} for n in range(9_990)}},
    "9,990 empty lists": {"id": "x" * 60, "values": [[] for _ in range(9_990)]},
    "too many numbers": {"id": "x" * 60, "values": [1.0] * 200_000},
}
