import hashlib
from collections.abc import Iterable, Sequence

from sqlalchemy import exists as any_row
from sqlalchemy import func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.known_people import KnownPerson
from tsudoi.roster.audiences.models import Audience, AudienceMember
from tsudoi.roster.audiences.schemas import AudienceItem, AudienceList, AudienceMemberItem, AudienceMembers
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order
from tsudoi.roster.members.schemas import CandidateList

# Databases limit the number of values in one statement.
_IDS_AT_A_TIME = 5_000
# The role `admin`, as people read it.
_OFFICER = "管理者"


def audience_list(tx: ReadTx) -> AudienceList:
    counted = (
        select(func.count())
        .where(AudienceMember.audience_id == Audience.id)
        .correlate(Audience)
        .scalar_subquery()
        .label("member_count")
    )
    # Both databases sort by code point, because other PostgreSQL collations depend on how the server was set up.
    by_name = Audience.name.collate("C") if tx.dialect == "postgresql" else Audience.name
    statement = select(Audience.id, Audience.name, Audience.sort_order, counted).order_by(
        Audience.sort_order.asc().nulls_last(), by_name
    )
    return AudienceList(items=[AudienceItem(**row) for row in tx.execute(statement).mappings()])


def exists(tx: ReadTx, audience_id: int) -> bool:
    return tx.scalar(select(Audience.id).where(Audience.id == audience_id)) is not None


def unknown_ids(tx: ReadTx, audience_ids: Sequence[int]) -> list[int]:
    known = set(tx.execute(select(Audience.id).where(Audience.id.in_(audience_ids))).scalars())
    return [audience_id for audience_id in audience_ids if audience_id not in known]


def member_ids(tx: ReadTx, audience_id: int) -> set[int]:
    found = select(AudienceMember.member_id).where(AudienceMember.audience_id == audience_id)
    return set(tx.execute(found).scalars())


def audience_members(tx: ReadTx, audience_id: int) -> AudienceMembers:
    statement = (
        select(
            Member.id.label("member_id"),
            Member.name,
            Member.display_order,
            Member.line_user_id.is_not(None).label("line_user_id_present"),
            Member.is_target,
        )
        .join(AudienceMember, AudienceMember.member_id == Member.id)
        .where(AudienceMember.audience_id == audience_id)
        .order_by(*roster_order())
    )
    items = [AudienceMemberItem(**row) for row in tx.execute(statement).mappings()]
    return AudienceMembers(items=items, version=version_of(item.member_id for item in items))


def version_of(member_ids: Iterable[int]) -> str:
    """A hash of the member ids; their order does not matter."""
    listed = ",".join(map(str, sorted(member_ids)))
    return hashlib.sha256(listed.encode()).hexdigest()[:16]


def candidates(
    tx: ReadTx, audience_ids: Sequence[int], *, everybody: bool, require_target: bool, require_line: bool
) -> CandidateList:
    """Active members of the groups (or of the roster) who pass the filters, in roster order."""
    statement = (
        select(Member.id.label("member_id"), Member.name, Member.kana, Member.display_order)
        .where(Member.withdrawn_at.is_(None))
        .order_by(*roster_order())
    )
    if not everybody:
        chosen = select(AudienceMember.member_id).where(AudienceMember.audience_id.in_(audience_ids))
        statement = statement.where(Member.id.in_(chosen))
    if require_target:
        statement = statement.where(Member.is_target == 1)
    if require_line:
        statement = statement.where(Member.line_user_id.is_not(None))
    # The rows are validated together: creating one model for each of 100,000 rows takes three times as long.
    items = [
        {"member_id": row.member_id, "name": row.name, "kana": row.kana, "display_order": row.display_order}
        for row in tx.execute(statement)
    ]
    return CandidateList.model_validate({"items": items})


def known_members(tx: ReadTx, most: int) -> list[KnownPerson]:
    """Members who have not left, those who belong to a group first, then in roster order."""
    in_group = any_row().where(AudienceMember.member_id == Member.id)
    rows = tx.execute(
        select(Member.id, Member.name, Member.email, Member.role)
        .where(Member.withdrawn_at.is_(None))
        .order_by(in_group.desc(), *roster_order())
        .limit(most)
    ).all()
    groups = _groups_of(tx, [row.id for row in rows])
    return [
        KnownPerson(
            key=f"lm:{row.id}",
            name=row.name,
            email=row.email or "",
            member_id=row.id,
            audience_ids=frozenset(groups.get(row.id, {})),
            groups=tuple(groups.get(row.id, {}).values()),
            role=_OFFICER if row.role == "admin" else None,
        )
        for row in rows
    ]


def _groups_of(tx: ReadTx, member_ids: Sequence[int]) -> dict[int, dict[int, str]]:
    """The groups of each of these members: id and name, in the order of the ids."""
    found = dict[int, dict[int, str]]()
    statement = select(AudienceMember.member_id, Audience.id, Audience.name).join(
        Audience, Audience.id == AudienceMember.audience_id
    )
    for start in range(0, len(member_ids), _IDS_AT_A_TIME):
        some = AudienceMember.member_id.in_(member_ids[start : start + _IDS_AT_A_TIME])
        for row in tx.execute(statement.where(some).order_by(Audience.id)):
            found.setdefault(row.member_id, {})[row.id] = row.name
    return found
