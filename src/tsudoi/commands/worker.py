import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tsudoi.commands.data import read_settings
from tsudoi.commands.leaving import leave, leave_in_time
from tsudoi.commands.runtime import started
from tsudoi.worker import Worker

# Most supervisors kill a process ten seconds after they asked it to stop.
_SECONDS_IN_ALL = 9.0
_SECONDS_FOR_THE_LAST_JOB = 3.0


def run_worker() -> int:
    with started(read_settings(in_log=True)) as runtime:
        worker, stop_requested = Worker(runtime), threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop_requested.set())
        with working(worker):
            stop_requested.wait()
            leave_in_time()
    return 0


@contextmanager
def working(worker: Worker) -> Iterator[None]:
    """Run the worker in its own thread until the block ends, and wait a little for its current job."""
    thread = threading.Thread(target=worker.run, name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        worker.stop()
        left = _SECONDS_IN_ALL - (time.monotonic() - worker.asked_to_stop_at)
        thread.join(max(0.0, min(left, _SECONDS_FOR_THE_LAST_JOB)))
        if thread.is_alive():
            # A job still waits for a remote server, and a normal exit would wait for it. Committed data is on disk, and
            # the job's row is leased, so another worker retries it.
            leave()
