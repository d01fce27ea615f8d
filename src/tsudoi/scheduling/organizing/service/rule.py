"""Changes what decides a thread."""

from typing import Any

from sqlalchemy import select, update

from tsudoi.core import audit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail
from tsudoi.scheduling.decision.errors import BadRule
from tsudoi.scheduling.decision.rules.parsing import checked_rule, without_person
from tsudoi.scheduling.organizing.errors import RuleNeedsPerson, StaleRule
from tsudoi.scheduling.organizing.queries.board import edited_rule
from tsudoi.scheduling.organizing.queries.people import asked_people
from tsudoi.scheduling.organizing.queries.status import deciding_facts
from tsudoi.scheduling.organizing.queries.thread import rule_of
from tsudoi.scheduling.organizing.schemas.requests import RuleChange
from tsudoi.scheduling.organizing.schemas.responses import EditedRule
from tsudoi.scheduling.organizing.service.checking import filled_rule
from tsudoi.scheduling.organizing.service.creating import insert_rule
from tsudoi.scheduling.organizing.service.opening import locked_open
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.errors import NoSuchThread
from tsudoi.scheduling.thread.models import AttendanceRule
from tsudoi.scheduling.thread.rules.keys import is_registered


def change_rule(tx: Tx, organizer: Organizer, thread_id: str, change: RuleChange) -> EditedRule:
    """A new edition. It never decides by itself, even where it is fulfilled: the next answer does, or the office."""
    locked_open(tx, thread_id)
    version = _version(tx, thread_id)
    if change.version != version:
        raise StaleRule
    raw, keys = filled_rule(tx, change.rule), list(asked_people(tx, thread_id))
    rule = checked_rule(raw, keys)
    if not rule.allow_unregistered and not all(map(is_registered, keys)):
        raise BadRule([Detail("rule.invitee_scope.allow_unregistered", "NOT_ALLOWED")])
    before = rule_of(tx, thread_id)
    write_rule(tx, thread_id, raw, version)
    touch(tx, thread_id)
    old = {"version": version, "rule": before.raw if before else None}
    audit.record(
        tx, organizer.actor, "THREAD_RULE", f"thread:{thread_id}", old=old, new={"version": version + 1, "rule": raw}
    )
    return _edited(tx, thread_id)


def drop_from_rule(tx: Tx, thread_id: str, key: str, left: list[str]) -> None:
    """Take somebody who is no longer invited out of the rule. `left`: those who stay.

    A rule that would then ask for more people than it names is refused, unless it was wrong before.
    """
    before = rule_of(tx, thread_id)
    if before is None:
        return
    after = without_person(before.raw, key)
    if after == before.raw:
        return
    if _is_sound(before.raw, [*left, key]) and not _is_sound(after, left):
        raise RuleNeedsPerson
    write_rule(tx, thread_id, after, before.version)


def write_rule(tx: Tx, thread_id: str, raw: dict[str, Any], version: int) -> None:
    """`version`: the edition that is replaced; 0: there is none."""
    if version == 0:
        insert_rule(tx, thread_id, raw)
        return
    edition = update(AttendanceRule).where(AttendanceRule.thread_id == thread_id)
    tx.execute(edition.values(rule_json=raw, version=version + 1, updated_at=tx.now))


def _is_sound(raw: dict[str, Any], keys: list[str]) -> bool:
    try:
        checked_rule(raw, keys)
    except BadRule:
        return False
    return True


def _version(tx: ReadTx, thread_id: str) -> int:
    """0: there is no rule yet. A rule that cannot be read has an edition all the same."""
    found = tx.scalar(select(AttendanceRule.version).where(AttendanceRule.thread_id == thread_id))
    return int(found or 0)


def _edited(tx: ReadTx, thread_id: str) -> EditedRule:
    names = {person.key: person.name for person in deciding_facts(tx, thread_id).facts.invitees}
    found = edited_rule(tx, thread_id, names)
    if found is None:
        raise NoSuchThread
    return found
