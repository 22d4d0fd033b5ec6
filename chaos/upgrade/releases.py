"""Older releases: built from the history of this repository, and installed by their own locks."""

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, STDOUT
from dataclasses import dataclass
from pathlib import Path

from server.store.schema import migrations

ROOT = Path(__file__).parents[2]
# Until a release has a tag: the oldest commit whose servers run on the schema of this one, and one
# whose servers do not, but know that a schema can be newer.
OLDEST_COMPATIBLE = "6426c386"  # schema version 29
INCOMPATIBLE = "d0ec5938"  # schema version 21
# The only dependency of the client that the server lacks, with its hashes.
_CLIENT_PACKAGE = re.compile(r"^pyjwt==.*(?:\n .*)*", re.MULTILINE)
_PROGRAMS = Path(sys.executable).parent


class NotInHistoryError(Exception):
    """The repository lacks a commit."""

    def __init__(self, ref: str) -> None:
        super().__init__(
            f"The repository has no commit {ref}, from which the older release is built. A shallow"
            " clone lacks it: run git fetch --unshallow --tags, and try again."
        )


@dataclass(frozen=True, slots=True)
class Release:
    """A release in an environment of its own, with its client."""

    ref: str
    source: Path
    environment: Path

    @property
    def version(self) -> int:
        """The schema version."""
        files = (self.source / "server" / "store" / "migrations").glob("*.sql")
        return max(int(file.name.split("_")[0]) for file in files)

    @property
    def is_compatible(self) -> bool:
        """Whether the migrations declare that its servers run on the schema of this one."""
        return self.version >= max(each.compatible_since for each in migrations())

    @property
    def program(self) -> Path:
        """The `keystead` command."""
        return self.environment / "bin" / "keystead"

    def __str__(self) -> str:
        return f"{self.ref} (schema version {self.version})"


def this() -> Release:
    """The release of this repository, in the development environment."""
    return Release("this release", ROOT, Path(sys.prefix))


async def default_refs(repository: Path = ROOT) -> list[str]:
    """The commits to upgrade from. NotInHistoryError."""
    before = await commit("HEAD^", repository)
    sorting = ("--sort=-version:refname", "--merged", before, "v*")
    tags = (await output("git", "-C", repository, "tag", *sorting)).split()
    return [tags[0] if tags else OLDEST_COMPATIBLE, INCOMPATIBLE]


async def commit(ref: str, repository: Path = ROOT) -> str:
    """The full name of a commit. NotInHistoryError."""
    try:
        return (
            await output("git", "-C", repository, "rev-parse", "--verify", f"{ref}^{{commit}}")
        ).strip()
    except FailedError as error:
        raise NotInHistoryError(ref) from error


async def installed(ref: str, folder: Path) -> Release:
    """Builds the wheels of a commit, and installs them by its lock. NotInHistoryError."""
    release = Release(ref, folder / "source", folder / "environment")
    archive, wheels = folder / "source.tar", folder / "wheels"
    await output("mkdir", "-p", release.source)
    await output("git", "-C", ROOT, "archive", "-o", archive, await commit(ref))
    await output("tar", "-xf", archive, "-C", release.source)
    for project in (release.source, release.source / "clients" / "python"):
        build = ("build", "-t", "wheel", "-d", wheels)
        await output(_PROGRAMS / "hatchling", *build, cwd=project)
    await output(sys.executable, "-m", "venv", "--without-pip", release.environment)
    install = ("pip", "install", "--system-certs", "--no-deps", "--python", release.environment)
    locked = ("--require-hashes", "--only-binary", ":all:", "-r", "/dev/stdin")
    await output(_PROGRAMS / "uv", *install, *locked, stdin=_lock(release.source))
    await output(_PROGRAMS / "uv", *install, "--offline", *wheels.glob("*.whl"))
    return release


def _lock(source: Path) -> str:
    """The packages of the server, and PyJWT of the client."""
    [client] = _CLIENT_PACKAGE.findall((source / "requirements-dev.lock").read_text())
    return f"{(source / 'requirements.lock').read_text()}\n{client}"


class FailedError(Exception):
    """A program ended with another status than 0; the message has its output."""


async def output(
    *command: str | Path, cwd: Path = ROOT, stdin: str = "", **environment: str
) -> str:
    """The output and errors of a program with this standard input. FailedError."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=PIPE,
        stdout=PIPE,
        stderr=STDOUT,
    )
    try:
        text = (await process.communicate(stdin.encode()))[0].decode()
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise FailedError(f"{' '.join(map(str, command))}: {text}")
    return text
