"""Removes rows whose thread does not exist: other programs write these tables too, and not all check foreign keys."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, select

from tsudoi.core import audit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
)

# In this order, because a decision keeps the slot that it names.
_CHILDREN = (ThreadFinalize, ThreadSelection, ThreadInvite, AttendanceRule, SchedulingSlot)


@dataclass(frozen=True, slots=True)
class OrphanCount:
    """How many rows without a thread there are in each table, and how many slots are kept all the same."""

    tables: dict[str, int]
    # Slots without a thread that the decision of a living thread names: a person has to look at these.
    kept: int


def count_orphans(tx: ReadTx) -> OrphanCount:
    return OrphanCount({model.__tablename__: _count(tx, model, _orphan(model)) for model in _CHILDREN}, _kept(tx))


def remove_orphans(tx: Tx) -> OrphanCount:
    """Delete them in one transaction. Unlike the script of document 001 it also works with foreign keys on."""
    removed = {model.__tablename__: tx.execute(delete(model).where(_orphan(model))).rowcount for model in _CHILDREN}
    if any(removed.values()):
        audit.record(tx, "cli", "THREADS_CLEAN_ORPHANS", "threads", old=dict(removed))
    return OrphanCount(removed, _kept(tx))


def _orphan(model: Any) -> ColumnElement[bool]:
    """NOT EXISTS, because NOT IN finds nothing at all as soon as one id is NULL."""
    without_thread = ~exists().where(SchedulingThread.id == model.thread_id)
    return without_thread & ~_named_by_a_living_decision() if model is SchedulingSlot else without_thread


def _named_by_a_living_decision() -> ColumnElement[bool]:
    living = select(SchedulingThread.id).where(SchedulingThread.id == ThreadFinalize.thread_id).exists()
    return exists().where(ThreadFinalize.selected_slot_id == SchedulingSlot.slot_id, living)


def _kept(tx: ReadTx) -> int:
    without_thread = ~exists().where(SchedulingThread.id == SchedulingSlot.thread_id)
    return _count(tx, SchedulingSlot, without_thread & _named_by_a_living_decision())


def _count(tx: ReadTx, model: Any, condition: ColumnElement[bool]) -> int:
    return int(tx.scalar(select(func.count()).select_from(model).where(condition)) or 0)
