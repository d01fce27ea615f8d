"""A thread as one of its invitees sees it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson

from tsudoi.core.clock import parse_text, parse_utc
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.scheduling.decision.queries import facts_of
from tsudoi.scheduling.decision.rules.parsing import stored_rule
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.invitations.rules.seeing import (
    ListedThread,
    NamedAnswer,
    OwnAnswer,
    in_order,
    names_by_mark,
    why_not,
)
from tsudoi.scheduling.invitations.rules.wording import shown_label
from tsudoi.scheduling.invitations.schemas import (
    DecidedSlot,
    GivenAnswer,
    GivenLateAnswer,
    OfferedSlot,
    OwnInvitation,
    OwnInvitationItem,
    OwnInvitationList,
)
from tsudoi.scheduling.thread.errors import NoSuchThread

UNTITLED = "日程調整"
_MOST_READ = 300
_OWN = RawSql(
    """SELECT t.title, t.description, t.place, t.status, t.maybe_allowed, t.answers_visible, t.cancel_reason,
        r.rule_json, f.selected_slot_id, f.final_participants, i.expires_at,
        COALESCE(s.status, 'pending'), s.selected_slot_id, s.responded_at, s.comment, s.selection_id, i.mail_stopped_at
    FROM thread_invites i JOIN scheduling_threads t ON t.id = i.thread_id
        LEFT JOIN thread_attendance_rules r ON r.thread_id = t.id
        LEFT JOIN thread_finalize f ON f.thread_id = t.id
        LEFT JOIN thread_selections s ON s.thread_id = t.id AND s.invitee_key = i.invitee_key
    WHERE i.thread_id = :thread_id AND i.invitee_key = :invitee_key AND t.status <> 'draft'"""
)
_SLOTS = RawSql(
    "SELECT slot_id, start_at, end_at, timezone, label, created_at FROM scheduling_slots WHERE thread_id = :thread_id"
)
_CHOSEN = RawSql("SELECT slot_id, answer FROM thread_selection_slots WHERE selection_id = :selection_id")
_ANSWERED = RawSql("SELECT invitee_key, responded_at FROM thread_selections WHERE thread_id = :thread_id")
_MEMBER_IS_ASKED = RawSql(
    """SELECT 1 FROM thread_invites i JOIN scheduling_threads t ON t.id = i.thread_id
    WHERE i.thread_id = :thread_id AND i.invitee_key = :invitee_key AND t.status <> 'draft'"""
)
_TOKEN = RawSql("SELECT token FROM thread_invites WHERE thread_id = :thread_id AND invitee_key = :invitee_key")
_STOPPED = RawSql(
    """SELECT t.title, i.mail_stopped_at FROM thread_invites i JOIN scheduling_threads t ON t.id = i.thread_id
    WHERE i.id = :invite_id"""
)
_LATE = RawSql(
    """SELECT l.coming, l.comment, l.answered_at FROM thread_late_answers l
        JOIN thread_finalize f ON f.thread_id = l.thread_id
    WHERE l.thread_id = :thread_id AND l.invitee_key = :invitee_key AND l.answered_at >= f.finalized_at
    ORDER BY l.id DESC LIMIT 1"""
)
_LISTED = RawSql(
    """SELECT t.id, t.title, t.status, i.expires_at, COALESCE(s.status, 'pending'), d.start_at, f.final_participants
    FROM thread_invites i JOIN scheduling_threads t ON t.id = i.thread_id
        LEFT JOIN thread_selections s ON s.thread_id = t.id AND s.invitee_key = i.invitee_key
        LEFT JOIN thread_finalize f ON f.thread_id = t.id
        LEFT JOIN scheduling_slots d ON d.slot_id = f.selected_slot_id
    WHERE i.member_id = :member_id AND i.invitee_key = :invitee_key AND t.status <> 'draft'
    ORDER BY i.created_at DESC LIMIT :most"""
)


class _OwnRow(NamedTuple):
    """The thread, the invitation and the answer of one person. The times are text as stored."""

    title: str | None
    description: str | None
    place: str | None
    status: str
    maybe_allowed: int
    answers_visible: int
    cancel_reason: str | None
    rule_json: str | None
    final_slot_id: str | None
    final_participants: str | None
    expires_at: str
    answer_status: str
    first: str | None
    responded_at: str | None
    comment: str | None
    selection_id: str | None
    mail_stopped_at: str | None


def key_of_member(member_id: int) -> str:
    return f"lm:{member_id}"


def require_asked(tx: ReadTx, thread_id: str, invitee_key: str) -> None:
    """Raises 404 where this person is not asked, so that nobody learns which threads exist."""
    if _MEMBER_IS_ASKED.first(tx, {"thread_id": thread_id, "invitee_key": invitee_key}) is None:
        raise NoSuchThread


def own_invitation(tx: ReadTx, thread_id: str, invitee_key: str, common: MessageSettings) -> OwnInvitation:
    found = _OWN.first(tx, {"thread_id": thread_id, "invitee_key": invitee_key})
    if found is None:
        raise NoSuchThread
    row = _OwnRow._make(found)
    answer = _answer(tx, row)
    others = _others(tx, thread_id, invitee_key) if row.answers_visible else None
    slots = _slots(tx, thread_id, answer, others)
    rule, expires_at = stored_rule(row.rule_json), parse_utc(row.expires_at)
    reason, decided = why_not(row.status, expires_at, tx.now), row.status == "finalized"
    return OwnInvitation.model_validate(
        {
            "id": thread_id,
            "title": row.title or UNTITLED,
            "description": row.description,
            "place": row.place,
            "organizer_name": common.organisation,
            "contact_address": common.mail_address or None,
            "status": row.status,
            "deadline_at": expires_at,
            "maybe_allowed": bool(row.maybe_allowed),
            "multiple_slots_allowed": rule is None or rule.multiple_slots_allowed,
            "slots": slots,
            "selection": _given(row, answer, slots),
            "can_answer": reason is None,
            "why_not": reason,
            "final_slot_id": row.final_slot_id if decided else None,
            "taking_part": _takes_part(row.final_participants, invitee_key) if decided else None,
            "cancel_reason": row.cancel_reason,
            "calendar_url": None,
            "mail_stopped": row.mail_stopped_at is not None,
            "can_answer_late": decided,
            "late_answer": late_answer(tx, thread_id, invitee_key) if decided else None,
        }
    )


def member_invitation(tx: ReadTx, thread_id: str, member_id: int, common: MessageSettings) -> OwnInvitation:
    """As `own_invitation`, with the way to the calendar file for somebody who takes part."""
    key = key_of_member(member_id)
    seen = own_invitation(tx, thread_id, key, common)
    late = seen.late_answer
    if not (seen.taking_part if late is None else late.coming):
        return seen
    found = _TOKEN.first(tx, {"thread_id": thread_id, "invitee_key": key})
    return seen.model_copy(update={"calendar_url": common.links.calendar(found[0]) if found else None})


def own_threads(tx: ReadTx, member_id: int) -> OwnInvitationList:
    given = {"member_id": member_id, "invitee_key": key_of_member(member_id), "most": _MOST_READ}
    found = [_listed(row, given["invitee_key"], tx.now) for row in _LISTED.all(tx, given)]
    return OwnInvitationList(
        threads=[
            OwnInvitationItem.model_validate(
                {
                    **{name: getattr(one, name) for name in ("id", "title", "status", "answered", "can_answer")},
                    "deadline_at": one.expires_at,
                    "final_start_at": one.final_start,
                    "taking_part": one.taking_part,
                }
            )
            for one in in_order(found, tx.now)
        ]
    )


def late_answer(tx: ReadTx, thread_id: str, invitee_key: str) -> GivenLateAnswer | None:
    """What the person said after the decision that stands, the newest one."""
    found = _LATE.first(tx, {"thread_id": thread_id, "invitee_key": invitee_key})
    if found is None:
        return None
    return GivenLateAnswer(coming=bool(found[0]), comment=found[1], answered_at=parse_utc(found[2]))


def decided_slot(tx: ReadTx, thread_id: str, slot_id: str) -> DecidedSlot:
    """The date that was decided, as everybody who is asked may see it."""
    slots = {row[0]: row for row in _SLOTS.all(tx, {"thread_id": thread_id})}
    _, start, end, zone, label, _created = slots[slot_id]
    return DecidedSlot(
        slot_id=slot_id,
        start_at=parse_text(start),
        end_at=parse_text(end),
        timezone=zone,
        label=shown_label(label),
    )


def _listed(row: Sequence[Any], invitee_key: Any, now: datetime) -> ListedThread:
    thread_id, title, status, expires, answer, start, participants = row
    expires_at, decided = parse_utc(expires), status == "finalized"
    return ListedThread(
        id=thread_id,
        title=title or UNTITLED,
        status=status,
        expires_at=expires_at,
        answered=answer != "pending",
        can_answer=why_not(status, expires_at, now) is None,
        final_start=parse_text(start) if decided and start else None,
        taking_part=_takes_part(participants, invitee_key) if decided else None,
    )


def _answer(tx: ReadTx, row: _OwnRow) -> OwnAnswer:
    chosen = _CHOSEN.all(tx, {"selection_id": row.selection_id}) if row.selection_id else []
    yes, maybe = ({slot for slot, mark in chosen if mark == wanted} for wanted in ("yes", "maybe"))
    if row.first is not None and row.first not in maybe:
        yes.add(row.first)
    return OwnAnswer(row.answer_status, row.first, frozenset(yes), frozenset(maybe), _time(row.responded_at))


def _slots(tx: ReadTx, thread_id: str, answer: OwnAnswer, others: Sequence[NamedAnswer] | None) -> list[OfferedSlot]:
    """`others`: None where the thread does not show who answered what."""
    found: list[OfferedSlot] = []
    for slot_id, start, end, zone, label, created in _SLOTS.all(tx, {"thread_id": thread_id}):
        names = {} if others is None else names_by_mark(others, slot_id, parse_utc(created))
        found.append(
            OfferedSlot.model_construct(
                slot_id=slot_id,
                start_at=parse_text(start),
                end_at=parse_text(end),
                timezone=zone,
                label=shown_label(label),
                begun=parse_text(start) <= tx.now,
                answer=answer.mark(slot_id, parse_utc(created)),
                yes=names.get("yes"),
                maybe=names.get("maybe"),
                no=names.get("no"),
            )
        )
    return sorted(found, key=lambda slot: (slot.start_at, slot.end_at, slot.slot_id))


def _others(tx: ReadTx, thread_id: str, own_key: str) -> list[NamedAnswer]:
    """In the order of their invitation."""
    found = facts_of(tx, thread_id)
    times = dict(_ANSWERED.all(tx, {"thread_id": thread_id}))
    return [
        NamedAnswer(person.name, OwnAnswer(person.status, None, person.yes, person.maybe, _time(times.get(person.key))))
        for person in (found.facts.invitees if found else ())
        if person.key != own_key
    ]


def _time(text: str | None) -> datetime | None:
    return None if text is None else parse_utc(text)


def _given(row: _OwnRow, answer: OwnAnswer, slots: Sequence[OfferedSlot]) -> GivenAnswer:
    in_time = [slot.slot_id for slot in slots]
    return GivenAnswer.model_validate(
        {
            "status": answer.status,
            "selected_slot_id": answer.first,
            "selected_slot_ids": [slot_id for slot_id in in_time if slot_id in answer.yes],
            "maybe_slot_ids": [slot_id for slot_id in in_time if slot_id in answer.maybe],
            "comment": row.comment,
            "responded_at": answer.responded_at,
        }
    )


def _takes_part(participants: str | None, invitee_key: str) -> bool:
    found = orjson.loads(participants) if participants else []
    return isinstance(found, list) and invitee_key in found


def stopped_thread(tx: ReadTx, invite_id: str) -> tuple[str, bool]:
    """The title of the thread, and whether the person wants no more mails about it."""
    found = _STOPPED.first(tx, {"invite_id": invite_id})
    if found is None:
        raise NoSuchThread
    return found[0] or UNTITLED, found[1] is not None
