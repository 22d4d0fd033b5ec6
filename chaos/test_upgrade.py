"""The history that an upgrade needs. `make upgrade` runs the upgrade itself."""

import subprocess
from pathlib import Path

import pytest

from chaos.upgrade.releases import ROOT, NotInHistoryError, commit, default_refs


@pytest.fixture
def shallow(tmp_path: Path) -> Path:
    """A clone with one commit, as a CI system makes it."""
    clone = tmp_path / "clone"
    command = ("git", "clone", "-q", "--bare", "--depth", "1", f"file://{ROOT}", clone)
    subprocess.run(command, check=True)
    return clone


async def test_a_shallow_clone_is_refused_with_the_remedy(shallow: Path) -> None:
    with pytest.raises(NotInHistoryError, match="git fetch --unshallow --tags"):
        await default_refs(shallow)


async def test_the_default_commits_are_in_the_history() -> None:
    refs = await default_refs()

    assert len({await commit(ref) for ref in refs}) == 2
