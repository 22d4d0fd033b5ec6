"""Plans: what differs, what is removed, what a token sees, and which secrets are written."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli.configuration.client import RefusalError, connected
from server.cli.configuration.words import in_words, json_of
from server.values.errors import OperatorError
from tests.application import calls
from tests.configuration.files import Configured, configured
from tests.conftest import MakeInstance
from tests.support import given, images
from tests.support.given import Client, Instance

_SECRET = "a-secret-of-128-bits-0123456789abcdef"
_WEB = {"kind": "APPLICATION_KIND_WEB", "redirect_uris": ["https://a.example.com/cb"]}
_RESOURCE = {
    "kind": "APPLICATION_KIND_RESOURCE",
    "resource_scopes": [{"name": "orders.read", "allowed_groups": ["a"]}, {"name": "orders"}],
}


async def test_fields_that_a_file_does_not_name_keep_their_values(org: Configured) -> None:
    await org.apply({"applications": {"A": _WEB | {"first_party": True}}})

    assert await org.paths({"applications": {"A": _WEB}}) == []
    [plan] = await org.plan({"applications": {"A": _WEB | {"first_party": False}}})
    assert [*in_words(plan.all[0])] == ["~ applications.A", "    first_party: true -> false"]
    whole = await org.export(is_whole=True)
    assert whole["applications"]["A"]["gate_identity_headers"] is False
    assert await org.paths(whole, prunes=True) == []


async def test_another_spelling_of_the_same_value_is_no_difference(org: Configured) -> None:
    await org.apply({"applications": {"A": _WEB}})

    # An empty value sets the default.
    assert await org.paths({"applications": {"A": _WEB | {"scopes": []}}}) == []


async def test_an_id_renames_and_references_follow(org: Configured) -> None:
    resource = _RESOURCE | {"identifier": f"urn:{org.org_id}"}
    await org.apply({"groups": {"a": None}, "applications": {"R": resource}})
    group_id = (await org.plan({"groups": {"a": {"display_name": "x"}}}))[0].all[0].own["group_id"]
    scopes = [{"name": "orders.read", "allowed_groups": ["b"]}, {"name": "orders"}]
    renamed = {
        "groups": {"b": {"id": group_id}},
        "applications": {"R": {"resource_scopes": scopes}},
    }

    assert await org.paths(renamed) == ["change groups.b"]
    assert (await org.apply(renamed)).succeeded
    exported = await org.export()
    assert [*exported["groups"]] == ["b"]
    assert exported["applications"]["R"]["resource_scopes"][0]["allowed_groups"] == ["b"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"groups": {"a": {"id": "unknown"}}}, "no group has this ID"),
        ({"applications": {"A": {"kind": "APPLICATION_KIND_SERVICE"}}}, "cannot be changed"),
        ({"applications": {"B": _WEB | {"redirect_uris": ["http://x.com"]}}}, "redirectUris.0"),
        ({"service_users": {"u": {"id": "?"}}}, "no user has this ID"),
        ({"applications": {"B": _WEB | {"secret": {"from_file": "none"}}}}, "cannot be read"),
        ({"instance": {"brand": {"name": "x"}}}, "permission"),
        ({"organizations": {"x": {}}}, "permission"),
    ],
)
async def test_what_the_server_would_refuse_is_said_before_anything_changes(
    org: Configured, content: dict[str, object], problem: str
) -> None:
    await org.apply({"applications": {"A": _WEB}})
    before = await org.export()

    with pytest.raises((OperatorError, RefusalError), match=problem):
        await org.apply({"groups": {"new": None}} | content)

    assert await org.export() == before


async def test_two_objects_of_one_name_are_told_apart_by_their_ids(
    org: Configured, owner: Client
) -> None:
    ids = [await calls.application(owner, name="Twin") for _ in range(2)]

    with pytest.raises(OperatorError, match="2 objects have this name"):
        await org.plan({"applications": {"Twin": {}}})
    exported = (await org.export())["applications"]
    assert {each["id"] for each in exported.values()} == {*ids}
    assert await org.paths({"applications": exported}, prunes=True) == []


async def test_removals_need_prune_and_are_tried_first(org: Configured) -> None:
    provider = {
        "oidc_config": {
            "issuer": "https://login.example.com",
            "client_id": "k",
            "token_endpoint_auth_method": "TOKEN_ENDPOINT_AUTH_METHOD_NONE",
        }
    }
    await org.apply({"groups": {"a": None, "b": None}, "idps": {"P": provider, "Q": provider}})
    fewer = {"groups": {"a": None}, "idps": {"P": {"oidc_config": None}}}

    [plan] = await org.plan(fewer)
    assert (plan.all, plan.unnamed) == ([], ["groups.b", "idps.Q"])
    assert await org.paths(fewer, prunes=True) == [
        "change idps.P",
        "remove groups.b",
        "remove idps.Q",
    ]
    assert (await org.apply(fewer, prunes=True)).succeeded
    exported = await org.export()
    assert ([*exported["groups"]], exported["idps"]) == (["a"], {"P": {}})


async def test_a_secret_is_written_if_none_is_stored_or_an_older_one(
    org: Configured, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret: dict[str, str] = {"from_env": "THE_SECRET"}
    content = {"applications": {"A": _WEB | {"secret": secret}}}
    with pytest.raises(OperatorError, match=r"applications.A.secret: .* THE_SECRET is not set"):
        await org.apply(content)
    monkeypatch.setenv("THE_SECRET", _SECRET)

    first = await org.apply(content, as_json=True)
    monkeypatch.delenv("THE_SECRET")
    assert await org.paths(content) == []  # so a plan needs no secrets

    (org.folder / "secret").write_text(f"{_SECRET}-new\n")
    del secret["from_env"]
    secret |= {"from_file": "secret", "rotated_at": str(datetime.now(UTC))}
    second = await org.apply(content)
    assert await org.paths(content) == []
    hours_ago = datetime.now(UTC) - timedelta(hours=2)
    secret["rotated_at"] = str(hours_ago.replace(tzinfo=None))
    assert await org.paths(content) == []

    printed = first.output + first.errors + second.output + second.errors
    assert "secret" in printed
    assert _SECRET not in printed
    listed = await owner.call(
        owner.applications.ListApplications, application_pb.ListApplicationsRequest()
    )
    [application] = listed.applications
    assert len(application.secrets) == 2
    assert hashlib.sha256(_SECRET.encode()).digest() not in application.SerializeToString()
    assert (await org.export())["applications"]["A"]["secret"] == {
        "from_env": "APPLICATIONS_A_SECRET"
    }


async def test_a_secret_goes_along_when_the_server_asks_for_it(
    org: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLIENT_SECRET", "client-secret")
    config = {
        "issuer": "https://a.example.com",
        "client_id": "k",
        "client_secret": {"from_env": "CLIENT_SECRET"},
    }
    await org.apply({"idps": {"P": {"oidc_config": config}}})
    config["issuer"] = "https://b.example.com"

    moved = await org.apply({"idps": {"P": {"oidc_config": config}}})

    assert "client_secret: (secret)" in moved.output
    assert (await org.export())["idps"]["P"]["oidc_config"]["client_secret"] == {
        "from_env": "IDPS_P_OIDC_CONFIG_CLIENT_SECRET"
    }


async def test_an_attribute_keeps_its_type(org: Configured) -> None:
    content = {"attributes": {"a": {"type": "ATTRIBUTE_TYPE_TEXT", "display_name": "A"}}}
    await org.apply(content)
    content["attributes"]["a"]["display_name"] = "B"
    assert (await org.apply(content)).succeeded
    assert await org.paths(content, prunes=True) == []

    content["attributes"]["a"]["type"] = "ATTRIBUTE_TYPE_NUMBER"
    with pytest.raises(OperatorError, match=r"attributes\.a\.type: cannot be changed; it is ATTR"):
        await org.plan(content)


async def test_a_user_keeps_its_name(org: Configured) -> None:
    await org.apply({"service_users": {"u": {"roles": []}}})
    [plan] = await org.plan({"service_users": {"u": {"display_name": "x"}}})
    user_id = plan.all[0].own["user_id"]

    with pytest.raises(OperatorError, match="cannot be renamed; it is u"):
        await org.plan({"service_users": {"v": {"id": user_id}}})


async def test_a_value_that_another_organization_has_is_refused_and_the_rest_is_made(
    org: Configured, admin: Client
) -> None:
    origin = f"https://{org.org_id}.example.com"
    gate = {"kind": "APPLICATION_KIND_GATE", "origins": [origin]}
    foreign = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    kind = application_pb.APPLICATION_KIND_GATE
    await calls.application(foreign, kind=kind, origins=[origin], redirect_uris=[])
    content = {"applications": {"G": gate, "A": _WEB}}

    [plan] = await org.plan(content)
    assert "would be refused now" in [*in_words(plan.all[0])][-1]
    applied = await org.apply(content)
    assert not applied.succeeded
    assert applied.output.startswith("+ applications.A\n")
    assert "applications.G" in applied.errors


async def test_an_organization_whose_name_is_taken_gets_no_objects(
    own_instance: Instance, tmp_path: Path
) -> None:
    async with configured(own_instance, own_instance.admin, tmp_path) as server:
        await server.apply({"organizations": {"Shop": {}}})
        refused = await server.apply({"organizations": {"SHOP": {"groups": {"a": None}}}})

    assert not refused.succeeded
    assert "organizations.SHOP" in refused.errors


async def test_an_id_renames_an_organization_and_its_former_name_is_another(
    own_instance: Instance, tmp_path: Path
) -> None:
    async with configured(own_instance, own_instance.admin, tmp_path) as server:
        await server.apply({"organizations": {"Shop": {}}})
        org_id = (await server.plan({"organizations": {"Shop": {}}}))[0].ids["org_id"]
        shop = {"id": org_id, "settings": {"keeps_profiles": True}}
        renamed = {"organizations": {"Store": shop}}

        assert await server.paths(renamed) == [
            "change organizations.Store",
            "change organizations.Store.settings",
        ]
        applied = await server.apply(renamed)
        assert applied.succeeded, applied.errors
        assert await server.paths(renamed) == []
        renamed["organizations"]["Shop"] = {}
        assert await server.paths(renamed) == ["create organizations.Shop"]
        assert (await server.apply(renamed)).succeeded

        exported = await server.export_instance()
        assert {"Store", "Shop"} <= {*exported["organizations"]}
        assert exported["organizations"]["Store"]["settings"] == {"keeps_profiles": True}


async def test_many_creations_are_not_tried_by_apply(
    org: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.cli.configuration.plan._MOST_TRIED", 1)
    wrong = {"groups": {"a": None, "b": None, "Not a name": None}}

    with pytest.raises(OperatorError, match="line 4: "):
        await org.plan(wrong)
    applied = await org.apply(wrong)

    assert sorted(applied.output.splitlines()) == ["+ groups.a", "+ groups.b"]


async def test_an_image_comes_from_a_file(org: Configured) -> None:
    (org.folder / "logo.png").write_bytes(images.png())
    content = {"applications": {"A": _WEB | {"logo": {"from_file": "logo.png"}}}}

    assert (await org.apply(content)).succeeded
    assert await org.paths(content) == []


async def test_roles_are_granted_and_revoked(org: Configured) -> None:
    roles = ["ROLE_GATE", "ROLE_ORG_USER_MANAGER"]
    await org.apply({"service_users": {"u": {"roles": roles, "display_name": "U"}}})

    changed = await org.apply({"service_users": {"u": {"roles": ["ROLE_GATE"]}}})

    assert changed.output == "~ service_users.u\n    roles: - ROLE_ORG_USER_MANAGER\n"
    assert (await org.export())["service_users"] == {
        "u": {"roles": ["ROLE_GATE"], "display_name": "U"}
    }


async def test_a_plan_as_json_has_the_values_and_no_secret(
    org: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_SECRET", _SECRET)
    secret = {"from_env": "THE_SECRET"}
    [plan] = await org.plan({"applications": {"A": {"kind": _WEB["kind"], "secret": secret}}})

    assert json_of(plan.all[0]) == {
        "object": "applications.A",
        "action": "create",
        "fields": {"kind": {"before": None, "after": "APPLICATION_KIND_WEB"}},
        "secrets": ["secret"],
        "added": {},
        "removed": {},
        "parts": [],
        "notes": [],
    }
    assert _SECRET not in repr(plan)


async def test_an_instance_moves_to_another_server(
    make_instance: MakeInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSTANCE_SMTP_PASSWORD", "mail-password")
    monkeypatch.setenv("SMTP_CONFIG_PASSWORD", "mail-password")
    smtp = {
        "sender_address": "noreply@example.com",
        "sender_name": "Example",
        "tls": True,
        "host": "smtp.example.com:587",
        "user": "mailer",
        "password": {"from_env": "INSTANCE_SMTP_PASSWORD"},
    }
    service = {
        "kind": "APPLICATION_KIND_SERVICE",
        "id": "old-client-id",
        "token_endpoint_auth_method": "TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT",
        "jwks_uri": "https://keys.example.com",
    }
    whole = {
        "instance": {
            "brand": {"name": "Example"},
            "smtp_config": smtp,
        },
        "organizations": {
            "Shop": {"groups": {"a": None}, "applications": {"S": service}},
            "Bank": {
                "settings": {"allows_sign_up": True},
                "smtp_config": smtp | {"sender_name": "Bank"},
                "groups": {"a": None},
            },
        },
    }
    exported: list[dict[str, Any]] = []
    for _ in range(2):
        async with make_instance() as server, configured(server, server.admin, tmp_path) as one:
            finished = await one.apply(exported[0] if exported else whole)
            assert finished.succeeded, finished.errors
            exported.append(await one.export_instance())
            assert await one.paths(exported[0], prunes=True) == []

    assert exported[0] == exported[1]
    assert exported[0]["organizations"]["Shop"]["applications"]["S"]["id"] == "old-client-id"


async def test_oauth_settings_of_mails_are_a_part(
    own_instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAIL_SECRET", "a-secret")
    smtp = {
        "sender_address": "noreply@example.com",
        "sender_name": "Example",
        "tls": True,
        "host": "smtp.example.com:587",
        "oauth": {
            "preset": "SMTP_TOKEN_PRESET_GOOGLE",
            "client_id": "k",
            "mailbox": "noreply@example.com",
            "client_secret": {"from_env": "MAIL_SECRET"},
        },
    }
    async with configured(own_instance, own_instance.admin, tmp_path) as server:
        for name in ("Example", "Other"):  # with one sequence, so the second step needs the first
            smtp["sender_name"] = name
            smtp["oauth"]["mailbox"] = f"{name}@example.com".lower()  # type: ignore[index]
            finished = await server.apply({"instance": {"smtp_config": smtp}})
            assert finished.succeeded, finished.errors
            assert await server.paths({"instance": {"smtp_config": smtp}}) == []
        removed = await server.apply({"instance": {"smtp_config": None}}, prunes=True)
        assert removed.output == "- instance.smtp_config\n"


async def test_own_texts_of_mails_are_changed_by_their_kind_and_language(org: Configured) -> None:
    first = {"passkey_added.de": {"title": "Neu"}, "passkey_added.en": {"title": "New"}}
    await org.apply({"mail_texts": first})

    second = {"passkey_added.de": {"subject": "Neuer Passkey"}}
    changed = await org.apply({"mail_texts": second}, prunes=True)

    assert changed.output == (
        '~ mail_texts."passkey_added.de"\n'
        '    subject: - -> "Neuer Passkey"\n'
        '- mail_texts."passkey_added.en"\n'
    )
    assert (await org.export())["mail_texts"] == {
        "passkey_added.de": {"subject": "Neuer Passkey", "title": "Neu"}
    }
    with pytest.raises(OperatorError, match=r'mail_texts\."passkey_added\.tlh".*must end with a'):
        await org.plan({"mail_texts": {"passkey_added.tlh": {"title": "chu'"}}})


async def test_a_plan_names_what_the_token_may_not_change(
    instance: Instance, org: Configured, admin: Client, tmp_path: Path
) -> None:
    await org.apply({"groups": {"a": None, "b": None}})
    auditor = await given.user(admin, org_id=org.org_id, roles=[user_pb.ROLE_ORG_AUDITOR])

    async with configured(instance, auditor, tmp_path) as restricted:
        assert await restricted.paths({"groups": {"a": None, "b": None}}) == []
        with pytest.raises(OperatorError, match=r"groups\.b: "):
            await restricted.plan({"groups": {"a": None}}, prunes=True)


async def test_lists_of_several_pages_are_read(
    org: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.cli.paging.MAX_PAGE_SIZE", 1)
    groups = {"groups": {"a": None, "b": None}}

    await org.apply(groups)

    assert await org.paths(groups, prunes=True) == []


async def test_a_token_that_may_read_less_exports_less(
    instance: Instance, org: Configured, admin: Client, tmp_path: Path
) -> None:
    role = user_pb.ROLE_ORG_APPLICATION_MANAGER
    manager = await given.user(admin, org_id=org.org_id, roles=[role])
    await org.apply({"groups": {"a": None}, "brand": {"name": "x"}})
    async with configured(instance, manager, tmp_path) as restricted:
        assert await restricted.export() == {"groups": {"a": {"display_name": "a"}}}


async def test_a_token_is_not_sent_in_plaintext_to_others() -> None:
    for url in ("http://id.example.com", "id.example.com", "ftp://127.0.0.1"):
        with pytest.raises(OperatorError, match="https URL"):
            async with connected(url, "kst_token"):
                pass
