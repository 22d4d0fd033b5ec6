"""Interruptions, and changes of others while a file is applied."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from keystead.group.v1 import group_service_pb2 as group_pb
from server.cli.configuration.client import Api
from tests.configuration.files import Configured, configured
from tests.configuration.test_apply import WHOLE
from tests.support.given import Client, Instance

Call = Callable[..., Awaitable[Any]]


class KilledError(Exception):
    """The process is gone: no further call is made."""


@pytest.mark.parametrize("last", range(10, 80, 10))
async def test_a_run_that_is_killed_is_completed_by_the_next_one(
    org: Configured, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    call: Call = Api.send

    async def until_killed(api: Api, *args: Any) -> Any:
        if api.calls >= last:
            raise KilledError
        return await call(api, *args)

    with monkeypatch.context() as patched:
        patched.setattr(Api, "send", until_killed)
        try:
            await org.apply(WHOLE)
        except KilledError:
            await asyncio.sleep(0.1)  # the other calls have ended, too
    finished = await org.apply(WHOLE)

    assert finished.succeeded, finished.errors
    assert await org.paths(WHOLE, prunes=True) == []


@pytest.mark.parametrize("answer", range(3))
async def test_a_change_whose_answer_is_lost_is_made_once(
    org: Configured, monkeypatch: pytest.MonkeyPatch, answer: int
) -> None:
    call: Call = Api.send
    lost = 0

    async def losing(api: Api, method: Any, request: Any, headers: Any) -> Any:
        nonlocal lost
        found = await call(api, method, request, headers)
        if method.name.startswith(("Create", "Patch")) and "x-validate-only" not in headers:
            lost += 1
            if lost % 3 == answer:
                raise httpx2.RemoteProtocolError("the connection is closed")
        return found

    await org.apply({"groups": {"a": {"display_name": "before"}}})
    monkeypatch.setattr(Api, "send", losing)
    finished = await org.apply(
        WHOLE | {"groups": {"a": {"display_name": "after"}, "engineering": None}}
    )

    assert finished.succeeded, finished.errors
    applications = (await org.export())["applications"]
    assert sorted(applications) == ["Grafana", "ci"]


async def test_two_runs_at_once_end_with_one_object_of_each(
    instance: Instance, org: Configured, owner: Client, admin: Client, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    async with configured(instance, admin, tmp_path / "other", org.org_id) as other:
        await asyncio.gather(org.apply(WHOLE), other.apply(WHOLE), org.apply(WHOLE))

    assert await org.paths(WHOLE, prunes=True) == []


async def test_what_a_run_creates_beside_older_objects_of_the_name_stays(org: Configured) -> None:
    app = {"kind": "APPLICATION_KIND_WEB", "redirect_uris": ["https://a.example/cb"]}
    ids = [uuid4().hex for _ in range(3)]
    await org.apply({"applications": {"Zabbix": app}})
    content = {
        "applications": {
            "Zabbix": {"id": ids[0], **app},
            "Shop": app,
            "Shop (1)": {"id": ids[1], "name": "Shop", **app},
            "Shop (2)": {"id": ids[2], "name": "Shop", **app},
        }
    }

    done = await org.apply(content)

    assert (done.succeeded, done.errors) == (True, "4 objects changed.\n")
    assert await org.paths(content) == []
    assert len((await org.export())["applications"]) == 5


@pytest.mark.parametrize("other_is_older", [True, False])
async def test_a_double_is_removed_and_told_and_the_difference_ends_with_1(
    org: Configured, monkeypatch: pytest.MonkeyPatch, *, other_is_older: bool
) -> None:
    call: Call = Api.send

    async def created_twice(api: Api, method: Any, request: Any, headers: Any) -> Any:
        if method.name != "CreateApplication" or "x-validate-only" in headers:
            return await call(api, method, request, headers)
        monkeypatch.setattr(Api, "send", call)
        other = type(request)()
        other.CopyFrom(request)
        other.application.redirect_uris[:] = ["https://other.example/cb"]
        own = (request, headers)
        foreign = (other, {**headers, "x-idempotency-key": "other"})
        ordered = (foreign, own) if other_is_older else (own, foreign)
        answers = [await call(api, method, *each) for each in ordered]
        return answers[ordered.index(own)]

    app = {"kind": "APPLICATION_KIND_WEB", "redirect_uris": ["https://a.example/cb"]}
    monkeypatch.setattr("server.cli.configuration.apply._SECONDS_BETWEEN_READS", 0)
    monkeypatch.setattr(Api, "send", created_twice)
    done = await org.apply({"applications": {"Shop": app}})

    assert (done.succeeded, "applications.Shop: somebody else created" in done.errors) == (
        False,
        True,
    )
    [left] = (await org.export())["applications"].values()
    assert left["redirect_uris"] == ["https://other.example/cb"]


async def test_an_edit_meanwhile_is_kept_and_shown(
    org: Configured, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    await org.apply({"groups": {"a": {"display_name": "before"}, "b": {"display_name": "same"}}})
    call: Call = Api.send

    async def edited_before(api: Api, method: Any, request: Any, headers: Any) -> Any:
        if method.name == "PatchGroup" and "x-validate-only" not in headers:
            monkeypatch.setattr(Api, "send", call)
            await _rename(owner, request.group.group_id, "by hand")
        return await call(api, method, request, headers)

    monkeypatch.setattr(Api, "send", edited_before)
    finished = await org.apply({"groups": {"a": {"display_name": "after"}}})

    assert not finished.succeeded
    assert "CONFLICT: groups.a" in finished.errors
    assert 'display_name: "by hand" -> "after"' in finished.errors
    assert (await org.export())["groups"]["a"] == {"display_name": "by hand"}


async def _rename(owner: Client, group_id: str, name: str) -> None:
    group = group_pb.Group(group_id=group_id, display_name=name)
    mask = FieldMask(paths=["display_name"])
    await owner.call(
        owner.groups.PatchGroup, group_pb.PatchGroupRequest(group=group, update_mask=mask)
    )
