"""The read tables equal the log; `rebuild` finds and repairs differences."""

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import grpc
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from keystead.user.v1 import user_service_pb2 as user_pb
from server.operate.rebuild import (
    TABLES,
    Difference,
    RebuildRunningError,
    Report,
    UnknownEventError,
    rebuild,
)
from server.store.database import Database, connected
from server.values.errors import OperatorError
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.idp import signins
from tests.passkey import ceremonies, links
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider, oidc_provider
from tests.user import calls as users

_MAX_SESSIONS = 3
# Without ROLE_SESSION_VERIFIER: a user with only that role may do nothing else.
_ROLES = [role for role in user_pb.Role.values()[1:] if role != user_pb.ROLE_SESSION_VERIFIER]
_SCHEMA_LEFT_BEHIND = "select count(*) from pg_namespace where nspname = 'keystead_rebuild'"


def chooser(seed: int) -> random.Random:
    """The same choices for the same seed."""
    return random.Random(seed)  # noqa: S311 -- not for cryptography


@dataclass
class World:
    """The objects that commands have created, from which further commands choose."""

    instance: Instance
    choose: random.Random
    # The provider of sign-ins; None: no sign-in by a provider.
    provider: Provider | None = None
    org_ids: list[str] = field(default_factory=list)
    users: list[Client] = field(default_factory=list)
    idp_ids: list[str] = field(default_factory=list)
    passkeys: list[tuple[Client, str]] = field(default_factory=list)
    sessions: list[SignedIn] = field(default_factory=list)

    @property
    def admin(self) -> Client:
        return self.instance.admin

    def a(self, things: list[Any]) -> Any:
        return self.choose.choice(things)

    async def add_organization(self) -> None:
        self.org_ids.append(await given.organization(self.admin))

    async def add_user(self) -> None:
        if self.org_ids:
            self.users.append(await given.user(self.admin, org_id=self.a(self.org_ids)))

    async def add_user_of_a_name_used_before(self) -> None:
        """Removes a user and creates one with the same name in the same organization."""
        if self.org_ids:
            org_id, name = self.a(self.org_ids), f"name-{self.choose.random()}"
            first = await given.user(self.admin, org_id=org_id, name=name)
            await users.remove(self.admin, first.user_id)
            self.users.append(await given.user(self.admin, org_id=org_id, name=name.upper()))

    async def patch_user(self) -> None:
        if self.users:
            user, mask = self.a(self.users), self.a([["display_name"], ["email"], ["*"]])
            address = f"{self.choose.random()}@example.com"
            await users.patch(self.admin, user.user_id, mask, display_name="Ada", email=address)

    async def remove_user(self) -> None:
        if self.users:
            user = self.a(self.users)
            await users.remove(self.admin, user.user_id)
            self.users.remove(user)
            self.passkeys = [(owner, key) for owner, key in self.passkeys if owner is not user]

    async def grant_role(self) -> None:
        if self.users:
            role = self.a(_ROLES)
            await users.grant(self.admin, self.a(self.users).user_id, role)

    async def grant_session_verifier(self) -> None:
        if self.org_ids:
            user = await given.user(self.admin, org_id=self.a(self.org_ids))
            await users.grant(self.admin, user.user_id, user_pb.ROLE_SESSION_VERIFIER)

    async def grant_role_above_makers(self) -> None:
        """Ends the objects that a manager made for the user."""
        if self.org_ids:
            org_id, role = self.a(self.org_ids), user_pb.ROLE_ORG_USER_MANAGER
            manager = await given.user(self.admin, org_id=org_id, roles=[role])
            user = await given.user(manager, org_id=org_id)
            await users.create_token(user, user.user_id)
            await users.grant(self.admin, user.user_id, user_pb.ROLE_ORG_OWNER)

    async def revoke_role(self) -> None:
        if self.users:
            role = self.a(_ROLES)
            await users.revoke(self.admin, self.a(self.users).user_id, role)

    async def add_token(self) -> None:
        if self.users:
            await users.create_token(self.admin, self.a(self.users).user_id, name="another")

    async def revoke_token(self) -> None:
        if self.users:
            user_id = self.a(self.users).user_id
            created = await users.create_token(self.admin, user_id)
            await users.revoke_token(self.admin, user_id, created.token_id)

    async def add_certificate(self) -> None:
        if self.users:
            await users.add_certificate(self.admin, self.a(self.users).user_id, self._certificate())

    async def pass_on_a_certificate(self) -> None:
        """A revoked certificate becomes one of another user."""
        if self.users:
            pem, user_id = self._certificate(), self.a(self.users).user_id
            added = await users.add_certificate(self.admin, user_id, pem)
            await users.revoke_token(self.admin, user_id, added.token_id)
            await users.add_certificate(self.admin, self.a(self.users).user_id, pem)

    def _certificate(self) -> str:
        return Authority(self.instance.data_dir).certificate().pem

    async def add_passkey(self) -> None:
        if self.users:
            user = self.a(self.users)
            self.passkeys.append((user, (await ceremonies.register(user)).passkey_id))

    async def rename_passkey(self) -> None:
        if self.passkeys:
            user, passkey_id = self.a(self.passkeys)
            await ceremonies.rename(user, passkey_id, f"Renamed {self.choose.random()}")

    async def add_passkey_by_link(self) -> None:
        if self.users:
            user = self.a(self.users)
            await links.link(self.admin, user)
            begun = await (await links.link(self.admin, user)).register()
            self.passkeys.append((user, begun.passkey_id))

    async def remove_passkey(self) -> None:
        if self.passkeys:
            user, passkey_id = self.passkeys.pop()
            await ceremonies.remove(user, passkey_id)

    async def sign_in(self) -> None:
        """Registers a further passkey and signs in; the removal of the passkey ends the session."""
        if self.users:
            person = await sessions.with_passkey(self.a(self.users), be=self.a([True, False]))
            self.passkeys.append((person.client, person.passkey_id))
            self.sessions.append(await person.sign_in(be=True, sign_count=self.a([0, 7])))

    async def sign_in_beyond_the_limit(self) -> None:
        if self.users:
            person = await sessions.with_passkey(self.a(self.users))
            self.passkeys.append((person.client, person.passkey_id))
            for _ in range(_MAX_SESSIONS + 1):
                await person.sign_in()

    async def suspect_a_clone(self) -> None:
        if self.users:
            person = await sessions.with_passkey(self.a(self.users), sign_count=5)
            self.passkeys.append((person.client, person.passkey_id))
            await given.refusal(person.sign_in(sign_count=5))

    async def reauthenticate(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, IndexError):  # the session may have ended
            signed_in = self.a(self.sessions)
            options = await sessions.start_reauthentication(signed_in.client)
            credential = signed_in.person.assertion(options, sign_count=self.a([0, 9]))
            await sessions.reauthenticate(signed_in.client, credential)

    async def sign_out(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, IndexError):
            await sessions.sign_out(self.a(self.sessions).client)

    async def _signed_in_with_a_provider(self) -> tuple[signins.Site, signins.Session] | None:
        """A new user by a new provider."""
        if self.provider is None:
            return None
        site = await signins.site(self.instance, self.provider)
        self.provider.speak_of(f"subject-{self.choose.random()}")
        # Another writer may have changed the provider's answer meanwhile.
        with contextlib.suppress(grpc.aio.AioRpcError):
            return site, await site.sign_in()
        return None

    async def sign_in_with_a_provider(self) -> None:
        await self._signed_in_with_a_provider()

    async def unlink_a_provider(self) -> None:
        if signed_in := await self._signed_in_with_a_provider():
            site, session = signed_in
            [link] = await signins.links(site.owner, session.answer.user_id)
            await signins.unlink(site.owner, link.link_id, session.answer.user_id)

    async def remove_a_provider_of_sessions(self) -> None:
        if signed_in := await self._signed_in_with_a_provider():
            site, _ = signed_in
            await idps.remove(site.owner, site.idp_id)

    async def sign_out_everywhere(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, IndexError):
            keep_current = self.a([True, False])
            await sessions.end_all(self.a(self.sessions).client, keep_current=keep_current)

    async def add_idp(self) -> None:
        styling_type = self.a([0, 1])
        self.idp_ids.append(await given.idp(self.admin, name="Added", styling_type=styling_type))

    async def update_idp(self) -> None:
        if self.idp_ids:
            name = f"Updated {self.choose.random()}"
            await idps.update(self.admin, self.a(self.idp_ids), name=name)

    async def patch_idp(self) -> None:
        if self.idp_ids:
            await idps.patch(
                self.admin, self.a(self.idp_ids), ["auto_register"], auto_register=True
            )

    async def remove_idp(self) -> None:
        if self.idp_ids:
            await idps.remove(self.admin, self.idp_ids.pop())

    async def set_smtp(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError):  # one is set
            await smtp.add(self.admin)

    async def set_smtp_without_password(self) -> None:
        await self.remove_smtp()
        await smtp.add(self.admin, given.smtp_config(user="", password=""))

    async def change_smtp(self) -> None:
        await self.set_smtp()
        name = f"Sender {self.choose.random()}"
        update = given.smtp_update(sender_name=name, user="other", password="new")
        await smtp.update(self.admin, update)
        await smtp.update_password(self.admin, "newer")

    async def remove_smtp(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError):  # none is set
            await smtp.remove(self.admin)


COMMANDS: list[Callable[[World], Awaitable[None]]] = [
    World.add_organization,
    World.add_user,
    World.add_user_of_a_name_used_before,
    World.patch_user,
    World.grant_role,
    World.grant_session_verifier,
    World.grant_role_above_makers,
    World.revoke_role,
    World.add_token,
    World.revoke_token,
    World.add_certificate,
    World.pass_on_a_certificate,
    World.add_passkey,
    World.rename_passkey,
    World.add_passkey_by_link,
    World.remove_passkey,
    World.sign_in,
    World.sign_in_beyond_the_limit,
    World.suspect_a_clone,
    World.reauthenticate,
    World.sign_out,
    World.sign_out_everywhere,
    World.sign_in_with_a_provider,
    World.unlink_a_provider,
    World.remove_a_provider_of_sessions,
    World.remove_user,
    World.add_idp,
    World.update_idp,
    World.patch_idp,
    World.remove_idp,
    World.set_smtp,
    World.change_smtp,
    World.remove_smtp,
    World.set_smtp_without_password,
]


async def populate(instance: Instance, provider: Provider) -> World:
    """At least one row in every table, after every kind of event."""
    world = World(instance, chooser(1), provider)
    for command in COMMANDS + COMMANDS:
        await command(world)
    await world.add_user()
    await world.add_passkey()
    await world.add_idp()
    await world.change_smtp()
    return world


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("provider"))


@pytest.fixture(scope="module")
async def provider(authority: Authority) -> AsyncIterator[Provider]:
    async with oidc_provider(authority) as provider:
        yield provider


@pytest.fixture(scope="module")
async def instance(
    make_instance: MakeInstance, authority: Authority, provider: Provider
) -> AsyncIterator[Instance]:
    """A server for this file, with tables that are damaged and repaired."""
    async with make_instance(
        max_passkeys_per_user=1000,
        max_sessions_per_user=_MAX_SESSIONS,
        idp_ca_file=authority.ca_file,
        idp_allowed_networks=("127.0.0.0/8", "::1"),
        idp_redirect_uris=(signins.REDIRECT_URI,),
    ) as server:
        await populate(server, provider)
        yield server


@pytest.fixture(scope="module")
async def database(instance: Instance) -> AsyncIterator[Database]:
    """Its database."""
    async with connected(instance.dsn, pool_size=2) as connected_database:
        yield connected_database


async def dump(sql: asyncpg.Connection, *tables: str) -> dict[str, list[Any]]:
    """All rows of the named tables, or of all that are rebuilt."""
    return {
        table: sorted(map(str, await sql.fetch(f"select * from {table}")))  # noqa: S608 -- ours
        for table in tables or TABLES
    }


class TestUndamaged:
    """After any commands, the read tables equal the log."""

    @settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])
    @for_all(
        commands=st.lists(st.sampled_from(COMMANDS), min_size=3, max_size=15),
        choices=st.integers(min_value=0, max_value=2**32),
    )
    async def test_after_any_commands(
        self,
        instance: Instance,
        provider: Provider,
        database: Database,
        commands: list[Callable[[World], Awaitable[None]]],
        choices: int,
    ) -> None:
        world = World(instance, chooser(choices), provider)

        for command in commands:
            await command(world)

        assert (await rebuild(database, repair=False)).differences == ()

    async def test_every_event_is_replayed(
        self, database: Database, sql: asyncpg.Connection
    ) -> None:
        report = await rebuild(database, repair=False)

        assert report.events == await sql.fetchval("select count(*) from events")

    @pytest.mark.parametrize("repair", [False, True], ids=["check", "repair"])
    async def test_nothing_changes_and_nothing_is_left_behind(
        self, database: Database, sql: asyncpg.Connection, repair: bool
    ) -> None:
        before = await dump(sql)

        await rebuild(database, repair=repair)

        assert await dump(sql) == before
        assert await sql.fetchval(_SCHEMA_LEFT_BEHIND) == 0

    async def test_a_credential_that_moved_from_a_removed_user_to_another(
        self, instance: Instance, database: Database
    ) -> None:
        credential_id = secrets.token_bytes(32)
        for _ in range(3):
            user = await given.user(instance.admin)
            await ceremonies.register(user, credential_id=credential_id)
            await users.remove(instance.admin, user.user_id)

        assert (await rebuild(database, repair=False)).differences == ()

    async def test_a_long_history_of_one_aggregate(self, own_instance: Instance) -> None:
        """The replay drops old versions of rows several times during such a history.

        On a server of its own: each generation of the log costs every rebuild a statement.
        """
        idp_id = await given.idp(own_instance.admin)
        async with (
            given.sql(own_instance.dsn) as sql,
            connected(own_instance.dsn, pool_size=2) as database,
        ):
            await sql.execute(
                """
                insert into events
                select aggregate_id, sequence + n, 'idp', 'idp.changed', 1,
                    jsonb_build_object('name', 'Name ' || n), creator, owner,
                    created_at + n * interval '1 microsecond'
                from events, generate_series(1, 2500) as n where aggregate_id = $1""",
                idp_id,
            )

            report = await rebuild(database, repair=True)

        assert report.differences == (Difference("idps", surplus=1, missing=1),)
        assert (await idps.get(own_instance.admin, idp_id)).name == "Name 2500"


@dataclass(frozen=True)
class Damage:
    """Statements that change or add a row of a table without an event."""

    table: str
    changed: str
    surplus: str

    def statement(self, kind: str) -> str:
        any_row = f"(select ctid from {self.table} limit 1)"  # noqa: S608 -- our own tables
        return {
            "changed": f"update {self.table} set {self.changed} where ctid = {any_row}",  # noqa: S608
            "lost": f"delete from {self.table} where ctid = {any_row}",  # noqa: S608
            "surplus": self.surplus,
        }[kind]


# For a log that ends without a configuration: there can be one row only.
_SURPLUS_SMTP_CONFIG = """
    insert into smtp_configs
        (id, owner, sender_address, sender_name, tls, host, user_name, sequence,
        creation_date, change_date)
    values ('surplus', '', '', '', true, '', '', 1, now(), now())"""

DAMAGES = [
    Damage(
        "organizations",
        changed="name = 'Damaged'",
        surplus="insert into organizations values ('surplus', 'Surplus', false, 1, now(), now())",
    ),
    Damage(
        "users",
        changed="roles = '{ORG_OWNER,ORG_OWNER}'",
        surplus="""
            insert into users select 'surplus', owner, user_name, display_name, email, roles,
                user_handle, passkey_count, sequence, creation_date, change_date
            from users limit 1""",
    ),
    Damage(
        "tokens",
        changed="expires_at = now()",
        surplus="""
            insert into tokens select user_id, 'surplus', name, creator, hash, expires_at,
                sequence, creation_date, change_date, makers
            from tokens limit 1""",
    ),
    Damage(
        "passkeys",
        changed="public_key = ''",
        surplus="""
            insert into passkeys
            select (jsonb_populate_record(passkeys, '{"passkey_id": "surplus"}')).*
            from passkeys limit 1""",
    ),
    Damage(
        "idps",
        changed="sequence = sequence + 1",
        surplus="insert into idps values ('surplus', '', 'Surplus', 0, false, 1, now(), now())",
    ),
    Damage(
        "smtp_configs",
        changed="host = 'damaged:1'",
        surplus=_SURPLUS_SMTP_CONFIG,
    ),
    Damage(
        "unique_claims",
        changed="aggregate_id = 'damaged'",
        surplus="insert into unique_claims values ('user_name', 'surplus', 'surplus')",
    ),
]


class TestDamage:
    """A read table that differs from the log."""

    @pytest.mark.parametrize("kind", ["changed", "lost", "surplus"])
    async def test_is_found_by_a_check_and_put_right_by_a_repair(
        self, instance: Instance, database: Database, sql: asyncpg.Connection, kind: str
    ) -> None:
        world = World(instance, chooser(3))
        if kind == "surplus":
            await world.remove_smtp()
        else:
            await world.set_smtp()
        before = await dump(sql)
        for damage in DAMAGES:
            await sql.execute(damage.statement(kind))
        damaged = await dump(sql)
        expected = tuple(
            Difference(
                table,
                surplus=len(set(damaged[table]) - set(before[table])),
                missing=len(set(before[table]) - set(damaged[table])),
            )
            for table in TABLES
            if damaged[table] != before[table]
        )
        assert {damage.table for damage in DAMAGES} <= {each.table for each in expected}

        checked = await rebuild(database, repair=False)

        assert checked.differences == expected
        assert await dump(sql) == damaged

        repaired = await rebuild(database, repair=True)

        assert repaired.differences == expected
        assert await dump(sql) == before

    async def test_a_repair_leaves_secrets_and_pending_ceremonies_alone(
        self, instance: Instance, database: Database, sql: asyncpg.Connection
    ) -> None:
        user = await given.user(instance.admin)
        begun = await ceremonies.begin(user)
        await World(instance, chooser(4)).change_smtp()
        kept = await dump(sql, "secrets", "passkey_ceremonies", "events")
        await sql.execute("update users set display_name = 'Damaged'")
        await sql.execute("update smtp_configs set host = 'damaged:1'")

        await rebuild(database, repair=True)

        assert await dump(sql, "secrets", "passkey_ceremonies", "events") == kept
        await begun.verify()
        assert (await smtp.get(instance.admin)).password_set

    async def test_the_role_of_an_application_can_put_it_right(
        self, make_database: MakeDatabase, make_instance: MakeInstance
    ) -> None:
        async with given.application_role(await make_database(empty=True)) as dsn:
            async with make_instance(dsn=dsn) as application:
                await given.idp(application.admin)
            async with given.sql(dsn) as sql:
                await sql.execute("update idps set name = 'Damaged'")

            async with connected(dsn, pool_size=2) as database:
                repaired = await rebuild(database, repair=True)
                again = await rebuild(database, repair=False)

        assert [each.table for each in repaired.differences] == ["idps"]
        assert again.differences == ()


class TestUnknownEvent:
    """An event that a newer release has written."""

    async def test_is_named_and_nothing_is_left_behind(self, own_instance: Instance) -> None:
        async with given.sql(own_instance.dsn) as sql:
            await sql.execute(
                """
                insert into events select aggregate_id, sequence + n, aggregate_type,
                    'organization.exploded', 1, '{}', creator, owner, created_at
                from events, generate_series(1, 2) as n
                where event_type = 'organization.added'"""
            )
            before = await dump(sql)

            for repair in (False, True):
                async with connected(own_instance.dsn, pool_size=2) as database:
                    with pytest.raises(
                        UnknownEventError,
                        match=r"event \d+ \(organization\.exploded, .* Use a newer",
                    ):
                        await rebuild(database, repair=repair)

                assert await dump(sql) == before
                assert await sql.fetchval(_SCHEMA_LEFT_BEHIND) == 0


_FORGED = """
insert into events
select {aggregate}, sequence + 1, aggregate_type, {type}, {revision}, {payload}::jsonb, creator,
    owner, created_at
from events where event_type = '{like}' order by sequence limit 1"""


def _forged(like: str, **columns: str) -> str:
    """An event like one of this type, with other columns."""
    same = {"aggregate": "aggregate_id", "type": "event_type", "revision": "1", "payload": "'{}'"}
    return _FORGED.format(like=like, **(same | columns))


class TestForgedEvent:
    """An event that no release writes."""

    @pytest.mark.parametrize(
        ("statement", "problem"),
        [
            (
                _forged("idp.added", revision="2"),
                r"does not know event \d+ \(idp\.added, revision 2\) of the idp [0-9a-f-]{36}\. ",
            ),
            (
                _forged("idp.added", type="'user.removed'"),
                r"does not know event \d+ \(user\.removed, revision 1\) of the idp ",
            ),
            (
                _forged("idp.added", aggregate="'forged'"),
                r"event \d+ \(idp\.added, revision 1\) of the idp forged: null value in column",
            ),
            (
                _forged(
                    "user.added", type="'user.token_created'", payload="""'{"hash": "=secret="}'"""
                ),
                r"\(user\.token_created, revision 1\) of the user [0-9a-f-]{36}: ",
            ),
            (
                _forged("user.added", aggregate="'forged'", payload="payload"),
                "the aggregates .*forged.* have the same user_name",
            ),
        ],
        ids=["its revision", "its aggregate", "a payload without", "an unreadable one", "unique"],
    )
    async def test_is_named_and_nothing_is_left_behind(
        self, own_instance: Instance, statement: str, problem: str
    ) -> None:
        await given.idp(own_instance.admin)
        async with given.sql(own_instance.dsn) as sql:
            await sql.execute(statement)
            before = await dump(sql)

            for repair in (False, True):
                async with connected(own_instance.dsn, pool_size=2) as database:
                    with pytest.raises(OperatorError, match=problem) as refused:
                        await rebuild(database, repair=repair)

                assert "secret" not in str(refused.value)
                assert await dump(sql) == before
                assert await sql.fetchval(_SCHEMA_LEFT_BEHIND) == 0


async def _unless_it_waited_too_long(command: Awaitable[None]) -> None:
    """Ignores a call that waited three seconds for the locks of a repair, and wrote nothing."""
    try:
        await command
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.ABORTED:
            raise


class TestUnderLoad:
    """Writers continue while the log is replayed."""

    @contextlib.asynccontextmanager
    async def _writers(self, instance: Instance, provider: Provider) -> AsyncIterator[list[int]]:
        """Runs writers of every kind in loops until the end. Returns their numbers of rounds."""
        stop = asyncio.Event()
        rounds = [0] * 3

        async def write(number: int) -> None:
            world = World(instance, chooser(number), provider)
            while not stop.is_set():
                for command in COMMANDS:
                    # there is one SMTP configuration, for one writer
                    if number == 0 or "smtp" not in command.__name__:
                        await _unless_it_waited_too_long(command(world))
                rounds[number] += 1

        async with asyncio.TaskGroup() as tasks:
            for number in range(len(rounds)):
                tasks.create_task(write(number))
            try:
                yield rounds
            finally:
                stop.set()

    @staticmethod
    async def _gone_round(rounds: list[int]) -> None:
        """Waits until every writer has completed one more round."""
        goal = [done + 1 for done in rounds]

        async def reached() -> bool:
            return all(done >= wanted for done, wanted in zip(rounds, goal, strict=True))

        await given.eventually(reached)

    async def test_a_check_finds_no_difference_where_there_is_none(
        self, instance: Instance, provider: Provider, database: Database
    ) -> None:
        async with self._writers(instance, provider) as rounds:
            for _ in range(2):
                assert (await rebuild(database, repair=False)).differences == ()
            await self._gone_round(rounds)

    async def test_a_repair_loses_nothing_and_ends_only_calls_that_waited_too_long(
        self, instance: Instance, provider: Provider, database: Database, sql: asyncpg.Connection
    ) -> None:
        async with self._writers(instance, provider) as rounds:
            for _ in range(2):
                await sql.execute(
                    "insert into idps values ('surplus', '', 'x', 0, false, 1, now(), now())"
                )
                report = await rebuild(database, repair=True)
                assert report.differences == (Difference("idps", surplus=1, missing=0),)
            await self._gone_round(rounds)

        assert (await rebuild(database, repair=False)).differences == ()

    async def test_a_repair_waits_for_a_transaction_that_has_locked_a_user(
        self, instance: Instance, database: Database, sql: asyncpg.Connection
    ) -> None:
        """The repair must not take a lock that the transaction still needs: that is a deadlock."""
        user = await given.user(instance.admin)
        async with given.sql(instance.dsn) as writer, writer.transaction():
            await writer.execute("select from users where id = $1 for update", user.user_id)
            await sql.execute("update users set email = 'damaged' where id <> $1", user.user_id)
            repair = asyncio.ensure_future(rebuild(database, repair=True))
            await given.waiting_for_a_lock(sql)

            await writer.execute("delete from tokens where user_id = $1", user.user_id)
            await writer.execute("delete from unique_claims where aggregate_id = 'nobody'")

        assert (await repair).differences

    async def test_reading_goes_on_while_a_repair_holds_its_locks(
        self, instance: Instance, database: Database, sql: asyncpg.Connection
    ) -> None:
        user = await given.user(instance.admin)
        async with given.sql(instance.dsn) as writer, writer.transaction():
            await writer.execute(f"lock table {TABLES[-1]} in row exclusive mode")
            repair = asyncio.ensure_future(rebuild(database, repair=True))
            await given.waiting_for_a_lock(sql)

            assert (await users.whoami(user)).user_id == user.user_id

        await repair

    async def test_a_repair_does_not_wait_for_readers(
        self, database: Database, sql: asyncpg.Connection
    ) -> None:
        await sql.execute("update organizations set name = 'Damaged'")
        async with sql.transaction():
            await dump(sql)  # a reader that continues

            report = await rebuild(database, repair=True)

        assert [each.table for each in report.differences] == ["organizations"]

    async def test_of_two_rebuilds_at_once_one_is_refused(
        self, instance: Instance, database: Database
    ) -> None:
        async with connected(instance.dsn, pool_size=2) as another:
            outcomes = await asyncio.gather(
                rebuild(database, repair=False),
                rebuild(another, repair=True),
                return_exceptions=True,
            )

        [report] = [each for each in outcomes if isinstance(each, Report)]
        assert report.differences == ()
        assert [type(each) for each in outcomes if each is not report] == [RebuildRunningError]
