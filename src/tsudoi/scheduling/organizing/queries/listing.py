"""The list of all threads. A page needs the same number of statements, however many threads it shows."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Text, and_, select, tuple_, type_coerce

from tsudoi.core.clock import parse_text, parse_utc
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.roster.members.rules import search_key
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.decision.rules.facts import FinalDecision, InviteeFacts, SlotFacts, ThreadFacts
from tsudoi.scheduling.decision.rules.parsing import stored_rule
from tsudoi.scheduling.decision.rules.sentences import explanation
from tsudoi.scheduling.organizing.queries.thread import organizer_names
from tsudoi.scheduling.organizing.schemas.responses import FinalSlot, ThreadListItem, ThreadPage
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
    ThreadSelectionSlot,
)

_created_at = type_coerce(SchedulingThread.created_at, Text)


@dataclass(frozen=True, slots=True)
class ThreadFilters:
    """Which threads the office wants to see."""

    status: str | None
    words: str


def thread_page(tx: ReadTx, filters: ThreadFilters, limit: int, cursor: str | None) -> ThreadPage:
    page = _narrowed(_columns(), filters, cursor)
    if wanted := search_key(filters.words):
        # No database folds Japanese text, so the titles are compared here.
        titles = tx.execute(_narrowed(select(SchedulingThread.id, SchedulingThread.title), filters, cursor))
        matching = (row.id for row in titles if wanted in search_key(row.title or ""))
        page = page.where(SchedulingThread.id.in_(list(islice(matching, limit + 1))))
    rows = tx.execute(page.limit(limit + 1)).all()
    shown = rows[:limit]
    more = encode_cursor(shown[-1].created_at, shown[-1].id) if len(rows) > limit else None
    return ThreadPage(threads=_items(tx, shown), next_cursor=more)


def _columns() -> Select[*tuple[Any, ...]]:
    return (
        select(
            SchedulingThread.id,
            SchedulingThread.title,
            SchedulingThread.status,
            SchedulingThread.organizer_user_id,
            _created_at.label("created_at"),
            SchedulingThread.deadline_at,
            SchedulingThread.maybe_allowed,
            SchedulingThread.decide_at_deadline,
            type_coerce(AttendanceRule.rule_json, Text).label("rule_json"),
            ThreadFinalize.selected_slot_id,
            ThreadFinalize.reason,
            ThreadFinalize.final_participants,
            ThreadFinalize.auto_finalized,
        )
        .outerjoin(AttendanceRule, AttendanceRule.thread_id == SchedulingThread.id)
        .outerjoin(ThreadFinalize, ThreadFinalize.thread_id == SchedulingThread.id)
    )


def _narrowed(
    statement: Select[*tuple[Any, ...]], filters: ThreadFilters, cursor: str | None
) -> Select[*tuple[Any, ...]]:
    if filters.status is not None:
        statement = statement.where(SchedulingThread.status == filters.status)
    if cursor is not None:
        last = tuple_(*decode_cursor(cursor, str, str))
        statement = statement.where(tuple_(_created_at, SchedulingThread.id) < last)
    return statement.order_by(_created_at.desc(), SchedulingThread.id.desc())


def _items(tx: ReadTx, rows: Sequence[Row[Any]]) -> list[ThreadListItem]:
    ids = [row.id for row in rows]
    slots, people = _slots(tx, ids), _invitees(tx, ids)
    names = organizer_names(tx, [row.organizer_user_id for row in rows])
    return [_item(row, slots[row.id], people[row.id], names, tx.now) for row in rows]


def _item(
    row: Row[Any],
    slots: list[tuple[SlotFacts, str]],
    people: list[InviteeFacts],
    names: dict[str, str],
    now: datetime,
) -> ThreadListItem:
    facts = _facts(row, slots, people)
    found = evaluate(facts, now)
    final = next(((slot, zone) for slot, zone in slots if slot.slot_id == row.selected_slot_id), None)
    return ThreadListItem(
        id=row.id,
        title=row.title,
        status=row.status or "draft",
        organizer_user_id=row.organizer_user_id,
        organizer_name=names.get(row.organizer_user_id),
        created_at=row.created_at,
        deadline_at=row.deadline_at,
        slots_total=len(slots),
        invites_total=len(people),
        answered=sum(person.status == "selected" for person in people),
        declined=sum(person.status == "declined" for person in people),
        state=found.state,
        sentence=explanation(found, facts),
        final_slot=None if final is None else _final(*final),
    )


def _facts(row: Row[Any], slots: list[tuple[SlotFacts, str]], people: list[InviteeFacts]) -> ThreadFacts:
    decided = None
    if row.selected_slot_id is not None:
        participants = row.final_participants if isinstance(row.final_participants, list) else ()
        keys = tuple(map(str, participants))
        decided = FinalDecision(row.selected_slot_id, row.reason, keys, auto=bool(row.auto_finalized))
    return ThreadFacts(
        status=row.status or "draft",
        rule=stored_rule(row.rule_json),
        slots=tuple(slot for slot, _ in slots),
        invitees=tuple(people),
        maybe_allowed=bool(row.maybe_allowed),
        decided=decided,
        waits_for_deadline=bool(row.decide_at_deadline),
    )


def _final(slot: SlotFacts, zone: str) -> FinalSlot:
    return FinalSlot(slot_id=slot.slot_id, start_at=slot.starts_at, end_at=slot.ends_at, timezone=zone)


def _slots(tx: ReadTx, ids: Sequence[str]) -> defaultdict[str, list[tuple[SlotFacts, str]]]:
    """By thread: each slot with its zone, in the order of time."""
    times = (type_coerce(SchedulingSlot.start_at, Text), type_coerce(SchedulingSlot.end_at, Text))
    columns = (SchedulingSlot.thread_id, SchedulingSlot.slot_id, *times, SchedulingSlot.timezone)
    found: defaultdict[str, list[tuple[SlotFacts, str]]] = defaultdict(list)
    for row in map(tuple, tx.execute(select(*columns).where(SchedulingSlot.thread_id.in_(ids)))):
        thread_id, slot_id, start, end, zone = row
        found[thread_id].append((SlotFacts(slot_id, parse_text(start), parse_text(end)), zone))
    for slots in found.values():
        slots.sort(key=lambda one: (one[0].starts_at, one[0].ends_at, one[0].slot_id))
    return found


def _invitees(tx: ReadTx, ids: Sequence[str]) -> defaultdict[str, list[InviteeFacts]]:
    """By thread, in the order of invitation, as `facts_of` reads those of one thread."""
    chosen: defaultdict[str, dict[str, str]] = defaultdict(dict)
    answers = (ThreadSelectionSlot.selection_id, ThreadSelectionSlot.slot_id, ThreadSelectionSlot.answer)
    of_threads = select(*answers).join(
        ThreadSelection, ThreadSelection.selection_id == ThreadSelectionSlot.selection_id
    )
    for row in tx.execute(of_threads.where(ThreadSelection.thread_id.in_(ids))):
        chosen[row.selection_id][row.slot_id] = row.answer
    found: defaultdict[str, list[InviteeFacts]] = defaultdict(list)
    for row in tx.execute(_people(ids)):
        answer = dict(chosen[row.selection_id])
        if row.selected_slot_id is not None:
            answer.setdefault(row.selected_slot_id, "yes")
        found[row.thread_id].append(_invitee(row, answer))
    return found


def _invitee(row: Row[Any], answer: dict[str, str]) -> InviteeFacts:
    by_kind = {kind: frozenset(one for one, said in answer.items() if said == kind) for kind in ("yes", "maybe")}
    status = row.answer or "pending"
    expires_at = parse_utc(row.expires_at)
    return InviteeFacts(row.invitee_key, row.candidate_name, status, by_kind["yes"], by_kind["maybe"], expires_at)


def _people(ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    same: ColumnElement[bool] = and_(
        ThreadSelection.thread_id == ThreadInvite.thread_id, ThreadSelection.invitee_key == ThreadInvite.invitee_key
    )
    return (
        select(
            ThreadInvite.thread_id,
            ThreadInvite.invitee_key,
            ThreadInvite.candidate_name,
            type_coerce(ThreadInvite.expires_at, Text).label("expires_at"),
            ThreadSelection.selection_id,
            ThreadSelection.status.label("answer"),
            ThreadSelection.selected_slot_id,
        )
        .outerjoin(ThreadSelection, same)
        .where(ThreadInvite.thread_id.in_(ids), ThreadInvite.invitee_key.is_not(None))
        .order_by(ThreadInvite.created_at, ThreadInvite.id)
    )
