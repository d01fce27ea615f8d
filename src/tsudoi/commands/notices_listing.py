"""What a run of `tsudoi notifications send` would do, for a dry run."""

from typing import Any

from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.log import mask_text
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notices.queries import DueJob, due_jobs
from tsudoi.notifications.notices.rules.deciding import Dash, Send, decide
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.service.reading import NoticeReader


def candidates(tx: ReadTx, runtime: Runtime, limit: int | None) -> list[dict[str, Any]]:
    """The jobs that are due, the oldest first, with masked recipients."""
    reader = runtime.find(NoticeReader)
    if reader is None:
        return []
    jobs = due_jobs(tx, limit)
    facts = reader.facts(tx, sorted({job.reservation_id for job in jobs}))
    return [_candidate(tx, job, facts[job.reservation_id]) for job in jobs]


def _candidate(tx: ReadTx, job: DueJob, facts: NoticeFacts) -> dict[str, Any]:
    decision = decide(job.due, facts, tx.now)
    if isinstance(decision, Send):
        would = "SEND"
    else:
        would = f"DASH {decision.reason}" if isinstance(decision, Dash) else f"FAILED {decision.error}"
    return {
        "job_id": job.job_id,
        "kind": job.due.kind,
        "scheduled_at": display(job.due.scheduled_at),
        "reservation_id": job.reservation_id,
        "recipient": mask_text(facts.line_user_id) if facts.line_user_id else "-",
        "would": would,
    }
