import gc
import signal
import socket
from contextlib import nullcontext
from types import FrameType

import uvicorn

from tsudoi.app import create_app
from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import port_taken
from tsudoi.commands.runtime import seed_first_admin, started
from tsudoi.commands.worker import working
from tsudoi.core.settings import Settings
from tsudoi.worker import Worker

_BACKLOG = 2048
# Less than the ten seconds after which most supervisors lose patience.
_SECONDS_TO_FINISH = 8


def calm_garbage_collector() -> None:
    """What is there at the start stays; looking through it again and again costs a tenth of the throughput."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


def run_serve() -> int:
    settings = read_settings()
    with started(settings) as runtime, _listen(settings) as listening:
        seed_first_admin(runtime.db, settings)
        worker = Worker(runtime)
        app = create_app(runtime)
        calm_garbage_collector()
        signal.signal(signal.SIGTERM, _leave)
        with working(worker) if settings.runs_worker_inline else nullcontext():
            _Server(_config(app), worker).run(sockets=[listening])
    return 0


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Uvicorn repeats a signal once it has stopped; by default that would end us before we have tidied up."""
    raise SystemExit(0)


class _Server(uvicorn.Server):
    """Stops the worker together with the server, so that both finish what they have in hand at the same time."""

    def __init__(self, config: uvicorn.Config, worker: Worker) -> None:
        super().__init__(config)
        self._worker = worker

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._worker.stop()
        await super().shutdown(sockets)


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        access_log=False,
        log_config=None,
        lifespan="off",
        ws="none",
        server_header=False,
        # Whom to believe about the client's address is decided in `access.middleware`.
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
    )


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise port_taken(settings.host, settings.port, "PORT", "serve") from error
