"""grpcurl and curl for the tour: prints each call and its answer, and checks the answer."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_TIMEOUT_SECONDS = 60
_POLL_SECONDS = 0.1
# grpcurl's exit status for an error is this and the number of the gRPC code.
_EXIT_STATUS_OFFSET = 64
_CODES = {
    3: "INVALID_ARGUMENT",
    5: "NOT_FOUND",
    6: "ALREADY_EXISTS",
    9: "FAILED_PRECONDITION",
    16: "UNAUTHENTICATED",
}
# Members of answers that are secrets, and the variables in which a reader would keep them.
_SECRET_MEMBERS = {"sessionToken": "SESSION_TOKEN", "registrationToken": "REGISTRATION_TOKEN"}
_PROGRAMS = {
    "grpcurl": "`make try` installs it.",
    "curl": "Install it, on Debian by: apt-get install curl",
}
_BOLD, _GREEN = 1, 32


class TourError(Exception):
    """An unexpected result, which ends the tour."""


def expect(subject: str, found: object, expected: object) -> None:
    """Raises TourError unless both are equal."""
    if found != expected:
        raise TourError(f"{subject} should be\n  {expected}\nand is\n  {found}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The machine-readable part of an error. Its message may change."""

    code: str
    reason: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = ()  # the wrong ones, from BadRequest
    resource: tuple[str, str] | None = None  # type and name, from ResourceInfo


class Tour:
    """Prints the tour, and calls the server at `address`.

    Secrets reach grpcurl as environment variables, never as arguments, which all users of the
    machine can read. In printed answers, `${NAME}` replaces a secret.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._tls_files: dict[str, Path] = {}
        self._secrets: dict[str, str] = {}
        # Programs beside this Python come first, whether or not its environment is activated.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        self._environment = os.environ | {"PATH": path, "no_proxy": "127.0.0.1"}
        for program, remedy in _PROGRAMS.items():
            if shutil.which(program, path=path) is None:
                raise TourError(f"There is no {program}. {remedy}")
        version = self._run(["grpcurl", "-version"])
        if version.returncode != 0:
            # The package contains grpcurl for Linux on x86-64 only.
            raise TourError(f"grpcurl does not run on this machine:\n{version.stderr.strip()}")

    def use_tls(self, address: str, **files: Path) -> None:
        """Makes later calls to this address by TLS.

        `files` are options of grpcurl and curl: `cacert` is the only authority to trust, `cert` and
        `key` are the certificate that the client presents.
        """
        self._address = address
        self._tls_files = files

    def heading(self, text: str) -> None:
        """Begins a step."""
        _print(_coloured(f"\n=== {text}\n", _BOLD))

    def say(self, text: str) -> None:
        """Prints an explanation."""
        _print(f"# {text}")

    def shell(self, command: str) -> None:
        """Shows a command."""
        _print(_coloured(f"$ {self._without_secrets(command)}", _GREEN))

    def output(self, text: str) -> None:
        """Shows the output of a command."""
        _print(f"{self._without_secrets(text).strip()}\n")

    def keep_secret(self, name: str, value: str) -> None:
        """Passes the variable to every later call, and replaces its value in the output."""
        self._secrets[name] = value

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never be printed."""
        return tuple(self._secrets.values())

    def schema(self, *words: str) -> str:
        """The output of `list` or `describe`, from the server's reflection."""
        ended = self._show(["grpcurl", *self._transport, self._address, *words])
        expect("the exit status of grpcurl", ended.returncode, 0)
        return ended.stdout

    def is_healthy(self) -> bool:
        """Whether the health service reports SERVING. The call is not printed."""
        words = ["grpcurl", *self._transport, self._address, "grpc.health.v1.Health/Check"]
        ended = self._run(words)
        return ended.returncode == 0 and _object(ended.stdout) == {"status": "SERVING"}

    def call(
        self,
        method: str,
        request: Mapping[str, object] | None = None,
        *,
        answers: Sequence[str],
        organization: str = "",
        bearer: str = "TOKEN",
        flags: Sequence[str] = (),
    ) -> dict[str, Any]:
        """The answer of a call that must succeed, with exactly the members `answers`.

        `bearer` is the variable that holds the token; empty: none is sent.
        """
        ended = self._show(self._words(method, organization, bearer, flags), request)
        expect("the exit status of grpcurl", ended.returncode, 0)
        answer = _object(ended.stdout)
        expect("the members of the answer", list(answer), list(answers))
        return answer

    def call_with_trailers(
        self, method: str, request: Mapping[str, object], *, organization: str
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The trailing metadata and the answer of a call that must succeed."""
        ended = self._show(self._words(method, organization, flags=["-v"]), request)
        expect("the exit status of grpcurl", ended.returncode, 0)
        _, _, received = ended.stdout.partition("\nResponse contents:\n")
        contents, _, rest = received.partition("\n\nResponse trailers received:\n")
        trailers, _, _ = rest.partition("\nSent ")
        return dict(line.split(": ", 1) for line in trailers.splitlines()), _object(contents)

    def curl(self, url: str, *, status: int = 200) -> dict[str, Any]:
        """The JSON document of a GET without a token, which must have this status."""
        ended = self._show(["curl", "-sS", "-w", "%{stderr}%{http_code}", *self._files("--"), url])
        expect("the status", ended.stderr, str(status))
        return _object(ended.stdout)

    def wait_for(self, method: str, expected: Callable[[dict[str, Any]], bool]) -> None:
        """Repeats a call until the answer is as expected. The calls are not printed."""
        until = time.monotonic() + _TIMEOUT_SECONDS
        while not expected(_object(self._run(self._words(method)).stdout)):
            if time.monotonic() > until:
                raise TourError(f"{method} still does not answer as expected.")
            time.sleep(_POLL_SECONDS)

    def refused(
        self,
        method: str,
        request: Mapping[str, object],
        expected: Refusal,
        *,
        bearer: str = "TOKEN",
    ) -> None:
        """A call that must end with exactly this error."""
        ended = self._show(self._words(method, bearer=bearer), request)
        if ended.returncode <= _EXIT_STATUS_OFFSET:
            raise TourError(
                f"The call should be refused; grpcurl's exit status is {ended.returncode}."
            )
        error = _object(ended.stderr)
        expect("the exit status of grpcurl", ended.returncode, _EXIT_STATUS_OFFSET + error["code"])
        expect("the error", _refusal(error), expected)

    def _words(
        self,
        method: str,
        organization: str = "",
        bearer: str = "TOKEN",
        flags: Sequence[str] = (),
    ) -> list[str]:
        words = ["grpcurl", *self._transport, "-format-error", *flags]
        if bearer:
            words += ["-expand-headers", "-H", f"authorization: Bearer ${{{bearer}}}"]
        if organization:
            words += ["-H", f"x-service-orgid: {organization}"]
        return [*words, self._address, method]

    @property
    def _transport(self) -> list[str]:
        return self._files("-") or ["-plaintext"]

    def _files(self, dashes: str) -> list[str]:
        return [
            word
            for option, file in self._tls_files.items()
            for word in (f"{dashes}{option}", str(file))
        ]

    def _show(
        self, words: list[str], request: Mapping[str, object] | None = None
    ) -> subprocess.CompletedProcess[str]:
        body = ""
        if request is not None:
            body = json.dumps(request, indent=2)
            words = [*words[:1], "-d", "@", *words[1:]]
        self.shell(_as_typed(words, body))
        ended = self._run(words, body)
        self._keep_secrets_of(ended.stdout)
        self.output(ended.stdout + ended.stderr)
        return ended

    def _without_secrets(self, text: str) -> str:
        for name, secret in self._secrets.items():
            text = text.replace(secret, f"${{{name}}}")
        return text

    def _keep_secrets_of(self, answer: str) -> None:
        if answer.startswith("{"):
            members = _object(answer)
            for member, name in _SECRET_MEMBERS.items():
                if member in members:
                    self.keep_secret(name, members[member])

    def _run(self, words: list[str], body: str = "") -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                words,
                input=body,
                text=True,
                capture_output=True,
                check=False,
                env=self._environment | self._secrets,
                timeout=_TIMEOUT_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise TourError(f"{words[-1]} did not end within {_TIMEOUT_SECONDS} seconds") from None


def _refusal(error: dict[str, Any]) -> Refusal:
    details = {detail["@type"].rpartition("/")[2]: detail for detail in error["details"]}
    info = details["google.rpc.ErrorInfo"]
    expect("the domain of the error", info["domain"], "keystead")
    bad_request = details.get("google.rpc.BadRequest", {"field_violations": []})
    resource = details.get("google.rpc.ResourceInfo")
    return Refusal(
        code=_CODES.get(error["code"], str(error["code"])),
        reason=info["reason"],
        metadata=info.get("metadata", {}),
        fields=tuple(violation["field"] for violation in bad_request["field_violations"]),
        resource=(resource["resource_type"], resource["resource_name"]) if resource else None,
    )


def _as_typed(words: list[str], body: str) -> str:
    command, *rest = words
    for word in rest:
        command += (" \\\n    " if word == "-H" else " ") + shlex.quote(word)
    return f"{command} <<'END'\n{body}\nEND" if body else command


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        raise TourError(f"The answer should be JSON, and is\n  {text}") from None
    expect("the type of the answer", type(value), dict)
    return dict(value)


def _coloured(text: str, colour: int) -> str:
    for_people = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return f"\033[{colour}m{text}\033[0m" if for_people else text


def _print(text: str) -> None:
    print(text, flush=True)  # at once, so that it stays in order with standard error
