from typing import Any

from sqlalchemy import and_, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.roster.audiences import queries
from tsudoi.roster.audiences.errors import AudienceNameTaken, NoSuchAudience, StaleAudience, UnknownMembers
from tsudoi.roster.audiences.models import Audience, AudienceMember
from tsudoi.roster.audiences.schemas import AudienceChange, NewAudience
from tsudoi.roster.members import queries as members


def create_audience(tx: Tx, new: NewAudience, actor: str) -> int:
    made: int | None = tx.scalar(
        upsert(tx, Audience)
        .values(name=new.name, sort_order=new.sort_order, created_at=tx.now, updated_at=tx.now)
        .on_conflict_do_nothing()
        .returning(Audience.id)
    )
    if made is None:
        raise AudienceNameTaken(new.name)
    audit.record(tx, actor, "AUDIENCE_CREATE", f"audience:{made}", new=new.model_dump())
    return made


def change_audience(tx: Tx, audience_id: int, change: AudienceChange, actor: str) -> None:
    before = tx.execute(
        select(Audience.name, Audience.sort_order).where(Audience.id == audience_id).with_for_update(key_share=True)
    ).first()
    if before is None:
        raise NoSuchAudience
    values = change.model_dump(exclude_unset=True, exclude={"seen_name"})
    old = {field: getattr(before, field) for field in values}
    if old == values:
        return
    if change.seen_name is not None and change.seen_name != before.name:
        raise StaleAudience
    try:
        # Two people may choose the same name at the same time; the unique constraint decides.
        with tx.connection.begin_nested():
            tx.execute(update(Audience).where(Audience.id == audience_id).values(**values, updated_at=tx.now))
    except IntegrityError as taken:
        raise AudienceNameTaken(values["name"]) from taken
    audit.record(tx, actor, "AUDIENCE_CHANGE", f"audience:{audience_id}", old=old, new=values)


def delete_audience(tx: Tx, audience_id: int, actor: str) -> None:
    """Delete the group, not its members. The audit trail keeps the list of its members."""
    found = select(Audience.name, Audience.sort_order).where(Audience.id == audience_id)
    row = tx.execute(found.with_for_update(key_share=True)).first()
    if row is None:
        raise NoSuchAudience
    old: dict[str, Any] = {**row._mapping, "member_ids": sorted(queries.member_ids(tx, audience_id))}  # noqa: SLF001 (public)
    tx.execute(delete(Audience).where(Audience.id == audience_id))
    audit.record(tx, actor, "AUDIENCE_DELETE", f"audience:{audience_id}", old=old)


def replace_members(tx: Tx, audience_id: int, member_ids: list[int], actor: str, seen: str | None = None) -> int:
    """Set the members of the group; only the difference is written. `seen`: the version that the client read."""
    if (
        tx.execute(select(Audience.id).where(Audience.id == audience_id).with_for_update(key_share=True)).first()
        is None
    ):
        raise NoSuchAudience
    wanted = list(dict.fromkeys(member_ids))
    unknown = members.unknown_ids(tx, wanted)
    if unknown:
        raise UnknownMembers("member_ids", unknown)
    present = queries.member_ids(tx, audience_id)
    if seen is not None and seen != queries.version_of(present) and present != set(wanted):
        raise StaleAudience
    added, removed = sorted(set(wanted) - present), sorted(present - set(wanted))
    if added:
        tx.execute(insert(AudienceMember), [{"audience_id": audience_id, "member_id": one} for one in added])
    if removed:
        gone = and_(AudienceMember.audience_id == audience_id, AudienceMember.member_id == bindparam("gone"))
        tx.execute(delete(AudienceMember).where(gone), [{"gone": one} for one in removed])
    if added or removed:
        old, new = {"removed": removed}, {"added": added}
        audit.record(tx, actor, "AUDIENCE_MEMBERS", f"audience:{audience_id}", old=old, new=new)
    return len(wanted)
