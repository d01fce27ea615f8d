"""Starts the sandbox as a process of its own, or in a thread beside a test."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from tsudoi.sandbox.app import STATIC, create_app
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.state import World

BACKLOG = 2048
_START_SECONDS = 10.0
_STOP_SECONDS = 3


class SandboxServer(uvicorn.Server):
    """The server. It ends the live streams before it stops, because it would wait for them for ever."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        world_of(self.config.app).stream.close()
        await super().shutdown(sockets)


def world_of(app: object) -> World:
    if not isinstance(app, Starlette):
        raise TypeError("The sandbox serves its own application.")
    world: World = app.state.world
    return world


def _bind(host: str, port: int) -> socket.socket:
    """Bound before anything starts, so that a taken port is an OSError the caller can explain."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def _server(config: SandboxConfig, mail_socket: socket.socket, static_dir: Path = STATIC) -> SandboxServer:
    app = create_app(config, static_dir=static_dir, mail_socket=mail_socket)
    return SandboxServer(
        uvicorn.Config(
            app,
            access_log=False,
            log_level="warning",
            http="httptools",
            ws="none",
            lifespan="on",
            timeout_keep_alive=75,
            timeout_graceful_shutdown=_STOP_SECONDS,
        )
    )


def run(config: SandboxConfig) -> None:
    """Serves until SIGINT or SIGTERM. Raises OSError when a port is taken."""
    with _bind(config.host, config.mail_port) as mail_socket:
        listening = _bind(config.host, config.port)
        with contextlib.suppress(KeyboardInterrupt):
            _server(config, mail_socket).run(sockets=[listening])


@dataclass(frozen=True)
class RunningSandbox:
    """A sandbox that runs in a thread: its addresses and its state."""

    url: str
    smtp_url: str
    world: World


@contextlib.contextmanager
def running(config: SandboxConfig, *, static_dir: Path = STATIC) -> Iterator[RunningSandbox]:
    """Runs the sandbox in a thread, for tests. With port 0 the system picks a free one."""
    mail_socket = _bind(config.host, config.mail_port)
    listening = _bind(config.host, config.port)
    (host, port), mail_port = listening.getsockname()[:2], mail_socket.getsockname()[1]
    server = _server(config, mail_socket, static_dir)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="sandbox", daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise RuntimeError("The sandbox did not start.")
            time.sleep(0.005)
        yield RunningSandbox(f"http://{host}:{port}", f"smtp://{host}:{mail_port}", world_of(server.config.app))
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        mail_socket.close()
