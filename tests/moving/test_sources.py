"""`keystead migrate`: exports of other systems become users who sign in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from server.moving.sources import auth0, csv_file, keycloak, kratos, pocket_id, zitadel
from server.moving.sources.moved import (
    Choices,
    Left,
    Read,
    SourceError,
    group_of,
    user_id_of,
    with_one_address,
)
from tests.cli.words import Keystead, commands_on
from tests.group import calls as group_calls
from tests.moving import people, samples
from tests.moving.people import Passkey
from tests.support.given import Client, Instance
from tests.user import calls

LOCAL = Choices(people.RP_ID)


@pytest.fixture
def keystead(instance: Instance) -> Keystead:
    return commands_on(instance)


def read(source: Read, content: object, choices: Choices = LOCAL) -> list[dict[str, Any]]:
    return list(source(json.dumps(content).encode(), choices, Left()))


def notes(source: Read, content: object, choices: Choices = LOCAL) -> set[str]:
    left = Left()
    list(source(json.dumps(content).encode(), choices, left))
    return set(left.counts)


@pytest.mark.parametrize("algorithm", samples.ALGORITHMS)
async def test_a_keycloak_realm_signs_in(
    keystead: Keystead, owner: Client, org_id: str, tmp_path: Path, algorithm: int
) -> None:
    user_id = str(uuid4())
    passkey = people.passkey(
        algorithm, user_handle=user_id.encode(), credential_id=uuid4().bytes * 4
    )
    ada = samples.keycloak(
        passkey,
        people.passkey(user_handle=user_id.encode()),
        user_id=user_id,
        firstName="Ада",
        lastName="Лавлейс",
        email=f"{user_id}@example.com",
        emailVerified=True,
        groups=["/Staff/Ops"],
        attributes={"locale": ["de"], "phone": ["1"]},
    )
    gone = samples.keycloak(
        user_id=str(uuid4()), enabled=False, email=f"{user_id.upper()}@example.com"
    )
    export, file = tmp_path / "realm.json", tmp_path / "people.ndjson"
    _write(export, samples.realm(ada, gone))
    file.touch(mode=0o644)

    said = await keystead("migrate", "keycloak", str(export), "--to", str(file))
    done = await keystead("import", str(file), "--org", org_id, "--create-groups")

    assert file.stat().st_mode & 0o777 == 0o600
    assert said.errors.splitlines() == [
        "2 users, 1 of them with a passkey.",
        "1 x attribute phone stays: declare it, and name it by --attribute.",
        "group /Staff/Ops is named staff.ops.",
        "1 x users have the address of another one, so theirs is left out.",
    ]
    assert done.output == "2 users imported, 0 imported before, 0 refused.\n"
    session = await passkey.sign_in(owner, sign_count=4)
    assert session.answer.user_id == user_id
    user = await calls.get(owner, user_id)
    assert (user.display_name, user.locale) == ("Ада Лавлейс", "de")
    assert [each.name for each in await group_calls.of_user(owner, user_id)] == ["staff.ops"]
    assert (await calls.get(owner, gone["id"])).lock_reason == "Disabled in Keycloak"


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("system", "sample", "user_id"),
    [
        ("pocket-id", samples.pocket_id, "{0}"),
        ("kratos", samples.kratos, "{0}"),
        ("auth0", samples.auth0, "auth0:{0}"),
    ],
    ids=["pocket-id", "kratos", "auth0"],
)
async def test_the_passkeys_of_other_systems_sign_in(
    keystead: Keystead,
    owner: Client,
    org_id: str,
    tmp_path: Path,
    system: str,
    sample: Callable[[Passkey, str], Any],
    user_id: str,
) -> None:
    name = uuid4().hex
    passkey = people.passkey(user_handle=name.encode())
    export, file = tmp_path / "export.json", tmp_path / "people.ndjson"
    _write(export, sample(passkey, name))

    words = ("migrate", system, str(export), "--rp-id", people.RP_ID, "--to", str(file))
    assert (await keystead(*words)).status == 0
    done = await keystead("import", str(file), "--org", org_id, "--create-groups")

    assert done.output == "2 users imported, 0 imported before, 0 refused.\n"
    session = await passkey.sign_in(owner, sign_count=4)
    assert session.answer.user_id == user_id.format(name)


def _oidc(issuer: str) -> dict[str, Any]:
    return {"alias": "corp", "providerId": "oidc", "config": {"issuer": issuer}}


_ISSUER = "https://login.example.com"
_SAML = {"alias": "corp", "providerId": "saml", "config": {"singleSignOnServiceUrl": _ISSUER}}


@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [
        ([_oidc(_ISSUER)], [_oidc(_ISSUER)], False),
        ([_oidc(_ISSUER)], [_oidc("https://other.example.com")], True),
        ([_oidc(f"{_ISSUER}/")], [_SAML], True),
        (
            [{"alias": "corp", "providerId": "google"}],
            [_oidc("https://accounts.google.com")],
            False,
        ),
        # The realms are in files of their own, without the users.
        ([], [], True),
    ],
)
def test_a_name_of_providers_in_two_keycloak_realms_has_one_issuer(
    first: list[dict[str, Any]], second: list[dict[str, Any]], *, is_refused: bool
) -> None:
    link = {"identityProvider": "corp", "userId": "7"}
    realms = [
        {
            **samples.realm(samples.keycloak(user_id=name, federatedIdentities=[link])),
            "realm": name,
            "identityProviders": providers,
        }
        for name, providers in (("a", first), ("b", second))
    ]

    if is_refused:
        with pytest.raises(SourceError, match=r"would both be 'corp' here\. Rename one of them\."):
            read(keycloak.users, realms)
    else:
        assert [each["idpLinks"] for each in read(keycloak.users, realms)] == [
            [{"idp": "corp", "subject": "7"}]
        ] * 2


def test_zitadel_has_people_without_passkeys() -> None:
    export = samples.zitadel("7")
    [org] = export["orgs"]
    org["humanUsers"][0]["user"]["idps"] = [{"configId": "google", "externalUserId": "1"}]
    org["userLinks"] = [{"userId": "7", "idpId": "github", "providedUserId": "2"}]

    [user] = read(zitadel.users, {"dataOrgs": export})

    assert (user["userId"], user["locale"], user["emailVerified"]) == ("7", "de", True)
    assert user["idpLinks"] == [
        {"idp": "google", "subject": "1"},
        {"idp": "github", "subject": "2"},
    ]
    assert len(notes(zitadel.users, export)) == 6


def test_exports_with_little_in_them_are_read() -> None:
    human = {"userId": "1", "user": {"userName": "ada"}}
    tables = {"users": [{"id": "1", "username": "ada"}]}

    people_only = read(zitadel.users, {"orgs": [{"humanUsers": [human]}, {}]})

    assert people_only == read(pocket_id.users, {"tables": tables}, Choices())


def test_a_table_has_names_of_fields() -> None:
    left, choices = Left(), Choices(attributes=frozenset({"team"}), namespace="example.com")
    text = (
        "\ufeffuser_name,email,email_verified,groups,team,x\nada,a@b.example,Yes,Ops; staff,T,1\n"
    )

    [user] = csv_file.users(text.encode(), choices, left)

    assert user | {"userId": ""} == {
        "userId": "",
        "userName": "ada",
        "email": "a@b.example",
        "emailVerified": True,
        "groups": ["ops", "staff"],
        "attributes": {"team": "T"},
    }
    assert user == next(csv_file.users(text.encode(), choices, Left()))
    assert "column x stays: declare an attribute, and name it by --attribute" in left.counts


def test_users_of_two_tables_have_different_ids() -> None:
    text = b"user_name\nada\n"

    ids = {
        next(csv_file.users(text, Choices(namespace=name), Left()))["userId"]
        for name in ("a.example", "b.example", "a.example")
    }

    assert len(ids) == 2
    with pytest.raises(SourceError, match=r"'ada' has no user_id\. Name the table by --namespace"):
        list(csv_file.users(text, Choices(), Left()))


async def test_a_table_is_migrated_with_a_namespace(keystead: Keystead, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("user_name\nada\n")

    done = await keystead("migrate", "csv", str(table), "--namespace", "example.com")

    assert json.loads(done.output)["userName"] == "ada"


def test_keycloak_says_what_stays() -> None:
    user = samples.keycloak(
        user_id="1",
        credentials=[{"type": "password"}, {"type": "webauthn"}, {"type": "custom"}],
        federatedIdentities=[{"identityProvider": "google", "userId": "7"}],
        realmRoles=["admin"],
        attributes={"team": ["a", "b"], "none": []},
    )
    service = samples.keycloak(user_id="2", serviceAccountClientId="x")
    chosen = Choices(people.RP_ID, frozenset({"team", "none"}))

    assert notes(keycloak.users, [samples.realm(user, service)], chosen) == {
        "passwords stay",
        "second factors of WebAuthn stay: they sign nobody in alone",
        "credentials of the type custom stay",
        "links need an identity provider named google",
        "users have roles, which stay: applications read groups",
        "service accounts stay: create applications of the kind SERVICE",
    }
    [moved] = read(keycloak.users, samples.realm(user), chosen)
    assert moved["attributes"] == {"team": ["a", "b"]}
    assert moved["idpLinks"] == [{"idp": "google", "subject": "7"}]


def test_links_of_kratos_and_auth0_name_their_providers() -> None:
    providers = [{"provider": "google", "subject": "7"}]
    identity = {
        "id": "1",
        "traits": {},
        "credentials": {"oidc": {"config": {"providers": providers}}},
    }
    user = {
        "user_id": "1",
        "identities": [{"provider": "github", "connection": "github", "user_id": 7}],
    }

    assert read(kratos.users, identity)[0]["idpLinks"] == [{"idp": "google", "subject": "7"}]
    assert read(auth0.users, user)[0]["idpLinks"] == [{"idp": "github", "subject": "7"}]


def test_flags_and_models_of_kratos_move() -> None:
    [identity, _] = samples.kratos(people.passkey(), "1")
    [_, key] = identity["credentials"]["webauthn"]["config"]["credentials"]
    key["flags"] = {"backup_eligible": True, "backup_state": True}
    key["authenticator"]["aaguid"] = ""

    [passkey] = read(kratos.users, identity)[0]["passkeys"]

    assert (passkey["backupEligible"], passkey["backedUp"]) == (True, True)
    assert "aaguid" not in passkey


def test_transports_of_pocket_id_on_postgresql_are_a_list() -> None:
    export = samples.pocket_id(people.passkey(), "1")
    export["tables"]["webauthn_credentials"][0]["transport"] = ["usb"]

    [user, _] = read(pocket_id.users, export)

    assert user["passkeys"][0]["transports"] == ["usb"]


_PASSKEY = people.passkey()


@pytest.mark.parametrize(
    ("source", "content"),
    [
        (keycloak.users, {"realm": "x"}),
        (keycloak.users, samples.realm(samples.keycloak(_PASSKEY, user_id="1"), rp_id="")),
        (pocket_id.users, {}),
        (pocket_id.users, samples.pocket_id(_PASSKEY, "1")),
        (kratos.users, {"id": "1"}),
        (kratos.users, samples.kratos(_PASSKEY, "1")),
        (zitadel.users, {}),
        (auth0.users, {}),
        (auth0.users, samples.auth0(_PASSKEY, "1")),
        (csv_file.users, "name"),
    ],
    ids=range(10),
)
def test_another_file_is_refused_and_one_without_relying_party(
    source: Read, content: object
) -> None:
    with pytest.raises(SourceError):
        read(source, content, Choices())


@pytest.mark.parametrize(
    ("source", "content"), [(csv_file.users, b"\xff"), (kratos.users, b"x\ny")], ids=["csv", "json"]
)
def test_a_file_in_another_format_is_refused(source: Read, content: bytes) -> None:
    with pytest.raises(SourceError):
        list(source(content, Choices(), Left()))


def test_only_the_first_user_keeps_a_shared_address() -> None:
    left = Left()
    users: list[dict[str, Any]] = [
        {"email": "a@b"},
        {"email": "A@B", "emailVerified": True},
        {},
        {},
    ]

    assert list(with_one_address(users, left)) == [{"email": "a@b"}, {}, {}, {}]
    assert list(left.counts.values()) == [1]


async def test_a_file_that_cannot_be_written_is_named(keystead: Keystead, tmp_path: Path) -> None:
    export, nowhere = tmp_path / "users.csv", tmp_path / "missing" / "people.ndjson"
    export.write_text("user_id,user_name\n1,ada\n")

    refused = await keystead("migrate", "csv", str(export), "--to", str(nowhere))

    assert (refused.status, f"{nowhere} cannot be written" in refused.errors) == (2, True)


@pytest.mark.parametrize(
    "names",
    [
        ("C++", "C#"),
        ("/Staff/Ops", "staff.ops"),
        (f"{'x' * 70}1", f"{'x' * 70}2"),
        ("営業",),
    ],
    ids=["characters", "paths", "length", "empty"],
)
def test_groups_are_never_merged(names: tuple[str, ...]) -> None:
    left = Left()
    group_of("ops", left)
    group_of("/ops", left)

    with pytest.raises(SourceError) as raised:
        [group_of(name, left) for name in names]

    assert all(repr(name.strip("/")) in str(raised.value) for name in names)


def test_user_ids_are_never_merged() -> None:
    left = Left()

    with pytest.raises(SourceError, match=r"'a\|b' and 'a/b' would both be 'a:b' here"):
        [user_id_of(text, left) for text in ("a|b", "a|b", "a/b")]
    with pytest.raises(SourceError):
        user_id_of("", left)


_ADA: dict[str, Any] = {"id": "1", "username": "ada"}
_BAD_KEY: dict[str, Any] = {"type": "webauthn-passwordless", "credentialData": "no JSON"}


@pytest.mark.parametrize(
    ("users", "problem"),
    [
        ([{}], "after 0 users: KeyError at 'id'."),
        ([_ADA, {**_ADA, "credentials": [_BAD_KEY]}], "after 1 user: JSONDecodeError at "),
        ([{**_ADA, "createdTimestamp": 1e30}], "after 0 users: "),
        ([{**_ADA, "createdTimestamp": 1e400}], "after 0 users: OverflowError at "),
        ([{**_ADA, "email": 7}], "after 0 users: AttributeError at "),
        ([{**_ADA, "firstName": "\ud800"}], "after 0 users: UnicodeEncodeError at "),
        (None, "after 0 users: "),
    ],
    ids=["key", "credential", "time", "infinite", "type", "surrogate", "null"],
)
async def test_the_command_names_the_place_of_other_values(
    keystead: Keystead, tmp_path: Path, users: object, problem: str
) -> None:
    export = tmp_path / "realm.json"
    _write(export, {"users": users, "webAuthnPolicyPasswordlessRpId": "x.example"})

    refused = await keystead("migrate", "keycloak", str(export))

    assert refused.status == 1
    assert refused.errors.startswith(f"{export} is not an export of this system, {problem}")
    assert "Traceback" not in refused.errors


async def test_the_command_says_what_a_file_lacks(keystead: Keystead, tmp_path: Path) -> None:
    export, deep = tmp_path / "realm.json", tmp_path / "deep.json"
    export.write_text('{"realm": "x"}')
    deep.write_text("[" * 100_000)

    for file, problem in ((export, ": The file has no users."), (deep, " is not an export")):
        refused = await keystead("migrate", "keycloak", str(file))
        assert (refused.status, refused.errors.startswith(f"{file}{problem}")) == (1, True)


async def test_names_of_an_export_do_not_control_the_terminal(
    keystead: Keystead, tmp_path: Path
) -> None:
    export = tmp_path / "realm.json"
    _write(export, {"users": [{**_ADA, "groups": ["/\x1b[2Jx"]}]})

    said = await keystead("migrate", "keycloak", str(export))

    assert (said.status, "group /?[2Jx is named 2jx." in said.errors) == (0, True)
