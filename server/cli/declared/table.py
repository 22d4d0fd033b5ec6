"""The commands of administration, by groups: a row names the method that a command calls.

Fields with REQUIRED are arguments and all others options, unless a row says otherwise.
"""

import enum
from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Final


class Keys(enum.Enum):
    """The encryption keys that a method needs.

    OF_SERVERS: a server will decrypt the secret that the method stores.
    """

    NONE = enum.auto()
    OWN = enum.auto()
    OF_SERVERS = enum.auto()


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list that is shown with an object.

    `method`   of the list, as `Service.Method`
    `columns`  at a terminal; JSON has all fields
    `filter`   of the list, with the ID of the object; without it, the request has a field of it
    `limit`    of a list that only grows, newest first
    """

    method: str
    columns: str
    filter: str = ""
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command.

    `method`     of the service of its group, or `Service.Method`
    `place`      the command itself, as module:attribute, if it does not follow from the schema
    `help`       in place of the comment of the method
    `arguments`  fields that are arguments in place of those with REQUIRED
    `optional`   arguments that may be left out
    `columns`    of its list in text; JSON has all fields
    `narrow`     of its list at a terminal that is too narrow for all columns
    `prints`     the fields of the response that are its result
    `says`       the sentence after a change, from the arguments and the fields of the response
    `keys`       the encryption keys that the method needs
    `chooses`    the field with the ID of a new object, which names no object yet
    `files`      texts that are read from a file
    `without`    fields that are not offered, with the reason
    `otherwise`  the fields that are set if no other one of their `oneof` is given
    `by`         the method that is called if this object is named, as in `session list USER`
    `apply`      the function that makes the change from the given values, as module:attribute
    `limit`      of a list that only grows, newest first
    `also`       another method whose fields are options, too
    `options`    further inputs, as module:attribute
    `then`       the function that looks at the object after the change, as module:attribute
    `parts`      the lists that are shown with an object, by their names
    `inner`      columns of lists in an object at a terminal, by the fields of the lists
    """

    method: str
    _: KW_ONLY
    place: str = ""
    help: str = ""
    arguments: tuple[str, ...] | None = None
    optional: Collection[str] = ()
    columns: str = ""
    narrow: str = ""
    prints: tuple[str, ...] = ()
    says: str = ""
    keys: Keys = Keys.NONE
    chooses: str = ""
    files: Collection[str] = ()
    without: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""
    by: Mapping[str, str] = field(default_factory=dict)
    apply: str = ""
    limit: int | None = None
    also: str = ""
    options: str = ""
    then: str = ""
    parts: Mapping[str, ShownList] = field(default_factory=dict)
    inner: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommandRows:
    """A group of commands, most of which call the methods of one service."""

    help: str
    service: str
    commands: Mapping[str, CommandRow]


# The files of the services, in packages `keystead.*.v1`.
SERVICES: Final = {
    "ApplicationService": "application.v1.application_service",
    "AttributeService": "attribute.v1.attribute_service",
    "BrandService": "org.v1.brand_service",
    "GroupService": "group.v1.group_service",
    "IDPLinkService": "user.v1.idp_link_service",
    "IdentityProviderService": "idp.v1.identity_provider_service",
    "MailDomainService": "idp.v1.mail_domain_service",
    "MailService": "mail.v1.mail_service",
    "OIDCConfigService": "idp.v1.oidc_config_service",
    "OrganizationService": "org.v1.organization_service",
    "PasskeyService": "passkey.v1.passkey_service",
    "PushService": "push.v1.push_service",
    "SMTPService": "smtp.v1.smtp_service",
    "SessionService": "session.v1.session_service",
    "SystemService": "system.v1.system_service",
    "UserService": "user.v1.user_service",
}

# Options with other names than their fields have.
OPTIONS: Final = {
    "allowed_groups": "allow-groups",
    "allows_http": "allow-http",
    "auto_register_hosted_domains": "hosted-domains",
    "auto_register_mail_domains": "mail-domains",
    "gate_identity_headers": "identity-headers",
    "gate_jwt_header": "jwt-header",
    "is_invitation": "invite",
    "omits_id_token_claims": "omit-id-token-claims",
    "receiver_address": "to",
    "requires_email": "require-email",
    "requires_pushed_authorization_requests": "par",
    "send_link": "send",
    "support_address": "support",
    "token_endpoint_auth_method": "auth-method",
    "token_endpoint_auth_signing_alg": "assertion-alg",
    "update_email_at_sign_in": "update-email",
    "update_name_at_sign_in": "update-name",
}

_OWN: Final = Keys.OWN
_OF_SERVERS: Final = Keys.OF_SERVERS
_ATTEMPTS: Final = (
    "created_at, attempts.-1.reason as reason, attempts.-1.message as message, next_attempt_at"
)
_ENDED: Final = (
    "Ended: sessions {ended[sessions]}, access of applications {ended[applications]}, tokens"
    " {ended[tokens]}"
)

GROUPS: Final[Mapping[str, CommandRows]] = {
    "app": CommandRows(
        "Manage applications: the clients of OAuth 2.0 and OpenID Connect.",
        "ApplicationService",
        {
            "create": CommandRow(
                "CreateApplication",
                help="Create an application and print its ID, which is its client ID.\n\nWith --for"
                " and --host, the application gets what this program needs, and a secret; the"
                " command prints the settings of the program, too. Other options replace the values"
                " of the program.",
                arguments=("name",),
                optional={"name"},
                options="server.cli.declared.recipes:OPTIONS",
                apply="server.cli.declared.recipes:create",
                prints=("application_id", "settings"),
                chooses="application_id",
                files={"jwks"},
            ),
            "list": CommandRow(
                "ListApplications",
                columns="application_id, name, kind",
                without={"with_total_size": "the command lists all"},
            ),
            "show": CommandRow("GetApplication"),
            "set": CommandRow("PatchApplication", files={"jwks"}),
            "remove": CommandRow("RemoveApplication"),
            "refusals": CommandRow(
                "ListRefusals",
                arguments=("application_id",),
                optional={"application_id"},
                columns="refused_at, application_name, endpoint, reason, count, request_id, remedy",
            ),
            "claims": CommandRow("GetApplicationClaims"),
            "create-secret": CommandRow(
                "CreateApplicationSecret",
                prints=("secret",),
                says="The secret was stored: {secret_id}",
            ),
            "remove-secret": CommandRow(
                "RemoveApplicationSecret", says="The secret was removed: {secret_id}"
            ),
        },
    ),
    "brand": CommandRows(
        "Manage the look of pages: name, logo, colour and support address.",
        "BrandService",
        {
            "set": CommandRow(
                "SetInstanceBrand",
                help="Change the brand of the instance, or of an organization.\n\nOmitted options"
                " change nothing. An organization shows the brand of the instance where it has none"
                " of its own. Running servers show the new brand within 5 seconds.",
                by={"org_id": "SetBrand"},
                apply="server.cli.changes:brand",
                says="The brand was changed.",
            ),
            "show": CommandRow(
                "GetInstanceBrand",
                help="Show the brand of the instance, or of an organization.",
                by={"org_id": "GetBrand"},
            ),
        },
    ),
    "attribute": CommandRows(
        "Manage the attributes that an organization declares for its users.",
        "AttributeService",
        {
            "create": CommandRow("CreateAttributeDefinition", prints=("attribute_id",)),
            "list": CommandRow(
                "ListAttributeDefinitions",
                columns="attribute_id, name, display_name, type, user_access",
            ),
            "show": CommandRow("GetAttributeDefinition"),
            "set": CommandRow("PatchAttributeDefinition"),
            "remove": CommandRow("RemoveAttributeDefinition"),
        },
    ),
    "mail-domain": CommandRows(
        "Manage the mail domains of an organization, which lead to its identity providers.",
        "MailDomainService",
        {
            "create": CommandRow(
                "CreateMailDomain",
                arguments=("domain",),
                prints=("mail_domain_id", "record_name", "record_value"),
            ),
            "list": CommandRow(
                "ListMailDomains",
                columns="mail_domain_id, domain, idp_id, proven_at, record_name, record_value",
                narrow="mail_domain_id, domain, proven_at",
            ),
            "show": CommandRow("GetMailDomain"),
            "set": CommandRow("PatchMailDomain"),
            "verify": CommandRow("VerifyMailDomain", says="The domain is proven: {mail_domain}"),
            "remove": CommandRow("RemoveMailDomain"),
        },
    ),
    "group": CommandRows(
        "Manage groups of users, which applications get as the claim `groups`.",
        "GroupService",
        {
            "create": CommandRow("CreateGroup", prints=("group_id",)),
            "list": CommandRow(
                "ListGroups",
                columns="group_id, name, display_name",
                without={"with_total_size": "the command lists all"},
            ),
            "show": CommandRow("GetGroup"),
            "set": CommandRow("PatchGroup"),
            "remove": CommandRow("RemoveGroup"),
            "add-member": CommandRow(
                "AddGroupMember", says="The user '{user}' is a member of '{group}'."
            ),
            "remove-member": CommandRow(
                "RemoveGroupMember", says="The user '{user}' is not a member of '{group}'."
            ),
            "members": CommandRow("ListGroupMembers", columns="user_id, user_name, display_name"),
        },
    ),
    "idp": CommandRows(
        "Manage identity providers and their OpenID Connect settings.",
        "IdentityProviderService",
        {
            "presets": CommandRow("", place="server.cli.idp:presets"),
            "create": CommandRow(
                "CreateIDP",
                help="Create an identity provider with its OpenID Connect settings, and print its"
                " ID.\n\nThe button has the colours of the provider if there are any, otherwise"
                " the look of the page. Default of --name: that of the preset. Each sign-in sets"
                " the display name of the user, unless --no-update-name is given.",
                arguments=(),
                also="OIDCConfigService.SetOIDCConfig",
                options="server.cli.idp:ADD_OPTIONS",
                without={
                    "idp_id": "the server assigns it",
                    "styling_type": "it follows from the button",
                },
                apply="server.cli.idp:add",
                prints=("idp_id",),
            ),
            "list": CommandRow("ListIDPs", columns="idp_id, name, auto_register, is_disabled"),
            "show": CommandRow("GetIDP"),
            "set": CommandRow("PatchIDP", then="server.cli.idp:warn_if_anybody_registers"),
            "set-oidc": CommandRow(
                "OIDCConfigService.SetOIDCConfig",
                arguments=("idp_id",),
                options="server.cli.idp:OPTIONS",
                apply="server.cli.idp:set_oidc",
                then="server.cli.idp:warn_if_anybody_registers",
                says="The OpenID Connect settings of '{idp}' were set. To try them, run: keystead"
                " idp test",
            ),
            "show-oidc": CommandRow("OIDCConfigService.GetOIDCConfig"),
            "test": CommandRow("OIDCConfigService.TestOIDCConfig", keys=_OF_SERVERS),
            "remove-oidc": CommandRow(
                "OIDCConfigService.RemoveOIDCConfig",
                says="The OpenID Connect settings of '{idp}' were removed, and its sessions ended.",
            ),
            "remove": CommandRow(
                "RemoveIDP",
                says="The identity provider '{idp}' was removed, and its sessions ended.",
            ),
        },
    ),
    "mail": CommandRows(
        "List and retry mails to users, and set own texts of mails.",
        "MailService",
        {
            "list": CommandRow(
                "ListMails",
                columns=f"mail_id, kind, state, recipient_address, {_ATTEMPTS},"
                " attempts.-1.route as route",
                narrow="mail_id, kind, state, recipient_address",
                limit=50,
                without={"with_total_size": "the command lists the latest"},
            ),
            "show": CommandRow("GetCapturedMail", keys=_OF_SERVERS),
            "retry": CommandRow(
                "RetryMail",
                help="Retry a failed or pending mail immediately.\n\nA running server delivers it;"
                " without one the mail stays pending.",
                says="The mail is due now. To see whether it is sent, run: keystead mail list",
            ),
            "texts": CommandRow("ListMailTexts", columns="mail_text_id, subject, title"),
            "set-text": CommandRow("SetMailText", says="The own text was set."),
            "remove-text": CommandRow("RemoveMailText", says="The own text was removed."),
        },
    ),
    "org": CommandRows(
        "Manage organizations.",
        "OrganizationService",
        {
            "create": CommandRow("CreateOrganization", prints=("org_id",)),
            "set": CommandRow("PatchOrganization"),
            "show": CommandRow("GetOrganization"),
            "remove": CommandRow(
                "RemoveOrganization",
                help="Remove an organization with all that it has.\n\nShows how many users it has,"
                " asks for its name, and removes its users first. An interrupted command can be run"
                " again. The events stay in the log.",
                options="server.cli.organizations:OPTIONS",
                apply="server.cli.organizations:remove",
                says="The organization '{name}' was removed.",
            ),
            "figures": CommandRow("GetOrganizationFigures"),
            "list": CommandRow(
                "ListOrganizations",
                columns="org_id, name, allows_mail_recovery, client_metadata_hosts, allows_sign_up,"
                " allows_mail_fallback",
            ),
        },
    ),
    "passkey": CommandRows(
        "Manage passkeys of users and create registration links.",
        "PasskeyService",
        {
            "link": CommandRow(
                "CreatePasskeyRegistrationLink",
                help="Create a registration link for a user, and print it or the ID of its mail."
                "\n\nThe link registers one passkey, and expires after"
                " KEYSTEAD_PASSKEY_LINK_LIFETIME. Earlier links of the user end. --send needs a"
                " mail address of the user and an SMTP configuration.",
                prints=("link", "mail_id"),
                keys=_OWN,
                without={"return_code": "it is what happens without --send"},
                otherwise="return_code",
            ),
            "list": CommandRow(
                "ListPasskeys", columns="passkey_id, name, provider_name, creation_date"
            ),
            "unmoved": CommandRow(
                "ListUnmovedUsers",
                help="List the users whom the removal of a former RP ID would lock out."
                "\n\nThey have a passkey of KEYSTEAD_FORMER_RP_IDS, and none of an ID that stays."
                " Some of them may have other ways of signing in, such as an identity provider.",
                columns="user_id, user_name, display_name, email, org_id",
            ),
            "rename": CommandRow("RenamePasskey", says="The passkey was renamed: {passkey_id}"),
            "remove": CommandRow(
                "RemovePasskey", says=f"The passkey was removed: {{passkey_id}}\n{_ENDED}"
            ),
        },
    ),
    "push": CommandRows(
        "Manage webhooks, and see the deliveries of webhooks and logout tokens.",
        "PushService",
        {
            "create": CommandRow(
                "CreateSubscription", prints=("subscription_id", "key"), keys=_OF_SERVERS
            ),
            "list": CommandRow(
                "ListSubscriptions", columns="subscription_id, name, url, event_types"
            ),
            "show": CommandRow("GetSubscription"),
            "set": CommandRow("PatchSubscription"),
            "remove": CommandRow("RemoveSubscription"),
            "test": CommandRow("TestSubscription", keys=_OWN),
            "create-secret": CommandRow(
                "CreateSubscriptionSecret", prints=("key",), keys=_OF_SERVERS
            ),
            "remove-secret": CommandRow(
                "RemoveSubscriptionSecret", says="The secret was removed: {secret_id}"
            ),
            "deliveries": CommandRow(
                "ListDeliveries",
                columns="delivery_id, subscription_id, application_id, event_type, state,"
                f" {_ATTEMPTS}",
                narrow="delivery_id, event_type, state",
                limit=50,
                without={"with_total_size": "the command lists the latest"},
            ),
            "show-delivery": CommandRow("GetDelivery"),
            "retry": CommandRow(
                "RetryDelivery",
                help="Attempt a failed or pending delivery immediately.\n\nA running server sends"
                " it; without one the delivery stays pending.",
                says="The delivery is due now. To see whether it is sent, run: keystead push"
                " deliveries",
            ),
        },
    ),
    "session": CommandRows(
        "List and end sessions of users.",
        "SessionService",
        {
            "list": CommandRow(
                "ListOrganizationSessions",
                help="List the sessions of a user or of an organization.",
                by={"user_id": "ListSessions"},
                without={
                    "with_total_size": "the command lists all",
                    "order_by": "the sessions of a user fit on a screen",
                },
                columns="session_id, device_name, ip_address, last_seen_at, idle_expires_at,"
                " passkey_id, user_agent, user_name",
                narrow="session_id, user_name, device_name, last_seen_at",
            ),
            "refusals": CommandRow(
                "ListSignInRefusals",
                columns="refused_at, user_name, method, reason, network, count, request_id",
            ),
            "end": CommandRow("EndSession", place="server.cli.session:end"),
            "end-all": CommandRow(
                "EndSessions",
                without={"keep_current": "the operator has no session"},
                says="Sessions of '{user}' that ended: {ended_count}",
            ),
        },
    ),
    "smtp": CommandRows(
        "Manage the SMTP configurations, by which mails are sent.",
        "SMTPService",
        {
            "add": CommandRow(
                "AddSMTPConfig",
                arguments=(),
                keys=_OF_SERVERS,
                says="The SMTP configuration was added. To try it, run: keystead smtp test",
            ),
            "show": CommandRow("GetSMTPConfig"),
            "update": CommandRow(
                "UpdateSMTPConfig",
                help="Change the SMTP configuration. Omitted options change nothing.\n\nThe"
                " password must be given again when the host, --tls or the user changes.",
                arguments=(),
                apply="server.cli.changes:smtp",
                says="The SMTP configuration was changed. To try it, run: keystead smtp test",
            ),
            "test": CommandRow(
                "TestSMTPConfig",
                help="Test the SMTP configuration step by step. Without --to, no mail is sent.",
                keys=_OF_SERVERS,
                without={"unsaved_config": "the stored configuration is tested"},
            ),
            "set-oauth": CommandRow(
                "SetSMTPOAuth",
                keys=_OF_SERVERS,
                arguments=(),
                says="The OAuth settings were set. To try them, run: keystead smtp test",
            ),
            "remove-oauth": CommandRow(
                "RemoveSMTPOAuth", says="The OAuth settings and their secret were removed."
            ),
            "remove": CommandRow(
                "RemoveSMTPConfig",
                says="The SMTP configuration and its secrets were removed.",
            ),
        },
    ),
    "system": CommandRows(
        "Describe the running system.",
        "SystemService",
        {
            "show": CommandRow(
                "GetSystem",
                inner={
                    "findings": "state, check, message, remedy",
                    "servers": "host_name, process_id, schema_version, seen_at",
                    "signing_keys": "kid, algorithm, state, changes_at",
                    "settings": "name, value, is_set",
                },
            )
        },
    ),
    "token": CommandRows(
        "Manage tokens of users.",
        "UserService",
        {
            "create": CommandRow(
                "CreateToken",
                help="Create a bearer token for a user. It cannot be read again.",
                prints=("token",),
            ),
            "create-certificate": CommandRow(
                "CreateCertificate", prints=("token_id",), files={"certificate"}
            ),
            "create-workload-credential": CommandRow(
                "CreateWorkloadCredential", prints=("token_id",), arguments=("user_id",)
            ),
            "list": CommandRow(
                "ListTokens",
                columns="token_id, name, expires_at, last_used_at, thumbprint, workload.subject as"
                " subject",
            ),
            "revoke": CommandRow(
                "RevokeToken",
                help="Revoke a token. Running servers refuse writes with it at once, reads within 5"
                " seconds.",
                says="The token was revoked: {token_id}",
            ),
        },
    ),
    "user": CommandRows(
        "Manage users and their roles.",
        "UserService",
        {
            "create": CommandRow(
                "CreateUser",
                help="Create a user and print its ID.\n\nThe user has no credentials yet: see"
                " `keystead passkey link` and `keystead token create`.",
                prints=("user_id",),
            ),
            "list": CommandRow(
                "ListUsers",
                help="List the users of an organization, oldest first.",
                columns="user_id, user_name, roles, email, locked_at, display_name, state,"
                " last_sign_in_at, invited_at",
                narrow="user_name, display_name, state, last_sign_in_at",
                without={"with_total_size": "the command lists all"},
            ),
            "show": CommandRow(
                "GetUser",
                help="Show a user with its passkeys, sessions, groups, applications and mails.",
                parts={
                    "passkeys": ShownList(
                        "PasskeyService.ListPasskeys", "name, provider_name, last_used_at"
                    ),
                    "sessions": ShownList(
                        "SessionService.ListSessions", "device_name, ip_address, last_seen_at"
                    ),
                    "groups": ShownList("GroupService.ListGroupsOfUser", "name, display_name"),
                    "applications": ShownList(
                        "ApplicationService.ListGrants", "application_name, entered_at, scopes"
                    ),
                    "mails": ShownList(
                        "MailService.ListMails",
                        "kind, state, recipient_address, created_at",
                        filter="user_id = {user_id}",
                        limit=10,
                    ),
                },
            ),
            "count": CommandRow(
                "CountUsers",
                help="Count the people of an organization, and those who have a passkey."
                "\n\nPeople are users with a mail address or a passkey who are not locked.",
                says="{people_with_passkey} of {people} people have a passkey.",
            ),
            "set": CommandRow(
                "PatchUser",
                help="Change names, the mail address and other fields of a user.\n\nOmitted options"
                " change nothing. An empty --email-verification resets it. A new address ends the"
                " link that was mailed to the old one. The old address is notified of the change"
                " if mail can be sent.",
            ),
            "cancel-email-change": CommandRow(
                "CancelEmailChange", says="No change of the mail address of '{user}' is pending."
            ),
            "remove": CommandRow("RemoveUser"),
            "lock": CommandRow("LockUser", says="The user '{user}' is locked."),
            "unlock": CommandRow("UnlockUser", says="The user '{user}' is not locked."),
            "grant": CommandRow(
                "GrantRole",
                help="Grant a role to a user.\n\nFails if a token, passkey or identity link of the"
                " user has a maker without the permissions of the role, unless you end them. Open"
                " links and ceremonies with such a maker end.",
                says="The user '{user}' has the role {role}.",
            ),
            "revoke": CommandRow(
                "RevokeRole", says="The user '{user}' does not have the role {role}."
            ),
            "groups": CommandRow(
                "GroupService.ListGroupsOfUser", columns="group_id, name, display_name"
            ),
            "grants": CommandRow(
                "ApplicationService.ListGrants",
                columns="application_id, application_name, scopes, entered_at",
            ),
            "revoke-grant": CommandRow(
                "ApplicationService.RevokeGrant",
                says="The grant of '{user}' to '{app}' ended, or was narrowed.",
            ),
            "idp-links": CommandRow(
                "IDPLinkService.ListIDPLinks", columns="link_id, idp_name, issuer, subject"
            ),
            "unlink-idp": CommandRow(
                "IDPLinkService.UnlinkIDP", says=f"The link was removed: {{link_id}}\n{_ENDED}"
            ),
        },
    ),
}

# Methods that do a part of what a command does.
_PARTS: Final = {"UpdateIDP": "idp set", "UpdateSMTPConfigPassword": "smtp update"}
# The words of the command for each method, without `keystead`.
COMMAND_OF_METHOD: Final = _PARTS | {
    method.rpartition(".")[2]: f"{group} {name}"
    for group, declared in GROUPS.items()
    for name, row in declared.commands.items()
    for method in (row.method, *row.by.values())
}
