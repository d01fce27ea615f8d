import gc
import logging
import signal
import socket
import sys
from contextlib import nullcontext
from types import FrameType

import uvicorn

from tsudoi.app import create_app
from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import port_taken
from tsudoi.commands.runtime import seed_first_admin, started
from tsudoi.commands.worker import working
from tsudoi.core.sampled_lines import SampledWarnings
from tsudoi.core.settings import Settings
from tsudoi.worker import Worker

_BACKLOG = 2048
# Most supervisors kill a process ten seconds after they asked it to stop.
_SECONDS_TO_FINISH = 8


# A database thread that gets its answer waits for the interpreter up to this long, several times per request. With
# Python's own 5 ms the answer post on PostgreSQL is less than half as fast.
_SWITCH_SECONDS = 0.0005


def tune_interpreter() -> None:
    """Exclude the objects of the start from garbage collection; scanning them costs a tenth of the throughput."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)
    sys.setswitchinterval(_SWITCH_SECONDS)


def run_serve() -> int:
    settings = read_settings()
    with started(settings) as runtime, _listen(settings) as listening:
        seed_first_admin(runtime.db, settings)
        worker = Worker(runtime)
        app = create_app(runtime)
        tune_interpreter()
        # The HTTP server warns of each request that is no HTTP.
        logging.getLogger("uvicorn.error").addFilter(SampledWarnings(runtime.lines, "not_http"))
        signal.signal(signal.SIGTERM, _exit_cleanly)
        with working(worker) if settings.runs_worker_inline else nullcontext():
            _Server(_config(app), worker).run(sockets=[listening])
    return 0


def _exit_cleanly(_number: int, _frame: FrameType | None) -> None:
    """Uvicorn raises the signal again after it has stopped. The default handler would skip the cleanup."""
    raise SystemExit(0)


class _Server(uvicorn.Server):
    """A server that stops the worker together with itself, so that both finish their current work in parallel."""

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
        # `access.middleware` decides which proxies are trusted for the client's address.
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
