"""PatchIDP changes only the fields that the mask names."""

import asyncio

import asyncpg
import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from tests.idp import calls
from tests.support import given
from tests.support.given import Client

_ADDED = {"name": "Added", "styling_type": pb.STYLING_TYPE_PROVIDER, "auto_register": True}
_EMPTY = pb.STYLING_TYPE_UNSPECIFIED


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (["name"], ("Patched", pb.STYLING_TYPE_PROVIDER, True)),
        (["styling_type"], ("Added", _EMPTY, True)),
        (["auto_register"], ("Added", pb.STYLING_TYPE_PROVIDER, False)),
        (["auto_register", "name"], ("Patched", pb.STYLING_TYPE_PROVIDER, False)),
        (["name", "name"], ("Patched", pb.STYLING_TYPE_PROVIDER, True)),
        (["*"], ("Patched", _EMPTY, False)),
        (["*", "name"], ("Patched", _EMPTY, False)),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, list) else "",
)
async def test_only_the_fields_of_the_mask_change(
    admin: Client, mask: list[str], expected: tuple[str, int, bool]
) -> None:
    idp_id = await given.idp(admin, **_ADDED)

    await calls.patch(admin, idp_id, mask, name="Patched")

    assert await calls.fields(admin, idp_id) == expected


async def test_a_field_outside_the_mask_may_be_anything(admin: Client) -> None:
    idp_id = await given.idp(admin, **_ADDED)

    await calls.patch(admin, idp_id, ["auto_register"], name="x" * 201, styling_type=9)

    assert await calls.fields(admin, idp_id) == ("Added", pb.STYLING_TYPE_PROVIDER, False)


@pytest.mark.parametrize(
    ("mask", "named"),
    [
        ([], []),
        (["nope"], ["nope"]),
        ([""], ["''"]),
        (["idp_id"], ["idp_id"]),
        (["details"], ["details"]),
        (["details.sequence"], ["details.sequence"]),
        (["idp.name"], ["idp.name"]),
        (["stylingType"], ["stylingType"]),
        (["Name"], ["Name"]),
        (["name", "idp.name", "details", "nope"], ["idp.name", "details", "nope"]),
        (["*", "nope"], ["nope"]),
    ],
    ids=str,
)
async def test_paths_that_cannot_be_changed_are_all_named(
    admin: Client, mask: list[str], named: list[str]
) -> None:
    idp_id = await given.idp(admin, **_ADDED)

    refused = await given.refusal(calls.patch(admin, idp_id, mask, name="Patched"))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"updateMask"}
    assert all(path in refused.violations["updateMask"] for path in named)
    assert await calls.fields(admin, idp_id) == ("Added", pb.STYLING_TYPE_PROVIDER, True)


async def test_an_endless_mask_is_not_echoed_in_full(admin: Client) -> None:
    refused = await given.refusal(calls.patch(admin, "some", ["x" * 1_000_000]))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert len(refused.violations["updateMask"]) < 400


async def test_a_mask_has_at_most_a_hundred_paths(admin: Client) -> None:
    idp_id = await given.idp(admin)
    await calls.patch(admin, idp_id, ["name"] * 100, name="Patched")

    refused = await given.refusal(calls.patch(admin, idp_id, ["name"] * 101, name="Too many"))

    assert refused.violations == {"updateMask": "must not have more than 100 paths"}
    assert (await calls.fields(admin, idp_id))[0] == "Patched"


async def test_wrong_values_and_a_wrong_mask_are_named_together(admin: Client) -> None:
    refused = await given.refusal(
        calls.patch(admin, "", ["name", "styling_type", "nope"], styling_type=5)
    )

    assert refused.violations.keys() == {
        "idp.idpId",
        "idp.name",
        "idp.stylingType",
        "updateMask",
    }


async def test_a_patch_that_changes_nothing_adds_no_event_and_returns_the_details_as_they_were(
    admin: Client, sql: asyncpg.Connection
) -> None:
    added = await calls.add(admin, **_ADDED)

    patched = await calls.patch(admin, added.idp_id, ["*"], **_ADDED)

    assert patched.details == added.details
    assert len(await given.logged(sql, added.idp_id)) == 1


async def test_an_event_holds_only_what_was_patched(admin: Client, sql: asyncpg.Connection) -> None:
    idp_id = await given.idp(admin, **_ADDED)

    await calls.patch(admin, idp_id, ["auto_register"])

    assert (await given.logged(sql, idp_id))[-1]["payload"] == {"auto_register": False}


async def test_concurrent_patches_of_different_fields_lose_nothing(admin: Client) -> None:
    idp_ids = [await given.idp(admin) for _ in range(20)]

    await asyncio.gather(
        *(
            patch
            for idp_id in idp_ids
            for patch in (
                calls.patch(admin, idp_id, ["name"], name="Patched"),
                calls.patch(admin, idp_id, ["styling_type"], styling_type=1),
                calls.patch(admin, idp_id, ["auto_register"], auto_register=True),
            )
        )
    )

    read = [await calls.fields(admin, idp_id) for idp_id in idp_ids]
    assert read == [("Patched", pb.STYLING_TYPE_PROVIDER, True)] * 20
