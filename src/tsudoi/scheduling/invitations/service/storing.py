"""Writes an answer into the tables. Raw SQL, because every answer runs it."""

from collections.abc import Iterable
from functools import cache
from typing import Any
from uuid import uuid4

import orjson

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql, run_together
from tsudoi.roster.telephone.service import CLOSE_CALL
from tsudoi.scheduling.decision.rules.facts import SlotFacts
from tsudoi.scheduling.delivery.service.calling import THREAD_CALL
from tsudoi.scheduling.invitations.rules.answering import CheckedAnswer

_STORE = RawSql(
    """UPDATE thread_selections SET status = :status, selected_slot_id = :first, responded_at = :now,
        comment = :comment, via = :via, answered_by = :answered_by
    WHERE selection_id = :selection_id"""
)
# An invitation that another program made without its pending answer gets one here.
_STORE_FIRST = RawSql(
    """INSERT INTO thread_selections (selection_id, thread_id, invitee_key, status, selected_slot_id,
        responded_at, created_at, comment, via, answered_by)
    VALUES (:selection_id, :thread_id, :invitee_key, :status, :first, :now, :now, :comment, :via, :answered_by)"""
)
_CLEAR = RawSql("DELETE FROM thread_selection_slots WHERE selection_id = :selection_id")
_ADD_TO_HISTORY = RawSql(
    """INSERT INTO thread_answers (thread_id, invitee_key, name, status, slots, comment, via, answered_by, answered_at)
    VALUES (:thread_id, :invitee_key, :name, :status, :slots, :comment, :via, :answered_by, :now)"""
)
# `accepted_at` keeps its first value as long as the person takes part.
_ACCEPT = RawSql(
    """UPDATE thread_invites SET status = 'accepted', accepted_at = COALESCE(accepted_at, :now)
    WHERE thread_id = :thread_id AND invitee_key = :invitee_key"""
)
_DECLINE = RawSql(
    """UPDATE thread_invites SET status = 'declined', accepted_at = NULL
    WHERE thread_id = :thread_id AND invitee_key = :invitee_key"""
)


def store(tx: Tx, answer: CheckedAnswer, selection_id: str | None, slots: Iterable[SlotFacts]) -> None:
    """Change the one row of this person, and add the answer to the history. Without a `selection_id` there is none.

    The caller has locked the thread, so that nobody else adds or removes the row.
    """
    given: dict[str, Any] = {
        "selection_id": selection_id or str(uuid4()),
        "thread_id": answer.thread_id,
        "invitee_key": answer.invitee_key,
        "name": answer.name,
        "status": answer.status,
        "first": answer.chosen.first,
        "slots": orjson.dumps(answer.history(slots)).decode(),
        "comment": answer.comment,
        "via": answer.via,
        "answered_by": answer.answered_by,
        "now": utc_text(tx.now),
    }
    marks = answer.marks()
    for number, (slot_id, mark) in enumerate(marks):
        given[f"slot_{number}"], given[f"answer_{number}"] = slot_id, mark
    row = _STORE if selection_id else _STORE_FIRST
    slots_of_it = (_CLEAR, _add_slots(len(marks))) if marks else (_CLEAR,)
    invitation = _ACCEPT if answer.status == "selected" else _DECLINE
    # Who has answered need not be called any more.
    given |= {"kind": THREAD_CALL, "subject_id": answer.thread_id, "person_key": answer.invitee_key, "why": "answered"}
    run_together(tx, (row, *slots_of_it, _ADD_TO_HISTORY, invitation, CLOSE_CALL), given)


@cache
def _add_slots(number: int) -> RawSql:
    values = ", ".join(f"(:selection_id, :slot_{n}, :answer_{n})" for n in range(number))
    return RawSql(
        f"INSERT INTO thread_selection_slots (selection_id, slot_id, answer) VALUES {values}"  # noqa: S608 (names only)
    )
