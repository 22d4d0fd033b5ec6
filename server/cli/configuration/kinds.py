"""What a file of configuration can have: a row for each kind of object.

The methods of a row name everything else: fields follow from their messages, and names of the file
are those of the `.proto` files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class MemberMethods(NamedTuple):
    """The methods that add a value to a list and remove one, and the field of their requests."""

    add: str
    remove: str
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class ObjectKind:
    """Objects of one kind, or one object.

    `section` is its name in the file, `service` and the methods are names of the schema. Objects
    are named by their field `key`; without one there is a single object. `create` makes an object
    that is not there, by default `update`. Without `remove`, objects are not removed.

    An `id` that is the `key` is given by the file.

    `get` reads the fields `unlisted`, which the list leaves out. `references` are fields whose
    values name objects of another section, by paths. `chosen_id` is the field of `create` that
    gives a new object an ID. `secrets_by` is the method that adds a secret. `members` are lists
    that have methods of their own. `parts` are single objects inside of this one; one without
    `read` is a field of it. `replaces`: `update` resets the fields that a file does not name.
    `exported` is a list and its values, one of which an exported object has. `elsewhere` are fields
    that the file has in another place. `unique`: no two
    objects of an organization have the same name. `unfinished` is a field that an object gets by a
    step outside of the file, and the sentence about one without it, with fields in braces.
    """

    section: str
    noun: str
    service: str
    read: str
    update: str = ""
    create: str = ""
    remove: str = ""
    key: str = ""
    id: str = ""
    get: str = ""
    unlisted: frozenset[str] = frozenset()
    references: Mapping[str, str] = field(default_factory=dict)
    chosen_id: str = ""
    secrets_by: str = ""
    members: Mapping[str, MemberMethods] = field(default_factory=dict)
    parts: Sequence["ObjectKind"] = ()
    replaces: bool = False
    unique: bool = False
    exported: tuple[str, frozenset[str]] = ("", frozenset())
    elsewhere: frozenset[str] = frozenset()
    unfinished: tuple[str, str] = ("", "")


_GROUPS_OF_APPLICATION: Final = {
    "allowed_groups": "groups",
    "resource_scopes.allowed_groups": "groups",
}

_UNPROVEN: Final = (
    "is not proven: publish the TXT record {record_name} with the value {record_value}, and run"
    " `keystead mail-domain verify {domain}`."
)

# That of the instance or of an organization.
_SMTP_CONFIG: Final = ObjectKind(
    "smtp_config",
    "SMTP configuration",
    "SMTPService",
    read="GetSMTPConfig",
    create="AddSMTPConfig",
    update="UpdateSMTPConfig",
    remove="RemoveSMTPConfig",
    parts=(
        ObjectKind(
            "oauth",
            "OAuth settings",
            "SMTPService",
            read="",
            update="SetSMTPOAuth",
            remove="RemoveSMTPOAuth",
            replaces=True,
        ),
    ),
)

_MAIL_TEXTS: Final = ObjectKind(
    "mail_texts",
    "own text of mails",
    "MailService",
    read="ListMailTexts",
    update="SetMailText",
    remove="RemoveMailText",
    key="mail_text_id",
    id="mail_text_id",
    unique=True,
)

# What an organization can have. An object is changed after those that it can name.
ORGANIZATION: Final = (
    ObjectKind(
        "settings",
        "settings of the organization",
        "OrganizationService",
        read="GetOrganization",
        update="PatchOrganization",
        # The key of `organizations`.
        elsewhere=frozenset({"name"}),
    ),
    ObjectKind(
        "brand",
        "brand",
        "BrandService",
        read="GetBrand",
        update="SetBrand",
    ),
    _SMTP_CONFIG,
    _MAIL_TEXTS,
    ObjectKind(
        "attributes",
        "attribute",
        "AttributeService",
        read="ListAttributeDefinitions",
        create="CreateAttributeDefinition",
        update="PatchAttributeDefinition",
        remove="RemoveAttributeDefinition",
        key="name",
        id="attribute_id",
        unique=True,
    ),
    ObjectKind(
        "groups",
        "group",
        "GroupService",
        read="ListGroups",
        create="CreateGroup",
        update="PatchGroup",
        remove="RemoveGroup",
        key="name",
        id="group_id",
        unique=True,
    ),
    ObjectKind(
        "service_users",
        "user",
        "UserService",
        read="ListUsers",
        create="CreateUser",
        update="PatchUser",
        key="user_name",
        id="user_id",
        unique=True,
        members={"roles": MemberMethods("GrantRole", "RevokeRole", "role")},
        # No other role tells a service from a person.
        exported=("roles", frozenset({"ROLE_GATE", "ROLE_SESSION_VERIFIER"})),
    ),
    ObjectKind(
        "applications",
        "application",
        "ApplicationService",
        read="ListApplications",
        get="GetApplication",
        unlisted=frozenset({"logo", "jwks"}),
        create="CreateApplication",
        update="PatchApplication",
        remove="RemoveApplication",
        key="name",
        id="application_id",
        chosen_id="application_id",
        references=_GROUPS_OF_APPLICATION,
        secrets_by="CreateApplicationSecret",
    ),
    ObjectKind(
        "idps",
        "identity provider",
        "IdentityProviderService",
        read="ListIDPs",
        get="GetIDP",
        unlisted=frozenset({"mappings"}),
        references={"mappings.groups": "groups"},
        create="CreateIDP",
        update="PatchIDP",
        remove="RemoveIDP",
        key="name",
        id="idp_id",
        parts=(
            ObjectKind(
                "oidc_config",
                "OpenID Connect settings",
                "OIDCConfigService",
                read="GetOIDCConfig",
                update="SetOIDCConfig",
                remove="RemoveOIDCConfig",
            ),
        ),
    ),
    ObjectKind(
        "mail_domains",
        "mail domain",
        "MailDomainService",
        read="ListMailDomains",
        create="CreateMailDomain",
        update="PatchMailDomain",
        remove="RemoveMailDomain",
        key="domain",
        id="mail_domain_id",
        references={"idp_id": "idps"},
        unique=True,
        unfinished=("proven_at", _UNPROVEN),
    ),
    ObjectKind(
        "subscriptions",
        "subscription",
        "PushService",
        read="ListSubscriptions",
        create="CreateSubscription",
        update="PatchSubscription",
        remove="RemoveSubscription",
        key="name",
        id="subscription_id",
    ),
)

# What the instance can have.
INSTANCE: Final = (
    ObjectKind(
        "brand",
        "brand of the instance",
        "BrandService",
        read="GetInstanceBrand",
        update="SetInstanceBrand",
    ),
    _SMTP_CONFIG,
    _MAIL_TEXTS,
)

# The organizations of the instance, which `organizations` of a file names.
ORGANIZATIONS: Final = ObjectKind(
    "organizations",
    "organization",
    "OrganizationService",
    read="ListOrganizations",
    create="CreateOrganization",
    update="PatchOrganization",
    key="name",
    id="org_id",
    unique=True,
)
