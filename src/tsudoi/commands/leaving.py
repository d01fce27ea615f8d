"""Ends a process in time, whatever hangs."""

import logging
import os
import threading

import structlog

_log = structlog.stdlib.get_logger(__name__)

# Most supervisors kill a process ten seconds after they asked it to stop. A busy machine needs some of them itself.
_SECONDS_IN_ALL = 9.0


def leave_in_time() -> None:
    """End the process a little later, if it has not ended by itself until then.

    A call to a frozen database or a silent outside system cannot be interrupted, and a normal exit would wait for it.
    Committed data is on disk, and what was claimed is leased, so that another process takes it over.
    """
    timer = threading.Timer(_SECONDS_IN_ALL, leave)
    timer.daemon = True
    timer.start()


def leave() -> None:
    _log.warning("left_behind")
    logging.shutdown()
    os._exit(0)
