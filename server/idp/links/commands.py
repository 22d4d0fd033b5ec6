"""The commands on the links of a user."""

from dataclasses import replace

from server.access import admission, user_aggregate
from server.access.admission import LockedUser
from server.access.authorizer import reauthentication_required
from server.access.began_with import EndBegunWith, EndedAccess
from server.access.caller import Actor, Caller
from server.access.checked_append import check_admitted
from server.access.makers import trusts_providers
from server.idp.links import store
from server.idp.links.events import IDPLinked
from server.idp.links.store import Unlinked
from server.idp.signin import refusals
from server.idp.signin.commands import lock_provider
from server.idp.signin.flow_token import FLOWS
from server.idp.signin.flows import CompleteFlow, Flows
from server.mail.outbox import MailKind, Notice, Outbox
from server.session.commands import EndCeremonies
from server.store.database import Statements
from server.store.one_time import USED_KEY
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.validation.fields import Command, Id
from server.validation.paging import Page
from server.values.errors import permission_denied
from server.values.ids import new_id


class ListIDPLinks(Page):
    """List the links of a user."""

    user_id: Id


class UnlinkIDP(Command):
    """Remove a link of a user."""

    user_id: Id
    link_id: Id
    lost_or_stolen: bool


class LinkIDP(CompleteFlow):
    """Link the identity of a flow to a user."""

    user_id: Id


async def link(
    database: Statements, flows: Flows, command: LinkIDP, *, actor: Actor, outbox: Outbox
) -> tuple[str, Details]:
    """Completes the flow, links its identity to the caller, and mails the caller a notice.

    Returns the id of the link, and its details.

    `Failure` as of `Flows.complete`; PERMISSION_DENIED; UNAUTHENTICATED
    `REAUTHENTICATION_REQUIRED`; FAILED_PRECONDITION `ROLES_EXCEED_PROVIDER`; ALREADY_EXISTS
    `IDENTITY_LINKED`.
    """
    caller = _signed_in_by_passkey(actor, command.user_id)
    completed = await flows.complete(command, organization_id=caller.organization_id)
    link_id = new_id()
    with on_conflict(
        {
            USED_KEY: refusals.flow_used,
            UNIQUE_CLAIMS_KEY: refusals.identity_linked,
        }
    ):
        async with database.transaction() as transaction:
            provider = await lock_provider(transaction, completed)
            user = await admission.lock_user(transaction, caller.user_id, actor=caller)
            if not trusts_providers(user.roles, user.organization_id):
                raise refusals.roles_exceed_provider()
            event = IDPLinked.of(
                completed.identity, link_id=link_id, makers=tuple(sorted(user.makers))
            )
            details = await store.LINK.details(
                transaction, event, creator=user.user_id, user_id=user.user_id
            )
            await FLOWS.use(transaction, completed.hash)
            notice = _notice(
                MailKind.IDP_LINKED,
                user,
                user_id=user.user_id,
                organization_id=user.organization_id,
                link_id=link_id,
                idp_name=provider.name,
            )
            await outbox.notify(transaction, notice)
    return link_id, details


def _signed_in_by_passkey(actor: Actor, user_id: str) -> Caller:
    """Checks that the caller is the user and signed in by passkey.

    The option `recent_sign_in` of the method checks the time. Otherwise a stolen token, or a stolen
    account at one provider, would be enough to link an attacker's account permanently.
    """
    if not isinstance(actor, Caller) or actor.user_id != user_id or actor.session is None:
        raise permission_denied()
    if not actor.session.by_passkey:
        raise reauthentication_required()
    return actor


async def unlink(
    database: Statements,
    command: UnlinkIDP,
    *,
    actor: Actor,
    end_ceremonies: EndCeremonies,
    end_begun_with: EndBegunWith,
    outbox: Outbox,
) -> tuple[Details, EndedAccess]:
    """Removes the link, ends its sessions and the user's ceremonies.

    Returns the last details, and the ended access. The user gets a notice. `Failure` NOT_FOUND.
    """
    ended = EndedAccess()
    async with database.transaction() as transaction:
        await user_aggregate.lock(transaction, command.user_id)
        await check_admitted(transaction, actor)
        removed, sessions = await store.unlink(
            transaction,
            command.link_id,
            lost_or_stolen=command.lost_or_stolen,
            creator=actor.user_id,
            user_id=command.user_id,
        )
        await end_ceremonies(transaction, command.user_id)
        if command.lost_or_stolen:
            ended = await end_begun_with(
                transaction, command.user_id, command.link_id, actor.user_id
            )
        notice = _notice(
            MailKind.IDP_UNLINKED,
            removed,
            user_id=command.user_id,
            organization_id=removed.details.owner,
            link_id=command.link_id,
            idp_name=removed.idp_name,
        )
        await outbox.notify(transaction, notice)
    return removed.details, replace(ended, sessions=sessions)


def _notice(
    kind: MailKind,
    user: LockedUser | Unlinked,
    *,
    user_id: str,
    organization_id: str,
    link_id: str,
    idp_name: str,
) -> Notice:
    return Notice(
        kind=kind,
        user_id=user_id,
        organization_id=organization_id,
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=link_id,
        parameters={"idp_name": idp_name},
    )
