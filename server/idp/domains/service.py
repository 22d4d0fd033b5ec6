"""The RPC methods of mail domains: convert messages, and call commands."""

from functools import partial
from typing import Final

from keystead.idp.v1 import mail_domain_service_pb2 as pb
from keystead.idp.v1 import mail_domain_service_pb2_grpc as pb_grpc
from server.idp.domains import commands, store
from server.idp.domains.commands import LockOrganizationOfDomains
from server.net.txt_records import TXTRecords
from server.rpc.call import AnyCall
from server.rpc.declared import checks_caller
from server.rpc.messages import details_message, nested
from server.rpc.preconditions.changes import Objects
from server.rpc.rate_limits import RateLimit
from server.rpc.update_mask import read_patch
from server.store.database import Database
from server.validation.fields import Commands, read

COMMANDS: Commands = {
    "CreateMailDomain": commands.CreateMailDomain,
    "GetMailDomain": commands.OneMailDomain,
    "ListMailDomains": commands.ListMailDomains,
    "PatchMailDomain": commands.PatchMailDomain,
    "VerifyMailDomain": commands.OneMailDomain,
    "RemoveMailDomain": commands.OneMailDomain,
}

OBJECTS: Objects = {"/v1/mailDomains/{mail_domain_id}": store.LOCK_SEQUENCE}

# As many at once as an organization has domains, then one every five seconds: a look-up of silent
# DNS servers takes five, and organizations share the look-ups of a process.
_VERIFICATIONS: Final = (1 / 5, commands.MAX_DOMAINS)

_mail_domain = partial(nested, pb.MailDomain)


class MailDomainService(pb_grpc.MailDomainServiceServicer):
    """See `keystead/idp/v1/mail_domain_service.proto`.

    `lock_organization` keeps the number of mail domains of an organization.
    """

    def __init__(
        self,
        database: Database,
        *,
        records: TXTRecords,
        lock_organization: LockOrganizationOfDomains,
    ) -> None:
        self._database = database
        self._records = records
        self._lock_organization = lock_organization
        self._verifications = RateLimit(*_VERIFICATIONS)

    @checks_caller
    async def CreateMailDomain(
        self, request: pb.CreateMailDomainRequest, call: AnyCall
    ) -> pb.CreateMailDomainResponse:
        added, details = await commands.add(
            self._database,
            read(commands.CreateMailDomain, request),
            **call.by_caller,
            lock_organization=self._lock_organization,
        )
        return pb.CreateMailDomainResponse(
            details=details_message(details),
            mail_domain_id=added.mail_domain_id,
            record_name=added.record_name,
            record_value=added.record_value,
        )

    async def GetMailDomain(
        self, request: pb.GetMailDomainRequest, call: AnyCall
    ) -> pb.GetMailDomainResponse:
        command = read(commands.OneMailDomain, request)
        found = await store.GET.one(
            self._database,
            mail_domain_id=command.mail_domain_id,
            organization_id=call.organization_id,
        )
        return pb.GetMailDomainResponse(mail_domain=_mail_domain(found))

    async def ListMailDomains(
        self, request: pb.ListMailDomainsRequest, call: AnyCall
    ) -> pb.ListMailDomainsResponse:
        found, next_page_token = await read(commands.ListMailDomains, request).read(
            store.LIST.all,
            self._database,
            lambda domain: domain.mail_domain_id,
            organization_id=call.organization_id,
        )
        return pb.ListMailDomainsResponse(
            mail_domains=map(_mail_domain, found), next_page_token=next_page_token
        )

    @checks_caller
    async def PatchMailDomain(
        self, request: pb.PatchMailDomainRequest, call: AnyCall
    ) -> pb.PatchMailDomainResponse:
        command = read_patch(
            commands.PatchMailDomain,
            request,
            "mail_domain",
            "mail_domain_id",
            commands.PATCHABLE,
        )
        details = await commands.patch(self._database, command.mail_domain, **call.by_caller)
        return pb.PatchMailDomainResponse(details=details_message(details))

    async def VerifyMailDomain(
        self, request: pb.VerifyMailDomainRequest, call: AnyCall
    ) -> pb.VerifyMailDomainResponse:
        command = read(commands.OneMailDomain, request)
        self._verifications.admit(call.organization_id)
        details = await commands.verify(
            self._database, command, **call.by_caller, records=self._records
        )
        return pb.VerifyMailDomainResponse(details=details_message(details))

    @checks_caller
    async def RemoveMailDomain(
        self, request: pb.RemoveMailDomainRequest, call: AnyCall
    ) -> pb.RemoveMailDomainResponse:
        command = read(commands.OneMailDomain, request)
        details = await commands.remove(self._database, command, **call.by_caller)
        return pb.RemoveMailDomainResponse(details=details_message(details))
