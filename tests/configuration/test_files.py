"""What a file says, and what is wrong with it."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_schema_validator import OAS31Validator

from bridge.pages.docs import CONFIGURATION
from server.cli.configuration.document import read_document
from server.cli.configuration.wanted import SecretSource, wanted_of
from server.values.errors import OperatorError
from tests.configuration.test_apply import WHOLE
from tests.support.openapi.configuration import text


def read(folder: Path, content: str, name: str = "k.yaml") -> Any:
    """The content of a document, and what it wants."""
    path = folder / name
    path.write_text(content)
    document = read_document(path)
    return document.content, wanted_of(document, folder)


def test_texts_are_texts_as_in_yaml_1_2(tmp_path: Path) -> None:
    content, _ = read(tmp_path, "groups: {on: null, no: {display_name: 'true'}, 12: {}}\n")

    assert content == {"groups": {"on": None, "no": {"display_name": "true"}, "12": {}}}


def test_a_text_can_have_an_alias(tmp_path: Path) -> None:
    content, _ = read(tmp_path, "groups: {a: {display_name: &a A}, b: {display_name: *a}}\n")

    assert content == {"groups": {name: {"display_name": "A"} for name in "ab"}}


def test_json_is_read_too(tmp_path: Path) -> None:
    groups = {"a": {"display_name": "Å 😀"}}
    for name in ("k.json", "k.yaml"):
        content, _ = read(
            tmp_path, json.dumps({"groups": groups}, ensure_ascii=name == "k.json"), name
        )
        assert content == {"groups": groups}


def test_everything_that_is_wrong_is_named_with_its_line(tmp_path: Path) -> None:
    wrong = """\
groups:
  b:
    displayname: A
    display_name: 7
  a: {}
  a: {}
applications:
  "x.y":
    kind: APPLICATION_KIND_WEBB
    redirect_uris: https://example.com
    scopes: [openid, 3]
    secret: plain
    logo: {from_file: missing.png}
    first_party: null
    resource_scopes: [{nam: x}]
  z: {id: A}
  y: {id: A}
  v: {secret: {from_env: X, rotated_at: soon}}
  u: {secret: {from_env: X, rotated_at: 2999-01-01}, id: 7}
subscriptions: [1]
persons: {}
"""
    with pytest.raises(OperatorError) as raised:
        read(tmp_path, wrong)

    lines = str(raised.value).splitlines()
    found = [line.split(": ")[:2] for line in lines[1:]]
    assert found == [
        ["  line 21", "persons"],
        ["  line 6", "groups.a"],
        ["  line 3", "groups.b.displayname"],
        ["  line 4", "groups.b.display_name"],
        ["  line 9", 'applications."x.y".kind'],
        ["  line 10", 'applications."x.y".redirect_uris'],
        ["  line 11", 'applications."x.y".scopes[1]'],
        ["  line 12", 'applications."x.y".secret'],
        ["  line 13", 'applications."x.y".logo'],
        ["  line 14", 'applications."x.y".first_party'],
        ["  line 15", 'applications."x.y".resource_scopes[0].nam'],
        ["  line 18", "applications.v.secret.rotated_at"],
        ["  line 19", "applications.u.secret.rotated_at"],
        ["  line 19", "applications.u.id"],
        ["  line 17", "applications.y"],
        ["  line 20", "subscriptions"],
    ]


def test_fields_of_another_release_are_named_with_those_of_this_one(tmp_path: Path) -> None:
    with pytest.raises(
        OperatorError,
        match=r"line 3: groups\.a\.colour: is unknown to this release; known are display_name",
    ):
        read(tmp_path, "groups:\n  a:\n    colour: red\n")


def _bomb() -> str:
    """A file of 600 bytes with a trillion values."""
    lists = [f"a{at}: &a{at} [{','.join([f'*a{at - 1}'] * 10)}]" for at in range(1, 12)]
    return "\n".join(["a0: &a0 [x, x]", *lists])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("groups: {a: !!python/object:os.system {}}", "tags such as"),
        ("groups: {a: !x {}}", "tags such as"),
        ("groups: {[a]: {}}", "a key must be a text"),
        ("groups:\n  a: &a {}\n  b: *a", r"line 2: .* again at groups\.b"),
        ("groups: &a [*a]", r"line 1: .* again at groups\[0\]"),
        (_bomb(), r"line 1: .* again at a1\[0\]"),
        ("groups: {", "neither YAML nor JSON"),
        ("[1]", "the file: must be an object"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(
    tmp_path: Path, content: str, problem: str
) -> None:
    with pytest.raises(OperatorError, match=problem):
        read(tmp_path, content)


def test_files_that_cannot_be_read_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OperatorError, match="cannot be read"):
        read_document(tmp_path / "missing.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"groups: {a: {display_name: \xe9}}")
    with pytest.raises(OperatorError, match="UTF-8"):
        read_document(tmp_path / "latin.yaml")
    monkeypatch.setattr("server.cli.configuration.document._MAX_BYTES", 10)
    with pytest.raises(OperatorError, match="Split it"):
        read_document(tmp_path / "latin.yaml")


def test_a_secret_is_text(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"\xff\n")

    with pytest.raises(OperatorError, match="UTF-8"):
        SecretSource("", tmp_path / "secret").secret()


def test_an_empty_file_wants_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, "# nothing\n") == ({}, [])


def test_the_schema_is_that_of_this_release() -> None:
    assert CONFIGURATION.read_text() == text()


def test_the_schema_accepts_a_file_and_names_wrong_fields() -> None:
    validator = _validator()

    assert not [*validator.iter_errors(yaml.safe_load(yaml.safe_dump(WHOLE)))]
    wrong: dict[str, Any]
    for wrong in (
        {"groups": {"a": {"colour": "red"}}},
        {"applications": {"a": {"secret": "plain"}}},
        {"applications": {"a": {"kind": "WEB"}}},
        {"instance": {"groups": {}}},
        {"brand": {"name": "x" * 201}},
    ):
        assert [*validator.iter_errors(wrong)], wrong


def _validator() -> Any:
    schema = json.loads(CONFIGURATION.read_text())
    OAS31Validator.check_schema(schema)
    return OAS31Validator(schema)
