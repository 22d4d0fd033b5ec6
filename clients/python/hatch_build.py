"""Puts the generated code of the API into the package (decision 30)."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedCode(BuildHookInterface[Any]):
    """Adds `keystead/**/*_pb2*.py`: of the repository, or of the source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before each build."""
        root = Path(self.root)
        if version == "editable":
            return  # the repository has it on the path
        in_repository = root.parents[1] / "protos" / "gen"
        generated = in_repository if in_repository.is_dir() else root
        for file in sorted(generated.glob("keystead/*/v1/*_pb2*.py*")):
            build_data["force_include"][str(file)] = str(file.relative_to(generated))
