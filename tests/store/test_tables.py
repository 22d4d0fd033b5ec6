"""Only the package of a table's owner names the table in its statements.

The test reads the source: SQL is in string literals, and a fragment that another package uses is
written only in the package that offers it.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import server
from server.store.schema import migrations

_ROOT = Path(server.__file__).parent

# The packages that may name each table.
OWNERS = {
    "events": {"log"},
    "events_default": {"log"},
    "event_archives": {"log"},
    "event_positions": {"log"},
    "unpositioned_events": {"log"},
    "last_event_position": {"log"},
    "event_log_lives": {"log"},
    "schema_versions": {"store"},
    "used_values": {"store"},
    "encryption_keys": {"crypto"},
    "retired_encryption_keys": {"crypto"},
    "servers": {"crypto"},
    "event_checkpoints": {"log"},
    "organizations": {"org"},
    "brands": {"org"},
    "mail_texts": {"org"},
    # Access locks the rows of callers, and offers the row of a user to features with objects in the
    # user's aggregate.
    "users": {"user", "access"},
    "tokens": {"user", "access"},
    "credential_uses": {"access"},
    # Access reads the makers of the passkey or link of a session.
    "passkeys": {"passkey", "access"},
    "sessions": {"session", "access"},
    "session_activity": {"session"},
    "passkey_ceremonies": {"passkey"},
    "passkey_links": {"passkey"},
    "recovery_requests": {"passkey"},
    "mails": {"mail"},
    "mail_attempts": {"mail"},
    "mail_budgets": {"mail"},
    "idps": {"idp"},
    "idp_oidc_configs": {"idp"},
    "idp_links": {"idp", "access"},
    "mail_domains": {"idp"},
    "mail_domain_checks": {"idp"},
    "applications": {"application"},
    "application_secrets": {"application"},
    "attribute_definitions": {"user"},
    "groups": {"group"},
    "group_members": {"group"},
    "oauth_authorizations": {"oauth"},
    "device_authorizations": {"oauth"},
    "user_code_budgets": {"oauth"},
    "application_grants": {"oauth"},
    "oauth_sessions": {"oauth"},
    "application_refusals": {"oauth"},
    "organization_days": {"figures"},
    "sign_in_refusals": {"session"},
    "push_subscriptions": {"push"},
    "push_secrets": {"push"},
    "push_position": {"push"},
    "push_started": {"push"},
    "push_targets": {"push"},
    "push_deliveries": {"push"},
    "push_attempts": {"push"},
    "smtp_configurations": {"smtp"},
    "signing_keys": {"signing"},
    "rsa_signing_keys": {"signing"},
    "write_probe": {"rpc"},
    "idempotent_answers": {"rpc"},
}
# Each row belongs to an aggregate, so every feature has rows in these tables.
SHARED = {"unique_claims", "secrets"}
# These read the log and all tables, and repair them.
NOT_BOUND = (_ROOT / "operate/rebuild",)

# Clauses that name tables, and conditions on the columns of a table.
_SQL = re.compile(
    r"\s*(?:select|with|insert|update|delete|lock|truncate|from|join)\b|.*\b[a-z_]+\.[a-z_]+ ?=",
    re.DOTALL,
)
_QUOTED = re.compile(r"'[^']*'")


def _packages() -> list[str]:
    return sorted(path.parent.name for path in _ROOT.glob("*/__init__.py"))


def _literals(source: str) -> Iterator[str]:
    """The string literals without docstrings; of an f-string, its constant text."""
    tree = ast.parse(source)
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            constants = [part.value for part in node.values if isinstance(part, ast.Constant)]
            yield " ".join(map(str, constants))
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
        ):
            yield node.value


def named_tables(source: str) -> set[str]:
    """The tables of the schema that the SQL of a module names."""
    tables = OWNERS.keys() | SHARED
    return {
        word
        for literal in _literals(source)
        if _SQL.match(literal)
        for word in re.findall(r"\w+", _QUOTED.sub("", literal))
        if word in tables
    }


def test_every_table_of_the_schema_has_an_owner() -> None:
    created: set[str] = set()
    for migration in migrations():
        new = set(re.findall(r"^create table (\w+)", migration.sql, re.MULTILINE))
        renamed = re.findall(r"^alter table (\w+) rename to (\w+)", migration.sql, re.MULTILINE)
        names = {old: name for old, name in renamed if old not in new}
        created = {names.get(each, each) for each in created} | new
        created -= set(re.findall(r"^drop table (\w+)", migration.sql, re.MULTILINE))

    assert created == (OWNERS.keys() | SHARED) - {"schema_versions"}  # created by `migrate.py`


@cache
def _tables_of(path: Path) -> set[str]:
    return named_tables(path.read_text())


def test_no_package_names_a_table_of_another() -> None:
    foreign = {
        f"{path.relative_to(_ROOT)}: {table}"
        for package in _packages()
        for path in (_ROOT / package).rglob("*.py")
        if not any(path.is_relative_to(each) for each in NOT_BOUND)
        for table in _tables_of(path)
        if table not in SHARED and package not in OWNERS[table]
    }

    assert foreign == set()


def test_every_owner_names_its_tables() -> None:
    unnamed = {
        (table, package)
        for table, packages in OWNERS.items()
        for package in packages
        if not any(table in _tables_of(path) for path in (_ROOT / package).rglob("*.py"))
    }

    assert unnamed == set()


@pytest.mark.parametrize(
    "sql",
    [
        "select id from users where true",
        "select 1 from event, users",
        "with a as (select 1) select from idps join users on true",
        "insert into users (id) values (1)",
        "update users set id = 1",
        "delete from idps using event, users",
        "from users as account",
        "users.owner = event.owner",
    ],
)
def test_a_table_is_found_wherever_a_statement_names_it(sql: str) -> None:
    assert "users" in named_tables(f"_A = '''\n{sql}'''")
    assert "users" in named_tables(f"_A = f'''\n{sql} {{further}}'''")


def test_words_that_are_no_sql_name_no_table() -> None:
    assert named_tables('"""Reads from users."""\n_A = "Mails to users."') == set()
