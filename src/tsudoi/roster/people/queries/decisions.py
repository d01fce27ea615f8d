"""What administrators decided about two records. The newest decision about a pair counts."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Text, and_, cast, func, literal, or_, select, tuple_, union_all
from sqlalchemy.orm import aliased

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import RecordKey, RecordKind
from tsudoi.core.person_sources import AnySelect, drift_row
from tsudoi.roster.people.models import PersonDecision
from tsudoi.roster.people.rules import DecidedPair

_Later = aliased(PersonDecision)


def is_newest() -> ColumnElement[bool]:
    """That no later decision is about the same pair."""
    same_pair = and_(
        _Later.first_kind == PersonDecision.first_kind,
        _Later.first_id == PersonDecision.first_id,
        _Later.second_kind == PersonDecision.second_kind,
        _Later.second_id == PersonDecision.second_id,
    )
    return ~select(_Later.id).where(same_pair, _Later.id > PersonDecision.id).exists()


def decisions_about(tx: ReadTx, keys: Collection[RecordKey]) -> list[DecidedPair]:
    """The decisions that are in force about one of these records and any other one, oldest first."""
    wanted = [tuple(key) for key in keys]
    about = or_(
        tuple_(PersonDecision.first_kind, PersonDecision.first_id).in_(wanted),
        tuple_(PersonDecision.second_kind, PersonDecision.second_id).in_(wanted),
    )
    rows = tx.execute(
        select(PersonDecision).where(about, is_newest(), PersonDecision.verdict != "open").order_by(PersonDecision.id)
    )
    return [
        DecidedPair(
            RecordKey(row.first_kind, row.first_id),
            RecordKey(row.second_kind, row.second_id),
            row.verdict,
            row.reason,
            row.decided_by,
            row.decided_at,
        )
        for row in rows
    ]


def same_name_twice(kind: RecordKind, present: AnySelect) -> AnySelect:
    """The records that share their name with another one, unless the office has decided that all these are others.

    `present` selects `id` (as text), `name` and `name_key`. Everything is counted once for all records: comparing each
    with each would take minutes for ten thousand.
    """
    people = present.add_columns(func.count().over(partition_by=present.selected_columns.name_key).label("times"))
    named = people.cte("named")
    one, other = named.alias("one"), named.alias("other")
    apart = (
        select(PersonDecision.first_id, PersonDecision.second_id)
        .join(one, one.c.id == PersonDecision.first_id)
        .join(other, and_(other.c.id == PersonDecision.second_id, other.c.name_key == one.c.name_key))
        .where(PersonDecision.first_kind == kind, PersonDecision.second_kind == kind)
        .where(PersonDecision.verdict == "different", is_newest())
        .cte("apart")
    )
    each = union_all(select(apart.c.first_id.label("id")), select(apart.c.second_id)).subquery("each_of_them")
    counted = select(each.c.id, func.count().label("others")).group_by(each.c.id).subquery("counted")
    note = literal("同じ名前: ") + cast(named.c.times, Text) + literal("件")
    return (
        select(*drift_row(kind, named.c.id, named.c.name, note=note))
        .outerjoin(counted, counted.c.id == named.c.id)
        .where(named.c.times > 1, named.c.times - 1 > func.coalesce(counted.c.others, 0))
        .order_by(named.c.name_key, named.c.id)
    )
