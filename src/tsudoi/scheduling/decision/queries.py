"""A thread as the engine sees it: read in four statements, whatever its size.

Raw SQL, because every answer reads it.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import orjson

from tsudoi.core.clock import parse_text, parse_utc
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql, run_together
from tsudoi.scheduling.decision.rules.facts import FinalDecision, InviteeFacts, SlotFacts, ThreadFacts
from tsudoi.scheduling.decision.rules.parsing import stored_rule

_THREAD = RawSql(
    """SELECT t.status, t.maybe_allowed, r.rule_json, f.selected_slot_id, f.reason, f.final_participants,
        f.auto_finalized, t.decide_at_deadline, t.deadline_at
    FROM scheduling_threads t LEFT JOIN thread_attendance_rules r ON r.thread_id = t.id
        LEFT JOIN thread_finalize f ON f.thread_id = t.id
    WHERE t.id = :thread_id"""
)
# Two answers that arrive together must not each see the other as missing, so an answer locks the thread first. The
# lock leaves foreign keys alone, so that inserts of children do not wait for it.
_LOCK = RawSql("SELECT 1 FROM scheduling_threads WHERE id = :thread_id FOR NO KEY UPDATE")
_SLOTS = RawSql("SELECT slot_id, start_at, end_at FROM scheduling_slots WHERE thread_id = :thread_id")
_INVITEES = RawSql(
    """SELECT i.invitee_key, i.candidate_name, COALESCE(s.status, 'pending'), s.selected_slot_id, i.expires_at,
        s.selection_id
    FROM thread_invites i
        LEFT JOIN thread_selections s ON s.thread_id = i.thread_id AND s.invitee_key = i.invitee_key
    WHERE i.thread_id = :thread_id AND i.invitee_key IS NOT NULL
    ORDER BY i.created_at, i.id"""
)
_CHOSEN = RawSql(
    """SELECT c.selection_id, c.slot_id, c.answer
    FROM thread_selection_slots c JOIN thread_selections s ON s.selection_id = c.selection_id
    WHERE s.thread_id = :thread_id"""
)
Rows = Iterable[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class DecidingFacts:
    """The facts of a thread, and when its rule decides."""

    facts: ThreadFacts
    # The rule decides at the deadline, and not with an answer.
    at_deadline: bool
    deadline_at: datetime | None


def lock_thread(tx: ReadTx, thread_id: str) -> None:
    """SQLite has one writer at a time, so that nothing has to be locked there."""
    if tx.dialect == "postgresql":
        _LOCK.first(tx, {"thread_id": thread_id})


def facts_of(tx: ReadTx, thread_id: str) -> DecidingFacts | None:
    """None: there is no such thread."""
    threads, slots, chosen, invitees = run_together(tx, (_THREAD, _SLOTS, _CHOSEN, _INVITEES), {"thread_id": thread_id})
    if not threads:
        return None
    status, maybe_allowed, rule_json, slot_id, reason, participants, auto, at_deadline, deadline = threads[0]
    decided = None
    if slot_id is not None:
        decided = FinalDecision(slot_id, reason, tuple(_list(participants)), auto=bool(auto))
    facts = ThreadFacts(
        status=status or "draft",
        rule=stored_rule(rule_json),
        slots=_slots(slots),
        invitees=_invitees(invitees, chosen),
        maybe_allowed=bool(maybe_allowed),
        decided=decided,
        waits_for_deadline=bool(at_deadline),
    )
    return DecidingFacts(facts, bool(at_deadline), None if deadline is None else parse_utc(deadline))


def _slots(rows: Rows) -> tuple[SlotFacts, ...]:
    """By instant, also for rows that others wrote with another offset."""
    found = [SlotFacts(row[0], parse_text(row[1]), parse_text(row[2])) for row in rows]
    return tuple(sorted(found, key=lambda slot: (slot.starts_at, slot.ends_at, slot.slot_id)))


def _invitees(rows: Rows, chosen: Rows) -> tuple[InviteeFacts, ...]:
    yes: defaultdict[str, list[str]] = defaultdict(list)
    maybe: defaultdict[str, list[str]] = defaultdict(list)
    for selection_id, slot_id, answer in chosen:
        (yes if answer == "yes" else maybe)[selection_id].append(slot_id)
    # Most people are invited at once, so that few different times occur.
    read_time = cache(parse_utc)
    found = []
    for key, name, status, first, expires_at, selection_id in rows:
        said_yes, said_maybe = frozenset(yes.get(selection_id, ())), frozenset(maybe.get(selection_id, ()))
        # A row that another program wrote has `selected_slot_id` alone: that counts as a yes.
        if first is not None and first not in said_yes and first not in said_maybe:
            said_yes |= {first}
        found.append(InviteeFacts(key, name, status, said_yes, said_maybe, read_time(expires_at), selection_id))
    return tuple(found)


def _list(participants: str | None) -> list[str]:
    found = orjson.loads(participants) if participants else []
    return [str(one) for one in found] if isinstance(found, list) else []
