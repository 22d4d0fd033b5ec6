"""The completion scripts of `keystead` for each shell. `make generate` writes them."""

from pathlib import Path

from click.shell_completion import ShellComplete, get_completion_class

from server.cli import keystead

SCRIPTS = {
    shell: Path(__file__).parents[2] / "docs" / "completion" / f"keystead.{shell}"
    for shell in ("bash", "fish", "zsh")
}


def script(shell: str) -> str:
    """The script of click, as `_KEYSTEAD_COMPLETE={shell}_source keystead` prints it."""
    of_shell = get_completion_class(shell)
    assert of_shell is not None
    # Not that of the class: for bash, it runs bash to look at its version.
    source = ShellComplete.source(of_shell(keystead, {}, "keystead", "_KEYSTEAD_COMPLETE"))
    return f"{source.strip()}\n"


if __name__ == "__main__":
    for shell, file in SCRIPTS.items():
        file.write_text(script(shell))
