"""A command that changes something says so."""

from tests.cli.words import Keystead, columns, done, objects, unique
from tests.session import sessions
from tests.support.given import Instance
from tests.user import calls as users

_CLIENT = ("--issuer", "https://login.example.com", "--client-id", "keystead")
_TEST = "keystead idp test"
_SECRET = ("--client-secret-file", "-")


async def test_changes_of_users_and_organizations(keystead: Keystead) -> None:
    name, organization = unique("user"), unique("org")
    await done(keystead("user", "create", name))
    await done(keystead("org", "create", organization))
    await done(keystead("token", "create", name))
    [[token_id, *_]] = await columns(keystead("token", "list", name))

    for words, sentence in (
        (("user", "set", name, "--display-name", "A"), f"The user '{name}' was changed."),
        (("user", "grant", name, "org_owner"), f"The user '{name}' has the role ORG_OWNER."),
        (
            ("user", "revoke", name, "ORG_OWNER"),
            f"The user '{name}' does not have the role ORG_OWNER.",
        ),
        (("token", "revoke", name, token_id), f"The token was revoked: {token_id}"),
        (("user", "remove", name), f"The user '{name}' was removed."),
        (
            ("org", "set", organization, "--mail-recovery"),
            f"Users of '{organization}' without roles may recover their accounts by mail.",
        ),
        (
            ("org", "set", organization, "--no-mail-recovery"),
            f"Users of '{organization}' without roles may not recover their accounts by mail.",
        ),
        (
            ("org", "set", organization, "--client-metadata-host", "*"),
            f"'{organization}' admits applications by metadata documents of *.",
        ),
        (
            ("org", "set", organization, "--client-metadata-host", ""),
            f"'{organization}' admits applications by metadata documents of no host.",
        ),
    ):
        assert await done(keystead(*words)) == sentence


async def test_changes_of_identity_providers(keystead: Keystead) -> None:
    name = unique("idp")
    await done(keystead("idp", "add", "--name", name, *_CLIENT, *_SECRET, stdin=b"secret\n"))

    for words, sentence in (
        (("set", name, "--auto-register"), f"The identity provider '{name}' was changed."),
        (
            ("set-oidc", name, *_CLIENT),
            f"The OpenID Connect settings of '{name}' were set. To try them, run: {_TEST}",
        ),
        (
            ("remove-oidc", name),
            f"The OpenID Connect settings of '{name}' were removed, and its sessions ended.",
        ),
        (
            ("remove", name),
            f"The identity provider '{name}' was removed, and its sessions ended.",
        ),
    ):
        assert await done(keystead("idp", *words)) == sentence


async def test_changes_of_groups(keystead: Keystead) -> None:
    name, user = unique("group"), unique("user")
    await done(keystead("user", "create", user))
    await done(keystead("group", "add", name))

    for words, sentence in (
        (("set", name, "--display-name", "A"), f"The group '{name}' was changed."),
        (("add-member", name, user), f"The user '{user}' is a member of '{name}'."),
        (("remove-member", name, user), f"The user '{user}' is not a member of '{name}'."),
        (("remove", name), f"The group '{name}' was removed."),
    ):
        assert await done(keystead("group", *words)) == sentence


async def test_changes_of_applications(keystead: Keystead) -> None:
    name = unique("app")
    await done(keystead("app", "add", name, "--kind", "web"))
    await done(keystead("app", "create-secret", name))
    [shown] = await objects(keystead("app", "show", name, "--json"))
    [secret_id] = shown["secrets"]

    for words, sentence in (
        (("set", name, "--first-party"), f"The application '{name}' was changed."),
        (("remove-secret", name, secret_id), f"The secret was removed: {secret_id}"),
        (("remove", name), f"The application '{name}' was removed."),
    ):
        assert await done(keystead("app", *words)) == sentence


async def test_ends_of_sessions_and_passkeys(instance: Instance, keystead: Keystead) -> None:
    person = await sessions.person(instance.admin)
    lost = await sessions.with_passkey(person.client)
    await users.create_token((await lost.sign_in()).client, person.user_id)
    one = await person.sign_in()
    for _ in range(2):
        await person.sign_in()
    user_id = person.user_id

    ended = await done(keystead("session", "end", one.session_id))
    all_ended = await done(keystead("session", "end", "--all", user_id))
    listed = await columns(keystead("session", "list", user_id))
    none_left = await done(keystead("session", "end", "--all", user_id))
    removed = await done(keystead("passkey", "remove", user_id, person.passkey_id))
    lost_removed = await done(
        keystead("passkey", "remove", "--lost-or-stolen", user_id, lost.passkey_id)
    )

    assert ended == f"The session ended: {one.session_id}"
    assert all_ended == f"3 sessions of '{user_id}' ended."
    assert listed == []
    assert none_left == f"0 sessions of '{user_id}' ended."
    assert removed == f"The passkey was removed: {person.passkey_id}"
    assert lost_removed == (
        f"The passkey was removed: {lost.passkey_id}\n"
        "Ended: 0 sessions, the access of 0 applications, 1 token."
    )
