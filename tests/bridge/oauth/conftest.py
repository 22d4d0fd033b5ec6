"""An application that calls the endpoints over HTTP, beside the people of `tests/oauth`."""

import httpx2
import pytest

from tests.bridge.oauth.web_app import WebApp
from tests.oauth.conftest import ada, app
from tests.oauth.flow import App

__all__ = ["ada", "app"]  # fixtures


@pytest.fixture
def web_app(web: httpx2.AsyncClient, app: App) -> WebApp:
    return WebApp(web, app)
