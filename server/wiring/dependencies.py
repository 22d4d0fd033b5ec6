"""Constructs the parameters of commands beside the database, for server and command line.

The rule: this module imports no transport and no SMTP client, so `keystead user list` starts fast.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from server.access import user_aggregate
from server.access.admission import LockedUser
from server.access.began_with import EndedAccess
from server.application import store as application_store
from server.application.configuration import ApplicationAudience
from server.application.groups import Groups
from server.application.return_targets import ReturnTargets
from server.figures import store as figure_store
from server.group import member_store
from server.group import store as group_store
from server.idp import store as idp_store
from server.idp.domains import store as mail_domain_store
from server.idp.links import store as idp_link_store
from server.mail import outbox as mail_outbox
from server.mail.outbox import CAPTURE_DOMAIN, Outbox
from server.oauth import grant_store
from server.oauth import store as oauth_store
from server.oauth.refused import store as refusal_store
from server.org import store as org_store
from server.org.objects import ObjectsOfOrganization
from server.passkey import pending, removal_store
from server.passkey.invitations import Invitation
from server.passkey.links import RegistrationPolicy
from server.push import leases as push_leases
from server.push import store as push_store
from server.session import refused as refused_sign_ins
from server.session import store as session_store
from server.settings.settings import Settings
from server.smtp import store as smtp_store
from server.store.database import Statements
from server.user import commands as user_commands
from server.user import store as user_store
from server.user import token_store
from server.user.attributes import store as attribute_store
from server.user.other_features import OtherFeatures


async def _end_of_removed(transaction: Statements, user_id: str) -> None:
    await pending.end_of_removed(transaction, user_id)
    await session_store.end_activity(transaction, user_id)
    await refused_sign_ins.forget(transaction, user_id)
    await oauth_store.end_of_user(transaction, user_id=user_id)


async def _end_of_locked(
    transaction: Statements, user_id: str, organization_id: str, creator: str
) -> None:
    await pending.end_of_locked(transaction, user_id, organization_id)
    await _end_grants(transaction, user_id, creator)


async def end_of_recovered(transaction: Statements, user_id: str) -> None:
    """Ends the tokens that a locked user made itself, and its grants to applications."""
    made = await token_store.MADE.list_made_by(transaction, [user_id], user_id=user_id)
    await token_store.end(transaction, made, creator=user_id, user_id=user_id)
    await _end_grants(transaction, user_id, user_id)


async def _end_grants(transaction: Statements, user_id: str, creator: str) -> None:
    """Ends all grants of a locked user to applications, with their codes and tokens."""
    await oauth_store.end_of_user(transaction, user_id=user_id)
    await grant_store.end_of_user(transaction, user_id=user_id, creator=creator)


async def end_begun_with(
    transaction: Statements, user_id: str, credential_id: str, creator: str
) -> EndedAccess:
    """Ends the grants and tokens of a locked user that began with a lost or stolen credential."""
    granted = await grant_store.end_begun_with(
        transaction, credential_id, user_id=user_id, creator=creator
    )
    authorized = await oauth_store.end_begun_with(
        transaction, credential_id, granted, user_id=user_id
    )
    tokens = await token_store.end_begun_with(
        transaction, credential_id, user_id=user_id, creator=creator
    )
    return EndedAccess(applications=len(authorized.union(granted)), tokens=tokens)


async def end_sessions_of_idp(
    transaction: Statements, idp_id: str, *, creator: str
) -> tuple[str, ...]:
    """Ends the sessions of a locked provider and their users' ceremonies; returns the users."""
    user_ids = await session_store.end_of_idp(transaction, idp_id, creator=creator)
    await pending.end_begun_by(transaction, *user_ids)
    return user_ids


async def _list_makers(transaction: Statements, user: LockedUser) -> set[str]:
    user_id, organization_id = user.user_id, user.organization_id
    return {
        *await pending.list_makers(transaction, user_id),
        *await removal_store.MADE.list_makers(transaction, user_id=user_id),
        *await idp_link_store.MADE.list_makers(
            transaction, user_id=user_id, organization_id=organization_id
        ),
    }


async def _list_made_by(
    transaction: Statements, user: LockedUser, makers: Sequence[str]
) -> Mapping[str, Sequence[str]]:
    user_id, organization_id = user.user_id, user.organization_id
    return {
        "passkeys": await removal_store.MADE.list_made_by(transaction, makers, user_id=user_id),
        "idpLinks": await idp_link_store.MADE.list_made_by(
            transaction, makers, user_id=user_id, organization_id=organization_id
        ),
    }


async def _end_made_by(
    transaction: Statements, user: LockedUser, makers: Sequence[str], creator: str
) -> None:
    user_id, organization_id = user.user_id, user.organization_id
    made = await _list_made_by(transaction, user, makers)
    for passkey_id in made["passkeys"]:
        await removal_store.remove(transaction, passkey_id, creator=creator, user_id=user_id)
    for link_id in made["idpLinks"]:
        await idp_link_store.unlink(transaction, link_id, creator=creator, user_id=user_id)
    await pending.end_made_by(transaction, makers, user_id=user_id, organization_id=organization_id)


async def _list_admitted(
    database: Statements, application_ids: Sequence[str], organization_id: str
) -> Sequence[str] | None:
    """As `server/oauth/admission.py` decides for each user."""
    limits = await application_store.admitted_groups(
        database, application_ids, organization_id=organization_id
    )
    if len(limits) < len(application_ids):
        return []  # one is unknown, or has no people
    limited = [each for each in limits if each is not None]
    if not limited:
        return None
    admitted = [set(await member_store.list_any(database, each)) for each in limited]
    return sorted(set.intersection(*admitted))


# For commands on users.
OTHER_FEATURES = OtherFeatures(
    lock_default_organization=org_store.lock_default,
    lock_organization=org_store.lock,
    organization_name=org_store.name,
    is_address_provided=idp_link_store.gives_address,
    keeps_profiles=org_store.keeps_profiles,
    end_begun_by=pending.end_begun_by,
    end_returned_to=pending.end_returned_to,
    end_own_links=pending.end_own_links,
    end_of_removed=_end_of_removed,
    end_of_locked=_end_of_locked,
    list_makers=_list_makers,
    list_made_by=_list_made_by,
    end_made_by=_end_made_by,
    end_mailed_elsewhere=pending.end_mailed_elsewhere,
    list_members=member_store.list_common,
    list_admitted=_list_admitted,
    entered_at=grant_store.entered_at,
)

# For the removal of organizations.
OBJECTS_OF_ORGANIZATION = ObjectsOfOrganization(
    count_users=user_store.count_of_organization,
    remove={
        "applications": application_store.OF_ORGANIZATION.all,
        "mail_domains": mail_domain_store.OF_ORGANIZATION.all,
        "idps": idp_store.OF_ORGANIZATION.all,
        "groups": group_store.OF_ORGANIZATION.all,
        "attributes": attribute_store.OF_ORGANIZATION.all,
        "subscriptions": push_store.remove_all,
        "smtp_configs": smtp_store.OF_ORGANIZATION.all,
    },
    forget=(
        push_leases.forget,
        mail_outbox.forget,
        refusal_store.forget,
        refused_sign_ins.forget_all,
        figure_store.forget,
    ),
)

# For commands on applications.
GROUPS = Groups(lock_named=group_store.lock_named, list_existing=group_store.list_existing)


async def describe_invitation(
    database: Statements, creator: str, organization_id: str, application_id: str
) -> Invitation:
    """The names of an invitation, without that of an application that admits nobody there."""
    inviter = await user_aggregate.ACCOUNT.one_or_none(database, user_id=creator)
    client = await application_store.find_client(database, application_id)
    application_name = ""
    if client is not None:
        application = client.application
        is_own = application.details.owner == organization_id
        if is_own or application.configuration.audience == ApplicationAudience.ALL:
            application_name = application.configuration.name
    return Invitation(
        inviter_name=inviter.display_name if inviter else "",
        organization_name=await org_store.name(database, organization_id),
        application_name=application_name,
    )


def return_targets(settings: Settings) -> ReturnTargets:
    """The pages to which people may be sent back."""
    return ReturnTargets({*settings.return_origins, *settings.page_origins})


def registration_policy(settings: Settings) -> RegistrationPolicy:
    """The limits of registrations, for commands on passkeys."""
    return RegistrationPolicy(
        max_passkeys=settings.max_passkeys_per_user,
        link_page=settings.passkey_page,
        link_lifetime=timedelta(seconds=settings.passkey_link_lifetime),
        allows_recovery=org_store.allows_mail_recovery,
        check_return=return_targets(settings).check,
        allows_return=return_targets(settings).allows,
        describe_invitation=describe_invitation,
        end_of_recovered=end_of_recovered,
        verify_address=user_commands.verify_address,
    )


async def _find_sender_or_capture(
    database: Statements, organization_id: str
) -> tuple[str, str] | None:
    """As `find_sender`. Captured mails need no SMTP configuration."""
    return await smtp_store.find_sender(database, organization_id) or ("", CAPTURE_DOMAIN)


def outbox(settings: Settings, *, wake: Callable[[], None] = lambda: None) -> Outbox:
    """The outbox, for commands that write mails. By default, no mail loop runs in this process."""
    return Outbox(
        hourly_limit=settings.mail_hourly_limit,
        find_sender=_find_sender_or_capture if settings.mail_capture else smtp_store.find_sender,
        wake=wake,
    )
