"""Members as records about people, and what no longer fits with their links."""

from collections.abc import Collection, Iterable
from typing import Any

import orjson
from sqlalchemy import Text, cast, func, literal, or_, select

from tsudoi.core import audit
from tsudoi.core.addresses import masked_address
from tsudoi.core.clock import display, parse_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import AuditLog
from tsudoi.core.person_records import PersonLink, PersonRecord, PersonSearch, PersonTraits, RecordKey
from tsudoi.core.person_sources import AnySelect, DriftCheck, OtherRecord, PersonSource, drift_row
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order
from tsudoi.roster.people.queries.decisions import same_name_twice
from tsudoi.roster.people.rules import origin_of

_LARGEST_ID = 2**53
# A sync of many links shares rows of the audit trail, each of which names a few thousand members.
_SHARED_ROWS = 50


def _search(tx: ReadTx, wanted: PersonSearch) -> list[str]:
    """Everybody is read, because no column holds the search key of the roster."""
    columns = (Member.id, Member.name, Member.kana, Member.email, Member.line_display_name)
    return wanted.filter(tx.execute(select(*columns).order_by(Member.withdrawn_at.is_not(None), *roster_order())))


def _read(tx: ReadTx, ids: Collection[str]) -> list[PersonRecord]:
    return [_record(row) for row in tx.execute(select(Member).where(Member.id.in_(_numbers(ids))))]


def _having(tx: ReadTx, traits: PersonTraits, most: int) -> list[str]:
    shared = [
        Member.line_user_id.in_(traits.line_user_ids) if traits.line_user_ids else None,
        func.lower(Member.email).in_(traits.addresses) if traits.addresses else None,
        Member.name_key.in_(traits.name_keys) if traits.name_keys else None,
    ]
    wanted = [condition for condition in shared if condition is not None]
    found = select(Member.id).where(or_(*wanted)).order_by(*roster_order()).limit(most)
    return [str(number) for number in tx.execute(found).scalars()] if wanted else []


def _links(tx: ReadTx, ids: Collection[str]) -> list[PersonLink]:
    linked = select(Member.id, Member.line_user_id).where(
        Member.id.in_(_numbers(ids)), Member.line_user_id.is_not(None)
    )
    rows = tx.execute(linked).all()
    if not rows:
        return []
    entries = audit.newest_entries(tx, ["LINK"], [f"member:{row.id}" for row in rows])
    shared = _shared_entries(tx) if len(entries) < len(rows) else {}
    return [_link(row, entries.get(f"member:{row.id}") or shared.get(row.id)) for row in rows]


def _shared_entries(tx: ReadTx) -> dict[int, Any]:
    """The rows of the audit trail about many links, by member; the newest one about a member counts."""
    columns = (AuditLog.at, AuditLog.actor, AuditLog.reason, AuditLog.new)
    about_many = (AuditLog.subject == "members", AuditLog.action == "LINK")
    rows = tx.execute(select(*columns).where(*about_many).order_by(AuditLog.id.desc()).limit(_SHARED_ROWS)).all()
    return {number: row for row in reversed(rows) for number in orjson.loads(row.new or "{}").get("member_ids", ())}


def _link(row: Any, entry: Any) -> PersonLink:
    """An entry about another LINE user is older than the link, which was then written without one."""
    keys = RecordKey("member", str(row.id)), RecordKey("line", row.line_user_id)
    told = entry and orjson.loads(entry.new or "{}").get("line_user_id", row.line_user_id)
    if told != row.line_user_id:
        return PersonLink(*keys, "unknown")
    return PersonLink(*keys, origin_of(entry.actor), parse_text(entry.at), entry.actor, entry.reason)


def _record(row: Any) -> PersonRecord:
    facts = [
        ("名簿の番号", str(row.id)),
        ("LINEの名前", row.line_display_name),
        ("ご案内の対象", "対象" if row.is_target else "対象外"),
        ("名簿に登録", display(row.created_at)),
        ("退会", row.withdrawn_at and display(row.withdrawn_at)),
    ]
    return PersonRecord(
        RecordKey("member", str(row.id)),
        row.name,
        "active" if row.withdrawn_at is None else "withdrawn",
        row.kana,
        masked_address(row.email),
        row.line_user_id,
        row.email.lower() if row.email else None,
        tuple((label, value) for label, value in facts if value),
        "/members" if row.withdrawn_at is None else "/members?show=withdrawn",
    )


def _numbers(ids: Iterable[str]) -> list[int]:
    """An id comes from an address that anybody may have typed."""
    return [int(one) for one in ids if one.isascii() and one.isdecimal() and int(one) <= _LARGEST_ID]


def _blocked() -> AnySelect:
    other: OtherRecord = ("line", LineFriend.user_id, LineFriend.display_name)
    return (
        select(*drift_row("member", cast(Member.id, Text), Member.name, other=other))
        .join(LineFriend, LineFriend.user_id == Member.line_user_id)
        .where(LineFriend.following.is_(False), Member.withdrawn_at.is_(None))
        .order_by(*roster_order())
    )


def _never_followed() -> AnySelect:
    known = select(LineFriend.user_id).where(LineFriend.user_id == Member.line_user_id).exists()
    other: OtherRecord = ("line", Member.line_user_id, Member.line_display_name)
    return (
        select(*drift_row("member", cast(Member.id, Text), Member.name, other=other))
        .where(Member.line_user_id.is_not(None), Member.withdrawn_at.is_(None), ~known)
        .order_by(*roster_order())
    )


def _name_twice() -> AnySelect:
    present = select(
        cast(Member.id, Text).label("id"), Member.name.label("name"), Member.name_key.label("name_key")
    ).where(Member.withdrawn_at.is_(None), Member.name_key != literal(""))
    return same_name_twice("member", present)


MEMBER_RECORDS = PersonSource("member", "会員", _search, _read, _having, _links)
MEMBER_CHECKS = (
    DriftCheck(
        "member_blocked",
        "ブロックされたLINEと連携している会員",
        "LINEのご案内は届きません。ご本人に電話などで確かめ、別のLINEをお使いなら連携を解除してください。",
        "/members?show=blocked",
        _blocked,
    ),
    DriftCheck(
        "member_line_unknown",
        "友だち追加の記録がないLINEと連携している会員",
        "名簿のLINEのIDが古いか、まだ友だち追加をされていません。名簿の値をお確かめください。",
        "/members?show=linked",
        _never_followed,
    ),
    DriftCheck(
        "member_name_twice",
        "同じ名前の会員",
        "二重に登録されている方がいないか、お確かめください。「別の人です」と記録すると、ここには出なくなります。",
        "/people/member/{id}",
        _name_twice,
    ),
)
