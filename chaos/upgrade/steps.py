"""The steps of both upgrades."""

from pathlib import Path

from chaos.promises import promise_rebuilt_is_live
from chaos.report import Report
from chaos.stage import Served
from chaos.upgrade.releases import Release, output
from tests.support import process

_CLIENT = Path(__file__).with_name("client.py")


async def fill(release: Release, served: Served) -> None:
    """Writes objects of each kind with the client of a release."""
    await _client(release, "fill", served)


async def promise_readable(report: Report, release: Release, served: Served) -> None:
    """Everything that `fill` wrote is there, for the client of the release."""
    differences = await _client(release, "read", served)
    report.promise(
        f"the client of {release.ref} reads everything, all tokens and sessions are valid, and"
        " everybody signs in by passkey",
        unless=differences.splitlines(),
    )


async def _client(release: Release, mode: str, served: Served) -> str:
    data_dir = served.server.data_dir
    return await output(
        *(release.environment / "bin" / "python", _CLIENT),
        *(mode, f"127.0.0.1:{served.ports.grpc}"),
        *(data_dir / "admin.token", data_dir / "filled.json"),
        PYTHONPATH=str(release.source),  # has the authenticator, which is no part of a wheel
    )


async def promise_healthy(report: Report, dsn: str, data_dir: Path) -> None:
    """The commands of this release find nothing wrong."""
    # It also fills what events of older releases tell of the new columns.
    await process.keystead("rebuild", data_dir=data_dir, database_url=dsn)
    await promise_rebuilt_is_live(report, dsn, data_dir)
    await promise_command(report, dsn, data_dir, "audit", "checkpoint")
    await promise_command(report, dsn, data_dir, "audit", "verify")
    doctor = await process.keystead("doctor", data_dir=data_dir, database_url=dsn)
    report.promise(
        "`keystead doctor` can decrypt every secret",
        unless=[] if "can be decrypted" in doctor.output else [doctor.output + doctor.errors],
    )


async def promise_command(report: Report, dsn: str, data_dir: Path, *words: str) -> None:
    """A command of this release succeeds."""
    finished = await process.keystead(*words, data_dir=data_dir, database_url=dsn)
    report.promise(
        f"`keystead {' '.join(words)}` succeeds",
        unless=[] if finished.status == 0 else [finished.output + finished.errors],
    )


async def promise_foretold(report: Report, dsn: str, data_dir: Path, sentence: str) -> None:
    """Before the migration, `keystead doctor` of this release says how to upgrade."""
    doctor = await process.keystead("doctor", data_dir=data_dir, database_url=dsn)
    report.promise(
        f"before the migration, `keystead doctor` says: {sentence}",
        unless=[] if sentence in doctor.output else [doctor.output + doctor.errors],
    )
