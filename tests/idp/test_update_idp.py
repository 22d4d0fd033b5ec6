"""UpdateIDP: replaces all fields, in the organization that owns the identity provider."""

import asyncio

import grpc

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from tests import given
from tests.given import Client


async def _added(admin: Client, **fields: object) -> str:
    request = pb.AddIDPRequest(**({"name": "Provider"} | fields))  # type: ignore[arg-type]
    idp_id: str = (await admin.call(admin.idps.AddIDP, request)).idp_id
    return idp_id


async def test_a_field_that_is_not_sent_is_empty_afterwards(admin: Client) -> None:
    idp_id = await _added(admin, styling_type=pb.STYLING_TYPE_PROVIDER, auto_register=True)

    await admin.call(admin.idps.UpdateIDP, pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed"))

    idp = (await admin.call(admin.idps.GetIDP, pb.GetIDPRequest(idp_id=idp_id))).idp
    assert (idp.name, idp.styling_type, idp.auto_register) == ("Renamed", pb.STYLING_TYPE_UNSPECIFIED, False)


async def test_two_hundred_concurrent_updates_are_all_kept_and_numbered_apart(admin: Client) -> None:
    idp_id = await _added(admin)

    updates = await asyncio.gather(
        *(admin.call(admin.idps.UpdateIDP, pb.UpdateIDPRequest(idp_id=idp_id, name=f"Name {n}")) for n in range(200))
    )

    sequences = [update.details.sequence for update in updates]
    assert len(set(sequences)) == 200
    idp = (await admin.call(admin.idps.GetIDP, pb.GetIDPRequest(idp_id=idp_id))).idp
    assert idp.details.sequence == max(sequences)
    assert idp.name == f"Name {sequences.index(max(sequences))}"


async def test_an_unknown_id_is_not_found(admin: Client) -> None:
    refused = await given.refusal(admin.call(admin.idps.UpdateIDP, pb.UpdateIDPRequest(idp_id="nope", name="x")))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.resource == ("idp", "nope")
