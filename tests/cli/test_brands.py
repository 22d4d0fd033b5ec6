"""The brand of the instance and of organizations, by the command line."""

from pathlib import Path

from tests.cli.words import Keystead, done, objects, unique
from tests.org.brand_calls import FIELDS


async def test_a_brand_is_changed_field_by_field_and_shown(
    keystead: Keystead, tmp_path: Path
) -> None:
    organization, logo = unique("org"), tmp_path / "logo.png"
    logo.write_bytes(FIELDS["logo"])
    await done(keystead("org", "create", organization))
    there = ("--org", organization)

    unset = await keystead("brand", "show", *there)
    told = await done(keystead("brand", "set", "--name", "Example", "--logo", str(logo), *there))
    await done(keystead("brand", "set", "--color", "#1a3c6e", *there))
    [shown] = await objects(keystead("brand", "show", *there, "--json"))

    assert (unset.status, "No brand is set." in unset.errors) == (1, True)
    assert told == f"The brand of '{organization}' was changed."
    assert shown == {
        "name": "Example",
        "color": "#1a3c6e",
        "support_address": "",
        "logo_bytes": len(FIELDS["logo"]),
    }


async def test_the_instance_has_a_brand_of_its_own(keystead: Keystead) -> None:
    told = await done(keystead("brand", "set", "--support", "help@example.com"))
    refused = await keystead("brand", "set", "--color", "#ff8800")
    nothing = await keystead("brand", "set")
    [shown] = await objects(keystead("brand", "show", "--json"))
    await done(keystead("brand", "set", "--support", ""))

    assert told == "The brand of the instance was changed."
    assert "it must be at least 4.5" in refused.errors
    assert "Give at least one option" in nothing.errors
    assert shown["support_address"] == "help@example.com"
