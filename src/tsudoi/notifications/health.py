"""The red light: whether somebody sends what is due."""

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notices.queries import pulse
from tsudoi.notifications.notices.service.reading import NoticeReader


def red_light(runtime: Runtime, tx: ReadTx) -> str:
    """Red when the command has not run for ten minutes while something is due.

    Notices that LINE refuses are not a reason: the server is well. Neither is a dry run, which somebody has chosen.
    """
    if runtime.find(NoticeReader) is None or runtime.settings.notification_cron_dry_run:
        return "ok"
    found = pulse(tx)
    if not found.is_silent(tx.now):
        return "ok"
    return f"last run: {utc_text(found.last_run) if found.last_run else 'never'}; {found.due} due"


def gauges(tx: ReadTx) -> dict[str, float]:
    found = pulse(tx)
    numbers: dict[str, float] = {
        "tsudoi_notices_due": found.due,
        "tsudoi_notices_oldest_due_age_seconds": (tx.now - found.oldest_due).total_seconds() if found.oldest_due else 0,
        "tsudoi_notices_failures_in_a_row": found.failures_in_a_row,
    }
    if found.last_run is not None:
        numbers["tsudoi_notices_last_run_age_seconds"] = (tx.now - found.last_run).total_seconds()
    return numbers
