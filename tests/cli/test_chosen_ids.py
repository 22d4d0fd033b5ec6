"""Applications with an ID and a secret of their own, on the command line."""

import re
import secrets
from pathlib import Path
from uuid import uuid4

from tests.cli.words import Keystead, done, objects, unique


async def test_a_program_keeps_its_id_and_its_secret(keystead: Keystead, tmp_path: Path) -> None:
    client_id, file = f"Wiki.{uuid4().hex}", tmp_path / "secret"
    file.write_text(f"{secrets.token_hex(32)}\n")
    chosen = ("--application-id", client_id, "--secret-file", str(file))

    created = await done(keystead("app", "create", "Wiki", "--kind", "web", *chosen))
    stored = await done(keystead("app", "create-secret", client_id, "--secret-file", str(file)))
    [shown] = await objects(keystead("app", "show", client_id, "--json"))

    assert created == client_id
    assert re.fullmatch("The secret was stored: [0-9a-f-]{36}", stored)
    assert (shown["application_id"], len(shown["secrets"])) == (client_id, 2)


async def test_an_id_of_another_organization_is_no_name(keystead: Keystead) -> None:
    """So the owner of one cannot lead a command of another's application astray."""
    org, named = unique("org"), unique("wiki")
    await done(keystead("org", "create", org))
    create = ("app", "create", named, "--kind", "web")
    application_id = await done(keystead(*create))
    await done(keystead(*create, "--application-id", named, "--org", org))

    [shown] = await objects(keystead("app", "show", named, "--json"))
    [other] = await objects(keystead("app", "show", named, "--org", org, "--json"))

    assert shown["application_id"] == application_id
    assert other["application_id"] == named
