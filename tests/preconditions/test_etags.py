"""`if-match` is a condition of every change; every answer with one object has its `etag`."""

import asyncio
from typing import Any

import asyncpg
import grpc
import httpx2
import pytest
from google.api import annotations_pb2

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import oidc_config_service_pb2 as oidc_pb
from server.rpc.preconditions.changes import sequence_of
from server.wiring.services import OBJECTS
from tests.hostile.target import Target, Victim
from tests.idp import calls, oidc_calls
from tests.preconditions.asking import ask
from tests.preconditions.conftest import CHANGES, DOORS
from tests.support import given
from tests.support.transports import Call, Transports, authorization

# The methods for one object by GET, by path, with the way to read its sequence.
READS = {
    path: (method, sequence)
    for method in given.METHODS
    if (path := method.GetOptions().Extensions[annotations_pb2.http].get)
    and (sequence := sequence_of(method.output_type)) is not None
}
# The first declared change of each object.
CHANGED_BY = {
    path: name
    for path, lock in OBJECTS.items()
    for name, (_, change) in reversed(CHANGES.items())
    if change.lock is lock
}


def test_every_object_that_is_read_can_be_demanded() -> None:
    """The table above knows every path of GET for one object, or another path of that object."""
    assert READS.keys() - {"/v1/users/me"} <= OBJECTS.keys()


@pytest.mark.parametrize("path", [path for path in READS if path in CHANGED_BY])
async def test_the_sequence_that_is_compared_is_the_one_that_is_read(
    target: Target, transports: Transports, path: str
) -> None:
    victim = await target.victim()
    # The last change was that of its settings, which have another sequence.
    await calls.update(target.admin, victim.names("")["idp_id"], name="Renamed")
    reading, sequence = READS[path]
    token = victim.caller_of(reading).token
    request = victim.right_request(reading)
    read = await transports.json.answer(Call(reading, request, authorization(token)))

    changing = await ask(transports, "JSON", victim, CHANGED_BY[path], ("if-match", '"1"'))

    assert changing.refusal.metadata == {"sequence": str(sequence(read.response))}


@pytest.mark.parametrize("door", DOORS)
async def test_any_object_that_exists_matches_a_star(
    target: Target, transports: Transports, door: str
) -> None:
    victim = await target.victim()

    first = await ask(transports, door, victim, "RemoveIDP", ("if-match", "*"))
    second = await ask(transports, door, victim, "RemoveIDP", ("if-match", "*"))

    assert first.code is grpc.StatusCode.OK
    assert second.refusal.reason == "IDP_NOT_FOUND"


async def test_a_weak_etag_never_matches(
    target: Target, transports: Transports, untouched: Victim
) -> None:
    idp = await calls.get(target.admin, untouched.names("")["idp_id"])
    weak = f'W/"{idp.details.sequence}"'

    refused = (await ask(transports, "gRPC", untouched, "RemoveIDP", ("if-match", weak))).refusal

    assert refused.reason == "ETAG_MISMATCH"


async def test_of_many_that_saw_the_same_object_one_changes_it(target: Target) -> None:
    added = await calls.add(target.admin)
    tag = f'"{added.details.sequence}"'

    async def rename(name: str) -> str:
        request = idp_pb.UpdateIDPRequest(idp_id=added.idp_id, name=name)
        call = target.admin.call(target.admin.idps.UpdateIDP, request, timeout=30, if_match=tag)
        try:
            await call
        except grpc.aio.AioRpcError as error:
            return given.read_refusal(error).reason
        return "renamed"

    outcomes = await asyncio.gather(*(rename(f"Name {n}") for n in range(50)))

    assert sorted(set(outcomes)) == ["ETAG_MISMATCH", "renamed"]
    assert outcomes.count("renamed") == 1


async def test_json_answers_with_the_etag_of_the_object_and_412(target: Target) -> None:
    added = await calls.add(target.admin)
    headers = {"authorization": f"Bearer {target.admin.token}"}
    path = f"/v1/idps/{added.idp_id}"

    read = await target.http.get(path, headers=headers)
    changed = await _patch(target.http, path, {**headers, "if-match": read.headers["etag"]})
    late = await _patch(target.http, path, {**headers, "if-match": read.headers["etag"]})
    removed = await target.http.delete(path, headers=headers)

    assert read.headers["etag"] == f'"{added.details.sequence}"'
    assert changed.headers["etag"] == f'"{changed.json()["details"]["sequence"]}"'
    assert late.status_code == 412
    assert "etag" not in late.headers
    assert removed.is_success
    assert "etag" not in removed.headers


async def test_a_trial_has_the_etag_of_an_object_that_it_would_leave_as_it_is(
    target: Target,
) -> None:
    added = await calls.add(target.admin)
    trial = {"authorization": f"Bearer {target.admin.token}", "x-validate-only": "true"}
    path = f"/v1/idps/{added.idp_id}"

    different = await _patch(target.http, path, trial)
    await _patch(target.http, path, {"authorization": trial["authorization"]})
    same = await _patch(target.http, path, trial)
    created = await target.http.post("/v1/idps", headers=trial, json={"name": "New"})

    assert "etag" not in different.headers
    assert "etag" not in created.headers
    read = await target.http.get(path, headers=trial)
    assert (same.headers["etag"], same.json()) == (read.headers["etag"], {})


async def _patch(http: httpx2.AsyncClient, path: str, headers: dict[str, str]) -> Any:
    return await http.patch(
        path, headers=headers, json={"idp": {"autoRegister": True}, "updateMask": "autoRegister"}
    )


async def test_grpc_answers_with_the_etag_in_the_trailing_metadata(target: Target) -> None:
    added = await calls.add(target.admin)

    call = target.admin.call(target.admin.idps.GetIDP, idp_pb.GetIDPRequest(idp_id=added.idp_id))
    await call

    assert dict(await call.trailing_metadata())["etag"] == f'"{added.details.sequence}"'


@pytest.mark.parametrize("path", sorted(OBJECTS))
async def test_the_object_is_locked_by_the_comparison(
    target: Target, database: asyncpg.Connection, path: str
) -> None:
    victim, lock = await target.victim(), OBJECTS[path]
    organization_id = await database.fetchval(
        "select owner from idps where id = $1", victim.names("")["idp_id"]
    )
    if path in ("/v1/smtp", "/v1/mailTexts/{mail_text_id}"):  # that of the instance
        organization_id = ""
    arguments = lock.arguments(
        {
            name: value
            for name, value in {**victim.names(""), "organization_id": organization_id}.items()
            if name in lock.names
        }
    )
    async with given.sql(target.instance.dsn) as other, database.transaction():
        assert await database.fetchrow(lock.sql, *arguments)
        await other.execute("set lock_timeout = '100ms'")

        with pytest.raises(asyncpg.LockNotAvailableError):
            await other.fetchrow(lock.sql, *arguments)


async def test_a_change_that_is_being_committed_counts(
    target: Target, database: asyncpg.Connection
) -> None:
    added = await calls.add(target.admin)
    request = idp_pb.UpdateIDPRequest(idp_id=added.idp_id, name="Late")
    tag = f'"{added.details.sequence}"'
    async with given.locked_idp(target.instance.dsn, added.idp_id) as first:
        call = target.admin.call(target.admin.idps.UpdateIDP, request, timeout=30, if_match=tag)
        refusal = asyncio.ensure_future(given.refusal(call))
        await given.waiting_for_a_lock(database)
        await first.execute("update idps set sequence = sequence + 1 where id = $1", added.idp_id)

    assert (await refusal).reason == "ETAG_MISMATCH"


async def test_a_change_that_would_make_its_object_is_refused_where_it_must_exist(
    target: Target,
) -> None:
    admin, idp_id = target.admin, await given.idp(target.admin)
    request = oidc_pb.SetOIDCConfigRequest(idp_id=idp_id, **oidc_calls.FIELDS)

    refused = await given.refusal(
        admin.call(admin.oidc_configs.SetOIDCConfig, request, if_match="*")
    )

    assert (refused.code, refused.reason) == (grpc.StatusCode.ABORTED, "ETAG_MISMATCH")
    assert (await given.refusal(oidc_calls.remove(admin, idp_id))).code is (
        grpc.StatusCode.NOT_FOUND
    )
