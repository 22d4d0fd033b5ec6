"""The events of the log in sentences that name people and devices.

For `keystead audit`, and for the console, whose other languages translate them.

The names are those of now. The log itself has IDs, which stay when somebody is removed or renamed.

The rule: a sentence has no field that the log withholds (decision 4), and no hash or key.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, timedelta
from string import Formatter
from typing import Any, Final

from server.access.caller import OPERATOR
from server.application import store as application_store
from server.group import store as group_store
from server.idp import store as idp_store
from server.log.audit import Wanted, read_events
from server.log.event import StoredEvent
from server.org import store as org_store
from server.push import store as push_store
from server.session import store as session_store
from server.store.database import Database
from server.store.rows import Query
from server.user import store as user_store
from server.user.attributes import store as attribute_store
from server.values.counted import counted

# Sentences by type. `who` wrote the event; `user`, `organization`, `idp`, `group`, `application`,
# `attribute` and `subscription` are objects; `account` is "their account" if the user wrote
# the event, otherwise "Ada's account"; `device` is ", Chrome on Linux, 192.0.2.7" or empty;
# `smtp_config` names its organization, if it has one; `and_ended` counts ended sessions. Others
# are fields.
SENTENCES: Final[Mapping[str, str]] = {
    "application.added": "{who} added the application {application}",
    "application.changed": "{who} changed the application {application}",
    "application.removed": "{who} removed the application {application}",
    "application.secret_created": "{who} created a secret of the application {application}",
    "application.secret_removed": "{who} removed a secret of the application {application}",
    "attribute.added": "{who} declared the attribute {attribute}",
    "attribute.changed": "{who} changed the attribute {attribute}",
    "attribute.removed": "{who} removed the attribute {attribute}",
    "group.added": "{who} added the group {group}",
    "group.changed": "{who} changed the group {group}",
    "group.removed": "{who} removed the group {group}",
    "idp.added": "{who} added the identity provider {idp}",
    "idp.changed": "{who} changed the identity provider {idp}",
    "idp.oidc_config_removed": "{who} removed the OpenID Connect settings of {idp}",
    "idp.oidc_config_set": "{who} set the OpenID Connect settings of {idp}, issuer {issuer}",
    "idp.removed": "{who} removed the identity provider {idp}",
    "mail_domain.added": "{who} claimed the mail domain {domain}",
    "mail_domain.changed": "{who} changed the mail domain {domain}",
    "mail_domain.lapsed": "The proof of the mail domain {domain} ended",
    "mail_domain.proven": "{who} proved the mail domain {domain}",
    "mail_domain.record_missed": "The record of the mail domain {domain} is no longer in DNS",
    "mail_domain.removed": "{who} removed the mail domain {domain}",
    "organization.added": "{who} created the organization {organization}",
    "organization.brand_set": "{who} set the brand of {brand_owner}",
    "organization.mail_text_set": "{who} set the mail text {mail_text_id} of {brand_owner}",
    "organization.mail_text_removed": "{who} removed the mail text {mail_text_id} of {brand_owner}",
    "organization.changed": "{who} changed the settings of the organization {organization}",
    "organization.removed": "{who} removed the organization {organization}",
    "smtp_config.added": "{who} added {smtp_config}",
    "smtp_config.changed": "{who} changed {smtp_config}",
    "smtp_config.password_changed": "{who} changed the password of {smtp_config}",
    "smtp_config.oauth_set": "{who} set the OAuth settings of {smtp_config}",
    "smtp_config.oauth_removed": "{who} removed the OAuth settings of {smtp_config}",
    "smtp_config.removed": "{who} removed {smtp_config}",
    "subscription.added": "{who} added the subscription {subscription}",
    "subscription.changed": "{who} changed the subscription {subscription}",
    "subscription.removed": "{who} removed the subscription {subscription}",
    "subscription.secret_created": "{who} created a secret of the subscription {subscription}",
    "subscription.secret_removed": "{who} removed a secret of the subscription {subscription}",
    "user.added": "{who} created the user {user}",
    "user.application_entered": "{who} signed in to {application}{device}",
    "user.application_granted": "{who} gave {application} access to {account}",
    "user.application_revoked": "{who} ended the access of {application} to {account}",
    "user.application_scopes_revoked": "{who} narrowed the access of {application} to {account}",
    "user.changed": "{who} changed {account}",
    "user.email_change_cancelled": "{who} cancelled the change of the mail address of {account}",
    "user.email_change_requested": "{who} requested another mail address for {account}",
    "user.group_joined": "{who} added {user} to the group {group}",
    "user.group_left": "{who} removed {user} from the group {group}",
    "user.groups_imported": "{who} imported {user} into groups",
    "user.groups_mapped": "The groups of {user} changed by a sign-in with an identity provider",
    "user.idp_linked": "{who} linked {account} to {idp}",
    "user.idp_links_imported": "{who} linked identities to {user} by an import",
    "user.idp_mappings_skipped": "Claims of {user} did not fit the mapping of an identity provider",
    "user.idp_sessions_ended": "{who} ended the sessions of {idp} of {account}{and_ended}",
    "user.idp_unlinked": "{who} unlinked an identity provider from {account}{and_ended}",
    "user.imported": "{who} imported the user {user}",
    "user.locked": "{who} locked the user {user}{and_ended}",
    "user.passkey_clone_suspected": "A passkey of {user} may be copied: its counter went back",
    "user.passkey_link_created": "{who} created a link to register a passkey for {user}",
    "user.passkey_removed": "{who} removed a passkey from {account}{and_ended}",
    "user.passkey_renamed": "{who} renamed a passkey of {account}",
    "user.passkey_verified": "{who} registered a passkey for {account}",
    "user.passkeys_imported": "{who} imported passkeys of {user}",
    "user.removed": "{who} removed the user {user}{and_ended}",
    "user.role_ended": "The role {role} of {user} ended",
    "user.role_granted": "{who} granted {user} the role {role}",
    "user.role_revoked": "{who} revoked the role {role} of {user}",
    "user.session_ended": "{who} ended a session of {account}",
    "user.session_renewed": "{user} confirmed the sign-in{device}",
    "user.session_started": "{user} signed in with a passkey{device}{and_ended}",
    "user.session_started_by_idp": "{user} signed in with {idp}{device}{and_ended}",
    "user.sessions_ended": "{who} ended the sessions of {account}{and_ended}",
    "user.token_created": "{who} created a token of {account}",
    "user.token_revoked": "{who} revoked a token of {account}",
    "user.unlocked": "{who} unlocked the user {user}",
}


# Objects of an organization that have a name.
_NAMED: Final[Mapping[str, Query[Any]]] = {
    "attribute": attribute_store.GET,
    "group": group_store.GET,
    "idp": idp_store.GET,
    "subscription": push_store.GET,
}


class Sentences:
    """Writes events as lines, with a line for each new date."""

    def __init__(self, database: Database, *, idle_timeout: timedelta) -> None:
        self._database = database
        self._idle_timeout = idle_timeout
        self._names: dict[tuple[str, str], str] = {}
        self._date: date | None = None

    async def lines(self, events: Iterable[StoredEvent]) -> list[str]:
        """The lines of these events, which follow those of the last call."""
        lines = list[str]()
        for event in events:
            moment = event.created_at.astimezone(UTC)
            if moment.date() != self._date:
                self._date = moment.date()
                lines.append(f"{self._date}, UTC")
            lines.append(f"{moment:%H:%M:%S} {await self.sentence(event)}")
        return lines

    async def sentence(self, event: StoredEvent) -> str:
        """The sentence of an event, without its time."""
        template = SENTENCES.get(event.event_type, "{who}: {event_type} of {aggregate_id}")
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        values = {name: await self._value(name, event) for name in names}
        return template.format(**values)

    async def _value(self, name: str, event: StoredEvent) -> str:
        payload, user_id = event.payload, event.aggregate_id
        match name:
            case "who":
                if event.creator == OPERATOR.user_id:
                    return "the operator"
                return await self._name("user", event.creator, event)
            case "account":
                is_own = event.creator == user_id
                whose = "their" if is_own else f"{await self._name('user', user_id, event)}'s"
                return f"{whose} account"
            case "device":
                return await self._device(user_id, payload["session_id"])
            case "and_ended":
                ended = len(payload.get("ended_session_ids") or ())
                return f"; {counted(ended, 'session')} ended" if ended else ""
            case "brand_owner":
                if payload["of_instance"]:
                    return "the instance"
                return await self._name("organization", event.aggregate_id, event)
            case "smtp_config":
                return await self._smtp_config(event)
            case _ if name in {"user", "organization", "application", *_NAMED}:
                is_own = event.aggregate_type == name
                object_id = event.aggregate_id if is_own else payload[f"{name}_id"]
                return await self._name(name, object_id, event)
            case _:
                return str(payload[name] if name in payload else getattr(event, name))

    async def _smtp_config(self, event: StoredEvent) -> str:
        """The configuration; only the event that added it tells whether it is the instance's."""
        key = (event.aggregate_type, event.aggregate_id)
        if key not in self._names:
            wanted = Wanted(aggregate_id=event.aggregate_id, types=("smtp_config.added",))
            added = await read_events(self._database, wanted, limit=1)
            of = ""
            if any(each.payload.get("of_organization") for each in added):
                of = f" of the organization {await self._name('organization', event.owner, event)}"
            self._names[key] = f"the SMTP configuration{of}"
        return self._names[key]

    async def _name(self, kind: str, object_id: str, event: StoredEvent) -> str:
        """The name of an object; its ID if it was removed."""
        key = (kind, object_id)
        if key not in self._names:
            name = await self._found(kind, object_id, owner=event.owner)
            self._names[key] = name or object_id
        return self._names[key]

    async def _found(self, kind: str, object_id: str, *, owner: str) -> str | None:
        database = self._database
        match kind:
            case "user":
                user = await user_store.GET.one_or_none(database, user_id=object_id)
                return user.user_name if user else None
            case "organization":
                organization = await org_store.GET.one_or_none(database, organization_id=object_id)
                return organization.name if organization else None
            case "application":
                application = await application_store.GET.one_or_none(
                    database, application_id=object_id, organization_id=owner
                )
                return application.configuration.name if application else None
            case _:
                named = await _NAMED[kind].one_or_none(
                    database, **{f"{kind}_id": object_id}, organization_id=owner
                )
                return named.name if named else None

    async def _device(self, user_id: str, session_id: str) -> str:
        """The device and the address of a session that has not ended."""
        session = await session_store.GET.one_or_none(
            self._database, user_id=user_id, session_id=session_id, idle_timeout=self._idle_timeout
        )
        parts = (session.device_name, session.ip_address) if session else ()
        return "".join(f", {part}" for part in parts if part)
