"""Commands that follow from the schema, and what they leave out of it."""

import re
from collections.abc import Iterator
from string import Template
from typing import Any

import click
import pytest
from google.api import field_behavior_pb2
from google.protobuf.descriptor import MethodDescriptor

from keystead.group.v1 import group_service_pb2 as pb
from keystead.options.v1 import options_pb2
from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli.declared import command
from server.cli.declared.call import _objects
from server.cli.declared.form import Form
from server.cli.declared.table import COMMAND_OF_METHOD, GROUPS, SERVICES, CommandRow
from server.cli.names import FINDERS
from server.idp import store as idp_store
from server.store.database import connected
from tests.cli.words import Keystead, columns, done, objects, unique
from tests.support import given
from tests.support.given import Instance

_ROWS = {
    f"{group} {name}": (group, row)
    for group, declared in GROUPS.items()
    for name, row in declared.commands.items()
}
_DECLARED = [words for words, (_, row) in _ROWS.items() if not row.place]
# Methods of users who manage something that no command calls, with the reason.
_WITHOUT_COMMAND = {
    "CheckPasskeyRegistration": "a page of the user",
    "ExportUsers": "`keystead export users` writes a file",
    "ImportUsers": "`keystead import` reads a file",
    "InviteUsers": "`keystead invite` pages through users",
    "LockUsers": "`keystead user lock` takes one; the console takes many",
    "UnlockUsers": "`keystead user unlock` takes one; the console takes many",
    "RemoveUsers": "`keystead user remove` takes one; the console takes many",
    "AddGroupMembers": "`keystead group member add` takes one; the console takes many",
    "ListMailPreviews": "for the console",
    "PreviewMailText": "for the console",
    "LinkIDP": "a flow of the user",
    "RequestEmailChange": "needs a session of the user",
    "ConfirmEmailChange": "needs a session of the user",
    "RegisterPasskey": "a ceremony in a browser",
    "VerifyPasskeyRegistration": "a ceremony in a browser",
    "IntrospectSession": "for services that trust sessions",
    "WatchEndedSessions": "for services that trust sessions",
}


def _methods() -> Iterator[MethodDescriptor]:
    """The methods that need a permission, of all services with commands."""
    for name in SERVICES:
        for method in command.service_of(name).methods:
            if method.GetOptions().Extensions[options_pb2.access].permission:
                yield method


def test_every_method_that_needs_a_permission_has_a_command_or_a_reason() -> None:
    unknown = {method.name for method in _methods()} - COMMAND_OF_METHOD.keys()

    assert unknown == _WITHOUT_COMMAND.keys()


def test_every_field_of_a_request_is_a_parameter_or_has_a_reason() -> None:
    for words in _DECLARED:
        group, row = _ROWS[words]
        names = [row.method, *([row.also] if row.also else [])]
        requests = [command.method_of(group, name).input_type for name in names]
        taken = {each.path for each in Form(requests, row, group).inputs}

        for name in filter(None, (row.method, row.also, *row.by.values())):
            request = command.method_of(group, name).input_type
            assert {*_settable(request, row, "update_mask" in request.fields_by_name)} <= taken, (
                name
            )


def _settable(
    message: Any, row: CommandRow, is_patch: bool, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """The paths of the fields that a caller can set, without those that a row leaves out."""
    for field in message.fields:
        behavior = set(field.GetOptions().Extensions[field_behavior_pb2.field_behavior])
        fixed = field_behavior_pb2.IMMUTABLE if is_patch else field_behavior_pb2.IDENTIFIER
        if field.name in row.without or field.name in ("page_size", "page_token", "update_mask"):
            continue
        if behavior & {field_behavior_pb2.OUTPUT_ONLY, fixed}:
            continue
        kind = field.message_type
        if kind and kind.fields and not field.is_repeated and kind.file.package[:6] != "google":
            yield from _settable(kind, row, is_patch, (*path, field.name))
        else:
            yield (*path, field.name)


_NAMES = re.compile(r"\b[A-Z][a-z]+[A-Z]\w+\b|\b[A-Z]+_[A-Z_]+\b")
# Words that are names of something else.
_KNOWN = re.compile(r"KEYSTEAD_\w+|JSON|WebP|OpenID|EdDSA|OAuth|MiB|KiB|\b[A-Z]{2,}-\w+")


def test_the_help_of_a_command_speaks_of_commands() -> None:
    for words in _DECLARED:
        made = command.command(*words.split())
        texts = [made.help or "", *(getattr(each, "help", "") or "" for each in made.params)]

        for text in texts:
            assert text, words
            found = set(_NAMES.findall(_KNOWN.sub("", text)))
            assert not found, (words, text)
            assert not re.search(r"x-service-orgid|update_mask|page_size", text), words


def test_every_declared_command_prints_json() -> None:
    for words in _DECLARED:
        assert any(each.name == "as_json" for each in command.command(*words.split()).params)


def test_a_secret_is_read_from_a_file_and_never_from_an_argument() -> None:
    for words in _DECLARED:
        group, row = _ROWS[words]
        names = [row.method, *([row.also] if row.also else [])]
        requests = [command.method_of(group, name).input_type for name in names]
        form = Form(requests, row, group)
        secrets = {field.name for each in requests for field in each.fields if _is_secret(field)}

        for each in form.inputs:
            if each.path[-1] in secrets:
                assert isinstance(each.parameter.type, click.File), words
                assert each.parameter.opts == [f"--{each.path[-1].replace('_', '-')}-file"], words


def _is_secret(field: Any) -> bool:
    return bool(field.GetOptions().debug_redact)


# By the command, in order: its output, whose groups are names for the commands after it.
_ID = r"[0-9a-f-]{36}"
_STEPS = (
    ("org create $org", rf"(?P<org_id>{_ID})"),
    (
        "org set $org --mail-recovery --client-metadata-host *",
        "The organization '$org' was changed.",
    ),
    (
        "org show $org_id --json",
        r'.*"allows_mail_recovery": true, "client_metadata_hosts": \["\*"\].*',
    ),
    (
        "org set $org --name $org-renamed",
        "The organization '$org' was changed.",
    ),
    ("org set $org-renamed --name $org", "The organization '$org-renamed' was changed."),
    (
        "org set $org --no-mail-recovery --client-metadata-host ''",
        "The organization .* was changed.",
    ),
    (
        "org show $org",
        r"(?s)org_id\t$org_id\n.*allows_mail_recovery\tno\nclient_metadata_hosts\t-.*",
    ),
    ("org create $org-former", rf"(?P<former_id>{_ID})"),
    ("user create eve --org $org-former", rf"(?P<eve_id>{_ID})"),
    (
        "org remove $org-former --confirm $org-former",
        "The organization '$org-former' was removed.",
    ),
    ("user create ada --email a@example.com --org $org", rf"(?P<user_id>{_ID})"),
    ("user set ada --display-name Ada --org $org", "The user 'ada' was changed."),
    ("user set $user_id --email-verification ''", "The user '$user_id' was changed."),
    ("user set $user_id --email ''", "The user '$user_id' was changed."),
    ("user list --org $org", "$user_id\tada\t-\t-\t-\tAda\tACTIVE\t-\t-"),
    ("user list --org $org --query nobody", ""),
    ("user list --org $org --filter roles:* --order-by invited_at", ""),
    ("user show $user_id --json", r'\{"user_id": "$user_id", .*"display_name": "Ada".*\}'),
    ("user grant $user_id org_owner", "The user '$user_id' has the role org_owner."),
    ("user grant $user_id ROLE_ORG_OWNER", "The user .*"),
    (
        "user grant $user_id org_owner --expires-at +2d",
        "The user '$user_id' has the role org_owner.",
    ),
    ("user revoke ada ORG_OWNER --org $org", "The user 'ada' does not have the role org_owner."),
    ("user lock $user_id --reason lost", "The user '$user_id' is locked."),
    ("user show $user_id", r"(?s).*lock_reason\tlost\n.*passkeys\t-\nsessions\t-\ngroups\t.*"),
    ("user unlock $user_id", "The user '$user_id' is not locked."),
    ("token create $user_id --name script --expires-at +2d", "(?P<token>kst_.*)"),
    ("token list $user_id", "(?P<token_id>[0-9a-f-]+)\tscript\t20.*\t-"),
    ("token revoke $user_id $token_id", "The token was revoked: $token_id"),
    ("group create staff --org $org", rf"(?P<group_id>{_ID})"),
    ("attribute create level number --org $org", rf"(?P<attribute_id>{_ID})"),
    ("attribute set level --user-access read --org $org", "The attribute 'level' was changed."),
    ("attribute show $attribute_id --org $org", "(?s).*user_access\tREAD\n.*"),
    ('user set $user_id --attributes {"level":3}', "The user .*"),
    ("user show $user_id --json", r"""(?s).*"attributes": \{"level": 3\}.*"""),
    ("attribute list --org $org", "$attribute_id\tlevel\tlevel\tNUMBER\tREAD"),
    ("attribute remove level --org $org", "The attribute 'level' was removed."),
    (
        "mail-domain create Corp.Example --org $org",
        (
            rf"(?P<mail_domain_id>{_ID})\n_keystead-challenge.corp.example\n"
            "(?P<record>keystead-domain-verification=.{32})"
        ),
    ),
    ("mail-domain list --org $org", "$mail_domain_id\tcorp.example\t-?\t-\t_keystead.*\t$record"),
    ("mail-domain set corp.example --idp '' --org $org", "The mail domain 'corp.example' was .*"),
    ("mail-domain show corp.example --org $org", "(?s).*record_value\t$record\n.*"),
    ("mail-domain remove $mail_domain_id", "The mail domain '$mail_domain_id' was removed."),
    ("group set $group_id --display-name Staff", "The group '$group_id' was changed."),
    ("group show staff --org $org --json", r'\{"group_id": "$group_id", "name": "staff", .*\}'),
    ("group list --org $org", "$group_id\tstaff\tStaff"),
    ("group add-member $group_id ada", "The user 'ada' is a member of '$group_id'."),
    ("group members staff --org $org", "$user_id\tada\tAda"),
    ("user groups $user_id", "$group_id\tstaff\tStaff"),
    ("group remove-member $group_id ada", "The user 'ada' is not a member of '$group_id'."),
    (
        (
            "app create Wiki --kind web --org $org --redirect-uri https://a.example/x"
            " --scope openid --scope groups --allow-group staff --first-party"
        ),
        rf"(?P<app_id>{_ID})",
    ),
    ("app list --org $org", "$app_id\tWiki\tWEB"),
    (
        "app set wiki --org $org --pkce none --access-token-lifetime 60",
        "The application 'wiki' was changed.",
    ),
    (
        "app show $app_id --json",
        (
            r'.*"kind": "WEB", "redirect_uris": \["https://a.example/x"\],.*"scopes": \["openid",'
            r' "groups"\],.*"first_party": true, "pkce": "NONE", "allowed_groups":'
            r' \["$group_id"\], "admits_groups_only": true,.*"access_token_lifetime_seconds": 60,.*'
            r'"logo_bytes": 0,.*"secrets": \[\].*'
        ),
    ),
    ("app set $app_id --redirect-uri ''", "The application '$app_id' was changed."),
    ("app create-secret $app_id", "(?P<secret>kas_000[0-9a-f]{72})"),
    (
        "app show $app_id --json",
        r'.*"redirect_uris": \[\].*"secrets": \[\{"secret_id": "(?P<secret_id>[^"]+)".*',
    ),
    ("app claims $app_id $user_id --json", r'\{.*"is_admitted": (true|false),.*\}'),
    ("app refusals $app_id", ""),
    ("app refusals --org $org --request-id unknown", ""),
    ("app remove-secret $app_id $secret_id", "The secret was removed: $secret_id"),
    ("user grants $user_id", ""),
    ("user idp-links $user_id", ""),
    ("app remove $app_id --json", r'\{"sequence": .*\}'),
    ("group remove $group_id", "The group '$group_id' was removed."),
    ("brand set --name Example --org $org", "The brand was changed."),
    ("brand set --color #1a3c6e --org $org", "The brand was changed."),
    (
        "brand show --org $org --json",
        r'\{"name": "Example", "logo_bytes": 0, "color": "#1a3c6e", "support_address": "".*\}',
    ),
    ("brand set --support help@example.com", "The brand was changed."),
    ("brand show", "(?s).*support_address\thelp@example.com\n.*"),
    (
        "mail set-text passkey_invitation.de --title Willkommen --org $org",
        "The own text was set.",
    ),
    ("mail texts --org $org", "passkey_invitation.de\t-\tWillkommen"),
    ("mail remove-text passkey_invitation.de --org $org", "The own text was removed."),
    ("mail set-text passkey_invitation.de --title Hallo", "The own text was set."),
    ("mail remove-text passkey_invitation.de", "The own text was removed."),
    ("brand set --support ''", "The brand was changed."),
    ("session list $user_id", ""),
    ("session refusals --org $org --user $user_id", ""),
    ("org figures $org_id", r"(?s).*users\t[0-9]+\n.*sends_mail\t(yes|no)"),
    ("system show", r"(?s)examined_at\t.*\nschema_version\t[0-9]+\n.*"),
    ("group list --org $org --filter change_date>2020-01-01T00:00:00Z --query nobody", ""),
    ("app list --org $org --filter kind=GATE --order-by change_date --query nobody", ""),
    ("session list --org $org --query ada", ""),
    ("session end-all $user_id", "Sessions of '$user_id' that ended: 0"),
    ("user remove $user_id", "The user '$user_id' was removed."),
)


async def test_each_command_does_what_it_says(keystead: Keystead) -> None:
    names = {"org": unique("org")}
    for words, expected in _STEPS:
        filled = Template(words).safe_substitute(names)
        output = await done(keystead(*(word.strip("'") for word in filled.split(" "))))
        found = re.fullmatch(Template(expected).safe_substitute(names), output)
        assert found, (words, output)
        names |= found.groupdict()
    assert names["secret"] not in await done(keystead("audit", "--aggregate", names["app_id"]))


async def test_text_has_the_columns_of_the_row_and_json_all_fields(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)

    [[token_id, *_]] = await columns(keystead("token", "list", user.user_id))
    [token] = await objects(keystead("token", "list", user.user_id, "--json"))

    assert token["token_id"] == token_id
    assert {"name", "created_by", "kind", "creation_date", "resource_owner"} <= token.keys()
    assert user.token not in str(token)


async def test_a_list_is_read_in_pages_up_to_its_limit() -> None:
    request, asked = pb.ListGroupsRequest(), list[tuple[int, str]]()

    async def answer() -> pb.ListGroupsResponse:
        asked.append((request.page_size, request.page_token))
        groups = [pb.Group(name=str(number)) for number in range(request.page_size)]
        return pb.ListGroupsResponse(groups=groups, next_page_token=str(len(asked)))

    rows = [row async for row in _objects(answer, request, 450)]

    assert len(rows) == 450
    assert asked == [(200, ""), (200, "1"), (200, "2")]


@pytest.mark.parametrize("spelled", ["Müller IdP", "MÜLLER idp", "müller ＩＤＰ"])  # noqa: RUF001
async def test_a_provider_is_found_by_its_name_without_a_list_of_all(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, spelled: str
) -> None:
    org_id = await given.organization(instance.admin)
    async with connected(instance.dsn, pool_size=1) as database:
        owner = await given.user(instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
        idp_id = await given.idp(owner, name="Müller IdP")
        await given.idp(owner, name="Another")
        monkeypatch.delattr(idp_store, "LIST")

        found = await FINDERS["idp_id"](database, spelled, org_id)

    assert found == (idp_id, org_id)
