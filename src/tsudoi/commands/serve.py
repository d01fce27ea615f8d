import gc
import signal
import sys
from contextlib import nullcontext
from types import FrameType

from prometheus_client import CollectorRegistry

from tsudoi.app import create_app
from tsudoi.commands.data import read_settings
from tsudoi.commands.leaving import leave_in_time
from tsudoi.commands.runtime import seed_first_admin, started
from tsudoi.commands.serving.limits import ConnectionLimits, most_connections, raise_open_files
from tsudoi.commands.serving.listener import listen
from tsudoi.commands.serving.server import LimitedServer
from tsudoi.commands.worker import working
from tsudoi.worker import Worker

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
    settings = read_settings(in_log=True)
    limits = ConnectionLimits(connections=most_connections(settings.connection_limit, raise_open_files()))
    with started(settings) as runtime, listen(settings) as listening:
        seed_first_admin(runtime.db, settings)
        worker = Worker(runtime)
        app = create_app(runtime)

        def begin_stop() -> None:
            leave_in_time()
            worker.stop()

        tune_interpreter()
        signal.signal(signal.SIGTERM, _exit_cleanly)
        with working(worker) if settings.runs_worker_inline else nullcontext():
            LimitedServer(app, limits, runtime.part(CollectorRegistry), begin_stop).run(sockets=[listening])
    return 0


def _exit_cleanly(_number: int, _frame: FrameType | None) -> None:
    """Uvicorn raises the signal again after it has stopped. The default handler would skip the cleanup."""
    raise SystemExit(0)
