"""Runs of `plan`, `apply` and `export` in this process, on a real server."""

import contextlib
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.cli.configuration.changes import PlacePlan
from server.cli.configuration.client import Api, connected
from server.cli.configuration.document import read_document
from server.cli.configuration.export import Exporter, dumped
from server.cli.configuration.reading import own_organization
from server.cli.configuration.running import applied, planned
from server.cli.configuration.wanted import wanted_of
from tests.support.given import Client, Instance


@dataclass(frozen=True)
class Applied:
    """The end of a run: whether all was made, and what was printed."""

    succeeded: bool
    output: str
    errors: str


@dataclass
class Configured:
    """An organization as the owner of a token configures it by files."""

    api: Api
    folder: Path
    org_id: str = ""

    async def plan(self, content: Any, *, prunes: bool = False) -> list[PlacePlan]:
        """The plan of a file with this content, YAML or its value."""
        return await self._plan(self._written(content), prunes=prunes, tries_all=True)

    async def paths(self, content: Any, *, prunes: bool = False) -> list[str]:
        """The actions and paths of the changes of a plan."""
        plans = await self.plan(content, prunes=prunes)
        return sorted(f"{each.action} {each.path}" for plan in plans for each in plan.all)

    async def apply(self, content: Any, *, prunes: bool = False, as_json: bool = False) -> Applied:
        """Applies such a file."""
        path = self._written(content)
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            succeeded = await applied(
                self.api, lambda: self._plan(path, prunes=prunes, tries_all=False), as_json=as_json
            )
        lines = output.getvalue().splitlines(keepends=True)
        # The server of the test logs to the same output.
        printed = "".join(line for line in lines if not line.startswith("20"))
        return Applied(succeeded, printed, errors.getvalue())

    async def export(self, *, is_whole: bool = False) -> dict[str, Any]:
        """What an export writes of the organization."""
        exporter = Exporter(self.api, is_whole=is_whole)
        return await exporter.organization(self.org_id or await own_organization(self.api))

    async def export_instance(self) -> dict[str, Any]:
        """What an export writes of the instance."""
        return await Exporter(self.api, is_whole=False).instance()

    async def _plan(self, path: Path, *, prunes: bool, tries_all: bool) -> list[PlacePlan]:
        document = read_document(path)
        wanted = wanted_of(document, self.folder)
        return await planned(
            self.api, self.org_id, document, wanted, prunes=prunes, tries_all=tries_all
        )

    def _written(self, content: Any) -> Path:
        path = self.folder / "keystead.yaml"
        path.write_text(content if isinstance(content, str) else dumped(content))
        return path


@contextlib.asynccontextmanager
async def configured(
    instance: Instance, caller: Client, folder: Path, org_id: str = ""
) -> AsyncIterator[Configured]:
    """The organization of a caller, or another one."""
    async with connected(f"http://127.0.0.1:{instance.web_port}", caller.token) as api:
        yield Configured(api, folder, org_id)
