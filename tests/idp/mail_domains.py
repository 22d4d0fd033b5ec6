"""Calls that tests of mail domains make."""

from collections.abc import Awaitable
from typing import Any
from uuid import uuid4

from google.protobuf.field_mask_pb2 import FieldMask

from keystead.idp.v1 import mail_domain_service_pb2 as pb
from keystead.signin.v1 import signin_service_pb2 as signin_pb
from tests.support.dns_server import Zone
from tests.support.given import Client


def unused() -> str:
    return f"{uuid4().hex}.example"


def create(
    client: Client, domain: str = "", **fields: Any
) -> Awaitable[pb.CreateMailDomainResponse]:
    request = pb.CreateMailDomainRequest(domain=domain or unused(), **fields)
    return client.call(client.mail_domains.CreateMailDomain, request)


def verify(client: Client, mail_domain_id: str) -> Awaitable[pb.VerifyMailDomainResponse]:
    request = pb.VerifyMailDomainRequest(mail_domain_id=mail_domain_id)
    return client.call(client.mail_domains.VerifyMailDomain, request)


def patch(
    client: Client, mail_domain_id: str, **fields: Any
) -> Awaitable[pb.PatchMailDomainResponse]:
    request = pb.PatchMailDomainRequest(
        mail_domain=pb.MailDomain(mail_domain_id=mail_domain_id, **fields),
        update_mask=FieldMask(paths=list(fields)),
    )
    return client.call(client.mail_domains.PatchMailDomain, request)


def remove(client: Client, mail_domain_id: str) -> Awaitable[pb.RemoveMailDomainResponse]:
    request = pb.RemoveMailDomainRequest(mail_domain_id=mail_domain_id)
    return client.call(client.mail_domains.RemoveMailDomain, request)


async def get(client: Client, mail_domain_id: str) -> pb.MailDomain:
    request = pb.GetMailDomainRequest(mail_domain_id=mail_domain_id)
    return (await client.call(client.mail_domains.GetMailDomain, request)).mail_domain


async def list_all(client: Client) -> list[pb.MailDomain]:
    request = pb.ListMailDomainsRequest()
    return list((await client.call(client.mail_domains.ListMailDomains, request)).mail_domains)


async def prove(client: Client, zone: Zone, domain: str = "", **fields: Any) -> str:
    """A proven mail domain's id. The record of an earlier proof is gone."""
    created = await create(client, domain, **fields)
    zone.publish(created.record_name, created.record_value)
    await verify(client, created.mail_domain_id)
    return created.mail_domain_id


async def discover(client: Client, domain: str) -> tuple[str, str]:
    """The organization and the provider of a domain."""
    request = signin_pb.GetSignInDomainRequest(domain=domain)
    found = await client.call(client.sign_ins.GetSignInDomain, request)
    return found.org_id, found.idp.idp_id
