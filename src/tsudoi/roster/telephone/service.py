"""Who has to be called: contexts add calls and close them, and the office ticks them off.

Another context adds a kind in two steps: it registers a `TelephoneKind` under the name of the kind
(`Context.telephone_kinds`), and it calls `add_calls` in the transaction that finds out that nothing else reaches the
person.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, func, literal, or_, select, update

from tsudoi.core import audit
from tsudoi.core.addresses import mail_key
from tsudoi.core.clock import utc_text
from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.db.upsert import upsert
from tsudoi.core.person_data import ERASED_NAME, PersonIds, PersonTable
from tsudoi.roster.telephone.models import TelephoneCall
from tsudoi.roster.telephone.queries import Kinds, one_call
from tsudoi.roster.telephone.schemas import CallDone, TelephoneItem

CloseReason = Literal["answered", "told_otherwise", "replaced", "removed"]
# Raw SQL, because every answer to a thread runs it, together with its own statements.
CLOSE_CALL = RawSql(
    """UPDATE telephone_calls SET closed_at = :now, closed_why = :why
    WHERE kind = :kind AND subject_id = :subject_id AND person_key = :person_key
      AND done_at IS NULL AND closed_at IS NULL"""
)


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call that somebody in the office has to make."""

    kind: str
    subject_id: str
    person_key: str
    # Unique for what the person has to hear, such as `decision-<invitation>-2`.
    ref: str
    title: str
    name: str
    why: str
    text: str
    member_id: int | None = None
    phone: str | None = None
    until_at: datetime | None = None


def add_calls(tx: Tx, calls: Sequence[WantedCall]) -> int:
    """Put these calls on the list; returns how many are new. What was there before under its `ref` stays as it is.

    An open call to the same person about the same thing is replaced, because it says what is no longer the newest.
    """
    refs = {f"{call.kind}:{call.ref}": call for call in calls}
    known = set(tx.execute(select(TelephoneCall.ref).where(TelephoneCall.ref.in_(refs))).scalars()) if refs else set()
    new = {ref: call for ref, call in refs.items() if ref not in known}
    about = dict[tuple[str, str], list[str]]()
    for call in new.values():
        about.setdefault((call.kind, call.subject_id), []).append(call.person_key)
    for (kind, subject_id), person_keys in about.items():
        close_calls(tx, kind, subject_id, "replaced", person_keys)
    if new:
        rows = [{**asdict(call), "ref": ref, "since": tx.now} for ref, call in new.items()]
        tx.execute(upsert(tx, TelephoneCall).on_conflict_do_nothing(), rows)
    return len(new)


def close_call(tx: Tx, kind: str, subject_id: str, person_key: str, why: CloseReason) -> None:
    """The person need not be called any more."""
    given = {"kind": kind, "subject_id": subject_id, "person_key": person_key, "why": why, "now": utc_text(tx.now)}
    CLOSE_CALL.changed(tx, given)


def close_calls(
    tx: Tx, kind: str, subject_id: str, why: CloseReason, person_keys: Collection[str] | None = None
) -> None:
    """The same for several people, or for everybody who was to be called about it."""
    mine = and_(
        TelephoneCall.kind == kind,
        TelephoneCall.subject_id == subject_id,
        TelephoneCall.done_at.is_(None),
        TelephoneCall.closed_at.is_(None),
    )
    statement = update(TelephoneCall).where(mine)
    if person_keys is not None:
        statement = statement.where(TelephoneCall.person_key.in_(person_keys))
    tx.execute(statement.values(closed_at=tx.now, closed_why=why))


def tick_off(tx: Tx, kinds: Kinds, call_id: int, done: CallDone, actor: str) -> TelephoneItem:
    """Note that somebody called. The first one counts, so that two people at once make one record."""
    before = one_call(tx, kinds, call_id)
    values = {"done_at": tx.now, "done_by": actor, "result": done.result, "note": done.note or None}
    mine = (TelephoneCall.id == call_id, TelephoneCall.done_at.is_(None))
    if tx.execute(update(TelephoneCall).where(*mine).values(**values)).rowcount:
        new = {"person_key": before.person_key, "result": done.result, "note": done.note or None}
        audit.record(tx, actor, "TELEPHONE_DONE", _subject(before, kinds), new=new)
    return one_call(tx, kinds, call_id)


def take_back(tx: Tx, kinds: Kinds, call_id: int, actor: str) -> TelephoneItem:
    """It was ticked off by mistake: the call is to be made again, unless there is a newer one about the same thing."""
    before = one_call(tx, kinds, call_id)
    about = (TelephoneCall.kind == before.kind, TelephoneCall.subject_id == before.subject_id)
    same = select(func.max(TelephoneCall.id)).where(*about, TelephoneCall.person_key == before.person_key)
    is_newest = tx.scalar(same) == call_id
    ended = {} if is_newest else {"closed_at": tx.now, "closed_why": "replaced"}
    cleared = dict.fromkeys(("done_at", "done_by", "result", "note"))
    mine = (TelephoneCall.id == call_id, TelephoneCall.done_at.is_not(None))
    if tx.execute(update(TelephoneCall).where(*mine).values(**cleared, **ended)).rowcount:
        old = {"person_key": before.person_key, "result": before.result, "note": before.note}
        audit.record(tx, actor, "TELEPHONE_REOPEN", _subject(before, kinds), old=old)
    return one_call(tx, kinds, call_id)


def _subject(call: TelephoneItem, kinds: Kinds) -> str:
    """The calls about a thread stand in the audit trail of the thread."""
    known = kinds.get(call.kind)
    return f"{known.audit_subject if known else call.kind}:{call.subject_id}"


def _rows_about(ids: PersonIds) -> ColumnElement[bool]:
    keys = {f"lm:{one}" for one in ids.member_ids}
    keys |= {mail_key(one) for one in ids.addresses} | {f"u:staff:{one}" for one in ids.staff_uids}
    return or_(TelephoneCall.member_id.in_(ids.member_ids), TelephoneCall.person_key.in_(keys))


def _without_person(now: datetime) -> dict[str, Any]:
    """Nobody is called any more."""
    gone = {"closed_at": func.coalesce(TelephoneCall.closed_at, literal(now, UtcText())), "closed_why": "removed"}
    return {"name": ERASED_NAME, "phone": None, "note": None, "text": "", "why": "", **gone}


CALL_TABLES = (PersonTable(TelephoneCall, "電話の一覧", _rows_about, "blanked", _without_person),)
