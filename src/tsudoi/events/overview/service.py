from datetime import datetime

from tsudoi.core import audit
from tsudoi.core.clock import jst_date, jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.events.event.queries import event_of
from tsudoi.events.overview.queries.detail import refuse_future
from tsudoi.events.overview.rules import file_name

_CALLED = {"latest": "最新", "history": "履歴"}


def note_export(tx: Tx, event_id: int, what: str, ending: str, as_of: datetime | None, actor: str) -> tuple[str, str]:
    """Record in the audit trail who exports personal data. Returns the file's name in Japanese and in ASCII."""
    refuse_future(tx, as_of)
    event = event_of(tx, event_id)
    taken = {"file": f"{what}.{ending}", **({"as_of": jst_text(as_of)} if as_of else {})}
    audit.record(tx, actor, "EVENT_EXPORT", f"event:{event_id}", new=taken)
    if as_of is None:
        when = plain = jst_date(tx.now)
    else:
        # `2025-08-16_1930`: Windows does not allow a colon in file names.
        spoken = jst_text(as_of)
        plain = f"{spoken[:10]}_{spoken[11:13]}{spoken[14:16]}"
        when = f"{plain}時点"
    return file_name(event.title, _CALLED[what], when, ending), f"event-{event_id}-{what}-{plain}.{ending}"
