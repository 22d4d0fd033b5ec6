"""The description of the JSON API, as generators of clients understand it."""

import shutil
from pathlib import Path

import httpx2
import pytest

from e2e.conftest import World
from e2e.programs import FOLDER, PROGRAM_SECONDS, output, required, run_node_tests

_BIN = FOLDER / "node_modules" / ".bin"
_GENERATED = FOLDER / "gen" / "openapi.d.ts"
_SECONDS = 120
# Maven fetches openapi-generator and its dependencies the first time.
_JAVA_SECONDS = 400
# Half of the processor time of so short a run would be that of the optimizing compiler.
_SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture
async def document(world: World, tmp_path: Path) -> Path:
    """A file with the document that the server serves."""
    file = tmp_path / "openapi.json"
    async with httpx2.AsyncClient(base_url=str(world.description["webUrl"])) as client:
        file.write_bytes((await client.get("/openapi.json")).content)
    return file


@pytest.mark.timeout(2 * _SECONDS + PROGRAM_SECONDS + 30)
async def test_a_typescript_client_compiles_and_calls_the_server(
    world: World, document: Path
) -> None:
    required("node", "nodejs")
    compiler = ("tsc", "--strict", "--module", "nodenext", "--target", "es2022")

    await _run("openapi-typescript", str(document), "--output", str(_GENERATED))
    await _run(*compiler, "--outDir", "gen/clients", "clients/openapi.ts")

    await run_node_tests("openapi.test.js", world.description)


@pytest.mark.skipif(
    not (shutil.which("mvn") and shutil.which("javac")), reason="Java is not here: mvn and javac"
)
@pytest.mark.timeout(_JAVA_SECONDS + 60)
async def test_a_java_client_compiles(document: Path) -> None:
    maven = ("mvn", "--batch-mode", "--quiet", "--file", "openapi/pom.xml")
    made = FOLDER / "gen" / "java"
    shutil.rmtree(made, ignore_errors=True)

    await output(
        *(*maven, f"-Dopenapi={document}", "compile"),
        seconds=_JAVA_SECONDS,
        cwd=FOLDER,
        MAVEN_OPTS=_SHORT_LIVED,
    )

    classes = {file.stem for file in made.rglob("*.class")}
    assert {"IdentityProviderServiceApi", "KeysteadIdpV1UpdateIDPRequest"} <= classes


async def _run(program: str, *arguments: str) -> None:
    await output(str(_BIN / program), *arguments, seconds=_SECONDS, cwd=FOLDER)
