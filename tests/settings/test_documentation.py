"""The table of settings in docs/operating.md has every setting, with its default."""

import re
from pathlib import Path

from server.settings.settings import Settings
from server.settings.sources import PREFIX

_OPERATING = Path(__file__).parents[2] / "docs" / "operating.md"
_ROW = re.compile(rf"^\| `({PREFIX}[A-Z_]+)` \| (.*?) ?\| (.+) \|$", re.MULTILINE)


def test_every_setting_is_documented_once_in_its_order() -> None:
    documented = [name for name, _, _ in _ROW.findall(_OPERATING.read_text())]

    assert documented == [f"{PREFIX}{name.upper()}" for name in Settings.model_fields]


def test_every_default_is_documented() -> None:
    documented = {name: default for name, default, _ in _ROW.findall(_OPERATING.read_text())}
    written = {
        f"{PREFIX}{name.upper()}": f"`{str(field.default).lower()}`".replace(".0`", "`")
        for name, field in Settings.model_fields.items()
        if isinstance(field.default, str | int | float | Path)
    }

    assert {name: documented[name].lower() for name in written} == written


def test_descriptions_name_settings_as_they_are_spelled() -> None:
    names = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}

    mentioned = re.findall(
        "KEYSTEAD[A-Z_]+",
        " ".join(str(field.description) for field in Settings.model_fields.values()),
    )

    assert not set(mentioned) - names
