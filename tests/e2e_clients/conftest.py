from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.e2e_clients import programs
from tests.e2e_clients.home import Home
from tests.e2e_clients.programs import Program


@pytest.fixture(scope="session")
def modules() -> Path:
    """The folder of Node packages with all clients."""
    return programs.install()


class Refuses(BaseHTTPRequestHandler):
    """A model that has no answer, so that a client that has asked it ends."""

    def do_POST(self) -> None:
        """Refuse."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b'{"error": {"message": "no model here", "type": "invalid_request_error"}}'
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""


@pytest.fixture(scope="session")
def model() -> Iterator[str]:
    """The URL of a model that refuses whatever it is asked."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Refuses) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


@pytest.fixture
def make_home(modules: Path, model: str, tmp_path: Path) -> Callable[[str], Home]:
    """A home with the client of this name, and nothing in it."""
    (tmp_path / "project").mkdir()
    by_name = {each.name: each for each in programs.PROGRAMS}

    def make(client: str) -> Home:
        return Home(by_name[client], modules, tmp_path, model)

    return make


@pytest.fixture(params=programs.PROGRAMS, ids=lambda client: client.name)
def home(request: pytest.FixtureRequest, make_home: Callable[[str], Home]) -> Home:
    """A home for each client in turn."""
    client: Program = request.param
    return make_home(client.name)
