"""An application that calls the endpoints over HTTP, beside the people of `tests/oauth`."""

import httpx2
import pytest

from tests.bridge.oauth.web_app import WebApp
from tests.oauth import shared
from tests.oauth.flow import App

org_id, owner, app, ada = shared.org_id, shared.owner, shared.app, shared.ada


@pytest.fixture
def web_app(web: httpx2.AsyncClient, app: App) -> WebApp:
    return WebApp(web, app)
