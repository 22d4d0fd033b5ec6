"""Draws the pictures of docs/console with a new server.

`make pictures` runs this file; `make e2e` does not.
"""

from pathlib import Path

import pytest

from e2e.programs import FOLDER, PROGRAM_SECONDS, node_test_report, output, required
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve

_PICTURES = FOLDER.parent / "docs" / "console"


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_pictures_are_drawn(make_database: MakeDatabase, tmp_path: Path) -> None:
    chromium, pngquant = required("chromium", "chromium"), required("pngquant", "pngquant")
    web_port = free_port()
    async with serve(
        tmp_path,
        database_url=await make_database(),
        http_address=f"127.0.0.1:{web_port}",
        rp_origins=f"http://localhost:{web_port}",
    ) as server:
        described = {
            "webUrl": f"http://127.0.0.1:{await server.web_port()}",
            "origin": f"http://localhost:{web_port}",
            "token": (tmp_path / "admin.token").read_text().strip(),
            "artifacts": "pictures",
            "pictures": str(_PICTURES),
        }
        await node_test_report(FOLDER, "pictures.js", described=described, CHROMIUM=chromium)
    # A palette of 256 colours more than halves the size of a picture.
    files = map(str, _PICTURES.glob("*.png"))
    options = ("--force", "--ext", ".png", "--strip", "--")
    await output(pngquant, *options, *files, seconds=PROGRAM_SECONDS, cwd=_PICTURES)
