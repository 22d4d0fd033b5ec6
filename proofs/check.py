"""Runs Spin on a model, whole or without one of its guards."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

MODELS = sorted((Path(__file__).parent / "models").glob("*.pml"))

# ` * name: file "the promise"`, `bool guard = true; /* guard of name: …`, `assert(…) /* name */`.
_PROMISE = re.compile(r'^ \* (\w+): (\S+) "(.+)"$', re.MULTILINE)
_GUARD = re.compile(r"^bool (\w+) = true; +/\* guard of (\w+):", re.MULTILINE)
_ASSERTED = re.compile(r"assert\(.+\);? +/\* (\w+) \*/")
_FAILED = re.compile(r"^spin: \S+:(\d+), Error: assertion violated", re.MULTILINE)
_STATES = re.compile(r"^ *(\d+) states, stored", re.MULTILINE)
# The search is exhaustive and breadth-first, so a trace that it finds is a shortest one.
_COMPILER = ("gcc", "-O1", "-w", "-DSAFETY", "-DMEMLIM=1500", "-DBFS", "-o", "pan", "pan.c")


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise of a model, and the file that makes it in these words."""

    name: str
    file: str
    words: str


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard of a model, and the promise that is broken without it."""

    name: str
    promise: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a complete search: the number of states, and the broken promise with its trace.

    Without a broken promise, both texts are empty.
    """

    states: int
    broken: str = ""
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """A model in Promela."""

    text: str

    @property
    def promises(self) -> list[Promise]:
        """The promises that its head names."""
        return [Promise(*found) for found in _PROMISE.findall(self.text)]

    @property
    def guards(self) -> list[Guard]:
        """The guards that can be removed."""
        return [Guard(*found) for found in _GUARD.findall(self.text)]

    @property
    def asserted(self) -> set[str]:
        """The names of the promises that it asserts."""
        return set(_ASSERTED.findall(self.text))

    def without(self, guard: str) -> "Model":
        """The same model with a guard removed."""
        return Model(self.text.replace(f"bool {guard} = true;", f"bool {guard} = false;"))

    def check(self, folder: Path) -> Verdict:
        """Searches all states, in an empty directory. RuntimeError: it cannot be completed."""
        (folder / "model.pml").write_text(self.text)
        _run(folder, "spin", "-a", "model.pml")
        _run(folder, *_COMPILER)
        output = _run(folder, "./pan")
        states = int(_STATES.findall(output)[0])
        if "errors: 0" in output and "Search not completed" not in output:
            return Verdict(states)
        trace = _run(folder, "spin", "-t", "-p", "-g", "-l", "model.pml")
        if not (failed := _FAILED.search(trace)):
            raise RuntimeError(f"{output}\n{trace}")
        line = self.text.splitlines()[int(failed[1]) - 1]
        return Verdict(states, _ASSERTED.findall(line)[0], trace)


def _run(folder: Path, *command: str) -> str:
    """The output of a program. RuntimeError if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout
