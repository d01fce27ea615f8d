from datetime import timedelta

from tsudoi.core import audit
from tsudoi.core.clock import jst_moment_text, parse_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.rate_limit import Limit, count_request
from tsudoi.events.answers.errors import NotATarget
from tsudoi.events.answers.queries import invitation, is_invited, my_latest
from tsudoi.events.answers.rules import kept_memo, require_open, shown
from tsudoi.events.answers.schemas import Answer, AnswerOnBehalf, AnswerRecorded
from tsudoi.events.event.errors import EventCancelled
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import ExtraText

# Answers are never deleted, so one member must not be able to add thousands of them. The first few within a minute are
# not counted in a table of their own, because hardly anybody gives more, and counting would make every answer slower.
_NOT_COUNTED = 5
MORE_ANSWERS = Limit("event-answer", 25, timedelta(minutes=1))

_ADD = RawSql(
    """INSERT INTO event_responses (event_id, member_id, status, extra_text, via, responded_at)
    VALUES (:event_id, :member_id, :status, :extra_text, :via, :responded_at)"""
)


def answer(tx: Tx, member_id: int, event_id: int, given: Answer, *, close_after_day: bool) -> AnswerRecorded:
    """Record a member's answer. The newest answer counts; the earlier ones are kept."""
    found = invitation(tx, member_id, event_id, most_recent=_NOT_COUNTED)
    if found.recent == _NOT_COUNTED:
        count_request(tx, MORE_ANSWERS, f"member:{member_id}").raise_if_refused()
    require_open(
        parse_text(found.held_at), found.cancelled_at, found.deadline_at, tx.now, close_after_day=close_after_day
    )
    field = ExtraText(bool(found.extra_text_enabled), "", bool(found.extra_text_attend_only))
    memo = kept_memo(field, given.status, given.extra_text)
    return _add(tx, event_id, member_id, given, memo=memo, via="liff", after=found.answered_at)


def answer_on_behalf(tx: Tx, event_id: int, given: AnswerOnBehalf, actor: str) -> AnswerRecorded:
    """Record what a member told the office. A deadline and a day that is over apply to members only."""
    event = event_of(tx, event_id)
    if event.cancelled_at is not None:
        raise EventCancelled
    if not is_invited(tx, event_id, given.member_id):
        raise NotATarget
    before = my_latest(tx, event_id, given.member_id)
    field = ExtraText(bool(event.extra_text_enabled), "", bool(event.extra_text_attend_only))
    memo, after = kept_memo(field, given.status, given.extra_text), before.responded_at if before else None
    recorded = _add(tx, event_id, given.member_id, given, memo=memo, via="admin", after=after)
    old = None if before is None else {"status": before.status, "extra_text": before.extra_text}
    new = {"member_id": given.member_id, "status": given.status, "extra_text": memo}
    audit.record(tx, actor, "EVENT_ANSWER", f"event:{event_id}", old=old, new=new)
    return recorded


def _add(
    tx: Tx, event_id: int, member_id: int, given: Answer, *, memo: str | None, via: str, after: str | None
) -> AnswerRecorded:
    """`after`: the time of this member's previous answer. If the clock was set back since, the new one counts too."""
    now = max(jst_moment_text(tx.now), after or "")
    row = {"event_id": event_id, "member_id": member_id, "status": given.status, "extra_text": memo}
    _ADD.changed(tx, {**row, "via": via, "responded_at": now})
    # Built without validation, because these values have just been checked and this endpoint is called most.
    return AnswerRecorded.model_construct(ok=True, current=given.status, extra_text=memo, responded_at=shown(now))
