"""Staff as records about people, and where their links contradict those of members."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import BigInteger, Text, and_, case, cast, func, literal, or_, select

from tsudoi.booking.departments.models import Department
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.staffs.rules import full_name, full_name_kana
from tsudoi.core import audit
from tsudoi.core.clock import display, parse_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import (
    PersonLink,
    PersonRecord,
    PersonSearch,
    PersonTraits,
    RecordKey,
    RecordState,
)
from tsudoi.core.person_sources import AnySelect, DriftCheck, OtherRecord, PersonSource, drift_row, without_spaces
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.roster.members.models import Member
from tsudoi.roster.people.models import PersonDecision
from tsudoi.roster.people.queries.decisions import is_newest, same_name_twice
from tsudoi.roster.people.rules import origin_of

_NAME = StaffAccount.family_name + StaffAccount.given_name
_KANA = func.coalesce(StaffAccount.family_name_kana, "") + func.coalesce(StaffAccount.given_name_kana, "")
_PRESENT = and_(StaffAccount.status != "left", StaffAccount.masked_at.is_(None))
# The ids of other kinds are no numbers.
_DECIDED_MEMBER = case((PersonDecision.first_kind == "member", cast(PersonDecision.first_id, BigInteger)))
_STATES: dict[str, RecordState] = {"active": "active", "suspended": "suspended", "left": "left"}
_SOURCES = {"import": "CSVで登録", "self": "本人が登録", "office": "事務局が登録"}


def _search(tx: ReadTx, wanted: PersonSearch) -> list[str]:
    columns = (StaffAccount.staff_uid, _NAME, _KANA, StaffAccount.staff_id, StaffAccount.email)
    return wanted.filter(tx.execute(select(*columns).order_by(StaffAccount.status == "left", StaffAccount.staff_id)))


def _read(tx: ReadTx, ids: Collection[str]) -> list[PersonRecord]:
    # What only the log-in and the hospital need is not even read.
    hidden = ("pin_hash", "search_text", "date_of_birth", "sex_code", "emr_patient_id")
    columns = [column for column in StaffAccount.__table__.c if column.name not in hidden]
    statement = select(*columns, Department.name.label("department")).join(
        Department, Department.id == StaffAccount.department_id
    )
    return [_record(row) for row in tx.execute(statement.where(StaffAccount.staff_uid.in_(ids)))]


def _having(tx: ReadTx, traits: PersonTraits, most: int) -> list[str]:
    shared = or_(
        StaffAccount.line_user_id.in_(traits.line_user_ids),
        func.lower(StaffAccount.email).in_(traits.addresses),
        without_spaces(_NAME).in_(traits.name_keys),
    )
    found = select(StaffAccount.staff_uid).where(shared).order_by(StaffAccount.staff_id).limit(most)
    return list(tx.execute(found).scalars())


def _links(tx: ReadTx, ids: Collection[str]) -> list[PersonLink]:
    linked = select(StaffAccount.staff_uid, StaffAccount.line_user_id).where(
        StaffAccount.staff_uid.in_(ids), StaffAccount.line_user_id.is_not(None)
    )
    rows = tx.execute(linked).all()
    entries = audit.newest_entries(tx, ["STAFF_LINK"], [f"staff:{row.staff_uid}" for row in rows])
    return [_link(row, entries.get(f"staff:{row.staff_uid}")) for row in rows]


def _link(row: Any, entry: Any) -> PersonLink:
    keys = RecordKey("staff", row.staff_uid), RecordKey("line", row.line_user_id)
    if entry is None:
        return PersonLink(*keys, "unknown")
    return PersonLink(*keys, origin_of(entry.actor), parse_text(entry.at), entry.actor, entry.reason)


def _record(row: Any) -> PersonRecord:
    facts = [
        ("職員番号", row.staff_id),
        ("部署", row.department),
        ("職種", row.job_title),
        ("登録のしかた", _SOURCES.get(row.source, row.source)),
        ("最後のログイン", row.last_login_at and display(row.last_login_at)),
        ("個人情報の消去", row.masked_at and display(row.masked_at)),
    ]
    return PersonRecord(
        RecordKey("staff", row.staff_uid),
        full_name(row.family_name, row.given_name),
        _STATES.get(row.status, "left"),
        full_name_kana(row.family_name_kana, row.given_name_kana),
        # The page about a staff person shows it as well.
        row.email,
        row.line_user_id,
        row.email.lower() if row.email else None,
        tuple((label, value) for label, value in facts if value),
        f"/staffs/{row.staff_uid}",
    )


def _blocked() -> AnySelect:
    other: OtherRecord = ("line", LineFriend.user_id, LineFriend.display_name)
    return (
        select(*drift_row("staff", StaffAccount.staff_uid, _NAME, other=other))
        .join(LineFriend, LineFriend.user_id == StaffAccount.line_user_id)
        .where(LineFriend.following.is_(False), _PRESENT)
        .order_by(StaffAccount.staff_id)
    )


def _names_differ() -> AnySelect:
    """Of the staff person and the member of one LINE user, unless the office decided that they are one person."""
    as_text = cast(Member.id, Text)
    decided = (
        select(PersonDecision.id)
        .where(PersonDecision.first_kind == "member", PersonDecision.first_id == as_text)
        .where(PersonDecision.second_kind == "staff", PersonDecision.second_id == StaffAccount.staff_uid)
        .where(PersonDecision.verdict == "same", is_newest())
        .exists()
    )
    other: OtherRecord = ("member", as_text, Member.name)
    return (
        select(*drift_row("staff", StaffAccount.staff_uid, _NAME, other=other))
        .join(Member, Member.line_user_id == StaffAccount.line_user_id)
        .where(_PRESENT, Member.withdrawn_at.is_(None), ~decided)
        .where(without_spaces(_NAME) != without_spaces(Member.name), without_spaces(_NAME) != Member.name_key)
        .order_by(StaffAccount.staff_id)
    )


def _other_line() -> AnySelect:
    """One person by decision of the office, of whom only one record is linked, or each to another LINE user."""
    both = and_(StaffAccount.line_user_id.is_not(None), Member.line_user_id.is_not(None))
    here_only = case((StaffAccount.line_user_id.is_(None), literal("会員だけがLINEと連携しています")))
    note = case(
        (both, literal("別々のLINEと連携しています")),
        else_=func.coalesce(here_only, literal("職員だけがLINEと連携しています")),
    )
    other: OtherRecord = ("member", cast(Member.id, Text), Member.name)
    return (
        select(*drift_row("staff", StaffAccount.staff_uid, _NAME, other=other, note=note))
        .select_from(PersonDecision)
        .join(StaffAccount, StaffAccount.staff_uid == PersonDecision.second_id)
        .join(Member, Member.id == _DECIDED_MEMBER)
        .where(PersonDecision.first_kind == "member", PersonDecision.second_kind == "staff")
        .where(PersonDecision.verdict == "same", is_newest(), _PRESENT, Member.withdrawn_at.is_(None))
        .where(StaffAccount.line_user_id.is_distinct_from(Member.line_user_id))
        .order_by(StaffAccount.staff_id)
    )


def _name_twice() -> AnySelect:
    return same_name_twice(
        "staff",
        select(StaffAccount.staff_uid.label("id"), _NAME.label("name"), without_spaces(_NAME).label("name_key")).where(
            _PRESENT
        ),
    )


def _mail_dead() -> AnySelect:
    return (
        select(*drift_row("staff", StaffAccount.staff_uid, _NAME, note=MailBounce.status_code))
        .join(MailBounce, MailBounce.address == func.lower(StaffAccount.email))
        .where(MailBounce.dead_at.is_not(None), _PRESENT)
        .order_by(StaffAccount.staff_id)
    )


STAFF_RECORDS = PersonSource("staff", "職員", _search, _read, _having, _links)
STAFF_CHECKS = (
    DriftCheck(
        "staff_blocked",
        "ブロックされたLINEと連携している職員",
        "予約の通知は届きません。ご本人に確かめ、必要なら職員のページで連携を解除してください。",
        "/staffs/{id}",
        _blocked,
    ),
    DriftCheck(
        "staff_member_names_differ",
        "同じLINEなのに名前が違う職員と会員",
        "どちらかの連携がまちがっているか、名前が変わっています。同じ方なら、人のページで「同じ人です」と記録してください。",
        "/people/staff/{id}",
        _names_differ,
    ),
    DriftCheck(
        "same_person_other_line",
        "同じ人と記録したのに、LINEの連携が違う職員と会員",
        "片方だけがLINEと連携しているか、別々のLINEと連携しています。ご本人にお確かめください。",
        "/people/staff/{id}",
        _other_line,
    ),
    DriftCheck(
        "staff_name_twice",
        "同じ名前の職員",
        "二重に登録されている方がいないか、お確かめください。「別の人です」と記録すると、ここには出なくなります。",
        "/people/staff/{id}",
        _name_twice,
    ),
    DriftCheck(
        "staff_mail_dead",
        "メールが届かない職員",
        "メールサーバーから「届けられない」と返されました。職員のページで、アドレスをお直しください。",
        "/staffs/{id}",
        _mail_dead,
    ),
)
