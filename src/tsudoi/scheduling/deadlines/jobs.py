"""The clockwork of threads: one transaction for each thread, so that one that fails does not stop the others."""

from collections.abc import Callable, Iterable

import structlog

from tsudoi.core.runtime import Runtime
from tsudoi.scheduling.deadlines import queries, service
from tsudoi.scheduling.delivery.service.enqueueing import message_settings

_log = structlog.stdlib.get_logger(__name__)


def watch_deadlines(runtime: Runtime) -> int:
    """Remind, and decide. Returns how many threads were decided or reminded of."""
    common, db = message_settings(runtime.settings), runtime.db
    reminded = _each(
        sorted({thread_id for thread_id, _ in db.read_now(queries.invitations_to_remind)}),
        lambda thread_id: db.write_now(service.remind_before_the_end, common, thread_id),
    )
    waiting = db.read_now(queries.threads_to_judge)
    done = reminded + _each(waiting, lambda thread_id: db.write_now(service.judge, common, thread_id))
    if done:
        runtime.work.send()
    return done


def _each(thread_ids: Iterable[str], verb: Callable[[str], object]) -> int:
    done = 0
    for thread_id in thread_ids:
        try:
            done += bool(verb(thread_id))
        except Exception:  # noqa: BLE001 (see above)
            _log.exception("thread_deadline_failed", thread_id=thread_id)
    return done
