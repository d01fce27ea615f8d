import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from tsudoi.commands.data import read_settings
from tsudoi.commands.runtime import started
from tsudoi.worker import Worker

_log = structlog.stdlib.get_logger(__name__)

# Most supervisors lose patience after ten seconds, counted from the moment they asked.
_SECONDS_IN_ALL = 9.0
_SECONDS_FOR_THE_LAST_JOB = 3.0


def run_worker() -> int:
    with started(read_settings()) as runtime:
        worker, asked = Worker(runtime), threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: asked.set())
        with working(worker):
            asked.wait()
    return 0


@contextmanager
def working(worker: Worker) -> Iterator[None]:
    """The worker in a thread of its own until the block ends, and a little longer for the job it has in hand."""
    thread = threading.Thread(target=worker.run, name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        worker.stop()
        left = _SECONDS_IN_ALL - (time.monotonic() - worker.asked_to_stop_at)
        thread.join(max(0.0, min(left, _SECONDS_FOR_THE_LAST_JOB)))
        if thread.is_alive():
            _leave_behind()


def _leave_behind() -> None:
    """The job waits for a peer that is silent. Its row is leased, so another worker takes it over later.

    Python would wait for the job's thread; what is committed is on disk, so nothing is lost by not waiting.
    """
    _log.warning("worker_left_behind")
    logging.shutdown()
    os._exit(0)
