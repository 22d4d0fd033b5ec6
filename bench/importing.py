"""`keystead import` of many users from one file, killed twice: rate, memory and what arrives."""

import asyncio
import dataclasses
import json
import os
from pathlib import Path

import cbor2
import click

from bench import report
from bench.commands import Spent, run
from bench.database import connection_to
from bench.parts import Bench
from bench.processes import BenchError
from examples.software_authenticator import ES256, b64, cose_key, generate_key

_COUNT = """
select (select count(*) from users where id like 'import-%') as users,
    (select count(*) from passkeys where user_id like 'import-%') as passkeys,
    (select count(*) from events where event_type = 'user.imported') as events,
    (select count(*) from unique_claims where kind = 'credential_id') as claims"""


def importing(bench: Bench, users: int) -> str:
    """Each user has a passkey and a verified address. The import is killed at each third."""
    click.echo(f"import of {users:,} users", err=True)
    bench = dataclasses.replace(bench, processors=range(os.cpu_count() or 1))  # k6 makes no calls
    path = bench.folder / "people.ndjson"
    _write(path, users)
    runs: list[Spent] = []
    with (
        bench.postgresql.database() as database,
        bench.product("import", database.dsn) as server,
    ):
        _ = server.http_address  # it serves
        variables = {
            "KEYSTEAD_DATABASE_URL": database.dsn,
            "KEYSTEAD_DATA_DIR": str(server.data_dir),
        }
        for third in (1, 2, 3):
            kills = third * users // 3 if third < 3 else users + 1
            spent = run(
                bench,
                server,
                ("import", str(path)),
                output=path.with_suffix(f".{third}"),
                variables=variables,
                kills=lambda at=kills: _lines(path) >= at,  # type: ignore[misc]
            )
            if spent.is_killed != (third < 3):
                raise BenchError(f"the import was not killed at {kills:,} users")
            runs.append(spent)
        found = asyncio.run(_counts(database.dsn))
    if found != [users] * 4:
        raise BenchError(f"{users:,} users were in the file, and {found} are in the database")
    return "\n".join([_runs(runs, users), _whole(runs, users)])


def _write(path: Path, users: int) -> None:
    """All passkeys have the same key, since making one costs more than importing it."""
    key = b64(cbor2.dumps(cose_key(generate_key(ES256)), canonical=True))
    with path.open("w") as file:
        for number in range(users):
            name = f"import-{number:09}"
            passkey = {
                "credentialId": b64(f"{name:-<32}".encode()),
                "publicKey": key,
                "userHandle": b64(name.encode()),
                "rpId": "localhost",
                "transports": ["internal"],
            }
            user = {
                "userId": name,
                "userName": f"person.{number}",
                "displayName": f"Person {number}",
                "email": f"person.{number}@example.com",
                "emailVerified": True,
                "passkeys": [passkey],
            }
            file.write(f"{json.dumps(user)}\n")


def _lines(path: Path) -> int:
    """The number of lines that are imported, by the state of the import."""
    try:
        lines: int = json.loads(path.with_name(f"{path.name}.state").read_text())["lines"]
    except (FileNotFoundError, ValueError):
        return 0
    return lines


async def _counts(dsn: str) -> list[int]:
    async with connection_to(dsn) as connection:
        return list(await connection.fetchrow(_COUNT) or ())


def _runs(runs: list[Spent], users: int) -> str:
    names = ("to the first SIGKILL", "to the second SIGKILL", "to the end")
    rows = [
        [
            name,
            *(f"{each:.0f}" for each in (s.seconds, s.command, s.server, s.postgresql)),
            *(f"{each:.0f}" for each in s.peaks),
        ]
        for name, s in zip(names, runs, strict=True)
    ]
    columns = ("seconds", "command CPU s", "server CPU s", "PG CPU s")
    peaks = ("command peak RSS MiB", "server peak RSS MiB")
    return report.table([f"{users:,} users", *columns, *peaks], rows)


def _whole(runs: list[Spent], users: int) -> str:
    seconds = sum(each.seconds for each in runs)
    spent = sum(each.command + each.server + each.postgresql for each in runs)
    return report.table(
        ["all runs", "users per second", "users per CPU second"],
        [[f"{users:,} users", f"{users / seconds:.0f}", f"{users / spent:.0f}"]],
    )
