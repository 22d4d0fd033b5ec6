"""A hub that knows nothing of Keystead, without servers of users."""

import os
import socket


def free_url():
    """An address for a part of the hub."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"


c = get_config()  # noqa: F821 -- of JupyterHub
c.JupyterHub.bind_url = os.environ["PROGRAM_URL"]
c.JupyterHub.hub_bind_url = free_url()
c.ConfigurableHTTPProxy.api_url = free_url()
c.JupyterHub.default_url = "/hub/home"
c.JupyterHub.spawner_class = "simple"
c.ConfigurableHTTPProxy.command = "node_modules/.bin/configurable-http-proxy"
