"""Fields that are read from files: secrets, texts, images, and lists of objects."""

import json
from pathlib import Path

from keystead.application.v1 import application_service_pb2 as pb
from tests.application import calls as applications
from tests.cli.words import Keystead, done, objects, unique
from tests.idp.oidc_calls import LOGO
from tests.support.given import Instance


async def test_texts_and_images_are_files(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    logo, jwks, name = tmp_path / "logo.png", tmp_path / "jwks.json", unique("app")
    logo.write_bytes(LOGO)
    jwks.write_text(applications.JWKS)
    application_id = await done(keystead("app", "create", name, "--kind", "web"))

    method = ("--auth-method", "private_key_jwt")
    await done(keystead("app", "set", name, *method, "--jwks", str(jwks), "--logo", str(logo)))
    changed = await applications.get(instance.admin, application_id)
    await done(keystead("app", "set", name, "--logo", "/dev/null"))
    emptied = await applications.get(instance.admin, application_id)

    assert changed.token_endpoint_auth_method == pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT
    assert (changed.jwks, changed.logo) == (applications.JWKS, LOGO)
    assert (emptied.jwks, emptied.logo) == (applications.JWKS, b"")


async def test_a_list_of_objects_is_a_file(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    file, name = tmp_path / "issuers.json", unique("app")
    claims = {"repository_owner_id": "4711"}
    issuers = [{**applications.WORKLOADS, "subject": "*", "claims": claims}]
    file.write_text(json.dumps([*issuers, applications.WORKLOADS]))

    application_id = await done(
        keystead(
            *("app", "create", name, "--kind", "service", "--auth-method", "none"),
            *("--workload-issuers", str(file)),
        )
    )
    added = await applications.get(instance.admin, application_id)
    [shown] = await objects(keystead("app", "show", name, "--json"))
    as_text = await done(keystead("app", "show", name))
    file.write_text("[]")
    method = ("--auth-method", "client_secret_basic")
    await done(keystead("app", "set", name, "--workload-issuers", str(file), *method))
    emptied = await applications.get(instance.admin, application_id)

    assert shown["workload_issuers"] == [*issuers, {**applications.WORKLOADS, "claims": {}}]
    assert [each.subject for each in added.workload_issuers] == ["*", "repo:example/*"]
    assert json.dumps(claims) in as_text
    assert not emptied.workload_issuers


async def test_a_wrong_file_is_explained(keystead: Keystead, tmp_path: Path) -> None:
    file = tmp_path / "issuers.json"

    async def errors(content: bytes, option: str = "--workload-issuers") -> str:
        file.write_bytes(content)
        added = await keystead(
            "app", "create", unique("app"), "--kind", "service", option, str(file)
        )
        assert added.status != 0
        return added.errors

    for content in (b"{", b"{}", b"[1]"):
        assert "not a JSON list of objects of issuer, audience" in await errors(content)
    assert 'no field named "subjects"' in await errors(b'[{"subjects": []}]')
    assert "not text in UTF-8" in await errors(b"\xff")
    assert "not text in UTF-8" in await errors(b"\xff", "--jwks")
    assert "  application.workloadIssuers.0.issuer: must" in await errors(b"[{}]")


async def test_attributes_are_a_json_object(keystead: Keystead) -> None:
    for text in ("{", "[1]", "1"):
        refused = await keystead("user", "create", unique("ada"), "--attributes", text)
        assert refused.status != 0
        assert "not a JSON object" in refused.errors
