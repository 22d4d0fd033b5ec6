"""WatchEvents sends every event once, and only while the watcher may read it."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import grpc
import pytest

from keystead.event.v1 import event_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.log import feed
from tests.event import calls
from tests.idp import calls as idp_calls
from tests.support import given
from tests.support.given import Client
from tests.support.streams import Watcher
from tests.user import calls as users


class _Watcher(Watcher):
    """A stream of events."""

    async def events(self) -> Sequence[pb.Event]:
        """The events of the next message."""
        return (await self.read()).events

    async def keys(self, number: int) -> list[tuple[int, str]]:
        """The sequence and aggregate ID of the next `number` events."""
        events: list[pb.Event] = []
        while len(events) < number:
            events += await self.events()
        return calls.keys(events)


def _stream(client: Client, *, org_id: str = "", **fields: Any) -> _Watcher:
    headers: dict[str, Any] = {"x_service_orgid": org_id} if org_id else {}
    request = pb.WatchEventsRequest(**fields)
    return _Watcher(client.call(client.events.WatchEvents, request, **headers))


def _watching(
    client: Client, *, after_cursor: str = "", **fields: Any
) -> contextlib.AbstractAsyncContextManager[_Watcher]:
    """A watcher that has read the first message, which contains only the position."""
    return _stream(client, after_cursor=after_cursor, **fields).begun(after_cursor)


async def _owner(admin: Client) -> Client:
    """An owner, the only user of an organization whose events all have their positions."""
    owner = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    async with _watching(owner, after_cursor="0", event_types=["user.token_created"]) as watcher:
        await watcher.keys(1)
    return owner


async def test_a_watcher_is_told_what_a_list_has(admin: Client) -> None:
    owner = await _owner(admin)

    async with _watching(owner) as watcher:
        added = await idp_calls.add(owner)
        [event] = await watcher.events()

    assert [event] == await calls.events(owner, aggregate_id=added.idp_id)
    assert event.payload["name"]


async def test_personal_data_and_hashes_are_withheld(admin: Client) -> None:
    owner = await _owner(admin)

    async with _watching(owner) as watcher:
        await users.create_token(owner, owner.user_id, name="Private")
        [event] = await watcher.events()

    assert list(event.withheld_fields) == ["hash", "name"]
    assert set(event.payload) == {"began_with", "makers", "token_id"}


async def test_a_watcher_resumes_after_any_message(admin: Client) -> None:
    owner = await _owner(admin)
    keys, cursors = [], []
    async with _watching(owner) as watcher:
        cursors.append(watcher.cursor)
        for _ in range(3):
            added = await idp_calls.add(owner)
            keys += await watcher.keys(1)
            assert keys[-1] == (added.details.sequence, added.idp_id)
            cursors.append(watcher.cursor)

    for number, cursor in enumerate(cursors):
        async with _watching(owner, after_cursor=cursor) as resumed:
            assert await resumed.keys(3 - number) == keys[number:]


async def test_a_list_and_a_watch_after_its_position_miss_nothing(admin: Client) -> None:
    owner = await _owner(admin)
    writes = asyncio.create_task(_add_often(owner))
    listed = await calls.pages(owner, event_types=["idp.added"], page_size=3)
    known = calls.keys([event for page in listed for event in page.events])

    watched: list[tuple[int, str]] = []
    async with _watching(
        owner, event_types=["idp.added"], after_cursor=listed[0].cursor
    ) as watcher:
        added = await writes
        while not added <= {*known, *watched}:
            watched += await watcher.keys(1)

    assert len(watched) == len(set(watched))
    assert all(page.cursor == "" for page in listed[1:])


async def _add_often(owner: Client) -> set[tuple[int, str]]:
    added = [await idp_calls.add(owner, name=f"{number}") for number in range(30)]
    return {(each.details.sequence, each.idp_id) for each in added}


async def test_every_condition_must_be_met(admin: Client) -> None:
    owner = await _owner(admin)
    async with _watching(owner) as watcher:
        cursor = watcher.cursor
    first = await idp_calls.add(owner)
    second = await idp_calls.add(owner)
    changed = await idp_calls.update(owner, second.idp_id, name="Renamed")
    last = await idp_calls.add(owner)
    keys = [
        (first.details.sequence, first.idp_id),
        (second.details.sequence, second.idp_id),
        (changed.details.sequence, second.idp_id),
        (last.details.sequence, last.idp_id),
    ]

    async def told(number: int, **fields: Any) -> list[tuple[int, str]]:
        async with _watching(owner, after_cursor=cursor, **fields) as resumed:
            return await resumed.keys(number)

    assert await told(4, aggregate_type="idp", creator=owner.user_id) == keys
    assert await told(2, aggregate_id=second.idp_id) == keys[1:3]
    assert await told(3, event_types=["idp.added"]) == [keys[0], keys[1], keys[3]]
    async with _watching(owner, after_cursor=cursor, creator="operator") as silent:
        await idp_calls.add(owner)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(silent.read(), 2 * feed.PACE_SECONDS)


async def test_what_is_not_wanted_is_silence_that_tells_the_position(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.5)
    owner, other = await _owner(admin), await _owner(admin)

    async with _watching(owner) as watcher:
        before = watcher.cursor
        await idp_calls.add(other)
        while watcher.cursor == before:
            assert not await watcher.events()


class TestWhoSeesWhat:
    async def test_an_owner_is_told_of_its_organization_alone(self, admin: Client) -> None:
        owner, other = await _owner(admin), await _owner(admin)

        async with _watching(owner) as watcher:
            await idp_calls.add(other)
            own = await idp_calls.add(owner)
            assert await watcher.keys(1) == [(own.details.sequence, own.idp_id)]

    async def test_the_instance_owner_selects_any_organization_or_all(self, admin: Client) -> None:
        owner, other = await _owner(admin), await _owner(admin)
        [created] = await calls.events(owner, event_types=["user.token_created"])

        async with (
            _watching(admin, org_id=created.resource_owner) as of_one,
            _watching(admin, all_organizations=True, event_types=["idp.added"]) as of_all,
        ):
            added = [await idp_calls.add(other), await idp_calls.add(owner)]
            keys = [(each.details.sequence, each.idp_id) for each in added]
            assert await of_one.keys(1) == keys[1:]
            told = await of_all.keys(2)

        assert [key for key in told if key in keys] == keys

    async def test_an_owner_selects_no_other_organization(self, admin: Client) -> None:
        owner = await _owner(admin)
        other = await given.organization(admin)

        for watcher in (_stream(owner, org_id=other), _stream(owner, all_organizations=True)):
            assert (await watcher.refusal()).code is grpc.StatusCode.PERMISSION_DENIED

    async def test_one_organization_and_all_contradict_each_other(self, admin: Client) -> None:
        org_id = await given.organization(admin)

        refused = await _stream(admin, org_id=org_id, all_organizations=True).refusal()

        assert refused.violations.keys() == {"allOrganizations"}

    @pytest.mark.parametrize("cursor", ["x", "-1", "1.0", "9" * 20, " 1", "\N{SUPERSCRIPT TWO}"])
    async def test_a_text_that_is_no_cursor_is_refused(self, admin: Client, cursor: str) -> None:
        refused = await _stream(admin, after_cursor=cursor).refusal()

        assert refused.violations == {"afterCursor": "must be the cursor of a message"}

    @pytest.mark.parametrize("cursor", [str(2**60), "9" * 19])
    async def test_a_cursor_that_is_still_to_come_is_refused(
        self, admin: Client, cursor: str
    ) -> None:
        refused = await _stream(admin, after_cursor=cursor).refusal()

        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "SEQUENCE_UNKNOWN"

    @pytest.mark.parametrize(
        "fields",
        [{}, {"all_organizations": True}],
        ids=["of the organization", "of all organizations"],
    )
    async def test_a_stream_ends_within_five_seconds_after_its_right(
        self, admin: Client, fields: dict[str, Any]
    ) -> None:
        """A user that loses its instance role may still read the events of its own organization."""
        lost = user_pb.ROLE_INSTANCE_OWNER if fields else user_pb.ROLE_ORG_OWNER
        watching = await given.user(
            admin, roles=[lost, *([user_pb.ROLE_ORG_OWNER] if fields else [])]
        )

        async with _watching(watching, **fields) as watcher:
            await users.revoke(admin, watching.user_id, lost)

            async with asyncio.timeout(5):
                refused = await watcher.refusal()

        assert refused.code is grpc.StatusCode.PERMISSION_DENIED
