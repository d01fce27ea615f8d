from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from tsudoi.booking.accounts.rules import StaffFilters
from tsudoi.booking.accounts.schemas import SessionItem, StaffDetail, StaffItem, StaffPage
from tsudoi.booking.departments.models import Department
from tsudoi.booking.departments.queries import departments_by_code
from tsudoi.booking.departments.rules import folded
from tsudoi.booking.identity.rules import missing_fields
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.staffs.errors import NoSuchStaff
from tsudoi.booking.staffs.models import RegistrationCode, StaffAccount
from tsudoi.booking.staffs.rules import full_name, full_name_kana
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.roster.members.rules import search_key

_SESSIONS_SHOWN = 10
# The hash of the PIN, and what only the search needs, is not even read.
_COLUMNS = [
    column for column in StaffAccount.__table__.c if column.name not in ("pin_hash", "search_text", "import_batch_id")
]


def staff_page(tx: ReadTx, filters: StaffFilters, limit: int, cursor: str | None) -> StaffPage:
    statement = _listed(tx, filters).limit(limit + 1)
    if cursor is not None:
        statement = statement.where(StaffAccount.staff_id > decode_cursor(cursor, str)[0])
    rows = tx.execute(statement).mappings().all()
    items = [StaffItem.model_validate(_item(dict(row))) for row in rows[:limit]]
    return StaffPage(items=items, next_cursor=encode_cursor(items[-1].staff_id) if len(rows) > limit else None)


def staff_rows(tx: ReadTx, filters: StaffFilters) -> Iterator[dict[str, Any]]:
    """Everybody whom the filters let through, for an export."""
    return (_item(dict(row)) for row in tx.execute(_listed(tx, filters)).yield_per(1000).mappings())


def staff_item(tx: ReadTx, staff_uid: str) -> StaffItem:
    return StaffItem.model_validate(_one(tx, staff_uid))


def staff_detail(tx: ReadTx, staff_uid: str) -> StaffDetail:
    newest = select(RefreshSession).where(RefreshSession.staff_uid == staff_uid).order_by(RefreshSession.id.desc())
    sessions = [SessionItem.model_validate(dict(row)) for row in tx.execute(newest.limit(_SESSIONS_SHOWN)).mappings()]
    return StaffDetail.model_validate({**_one(tx, staff_uid), "sessions": sessions})


def newest_registration_code(tx: ReadTx) -> dict[str, Any] | None:
    row = tx.execute(select(RegistrationCode).order_by(RegistrationCode.id.desc()).limit(1)).mappings().first()
    return None if row is None else dict(row)


def _one(tx: ReadTx, staff_uid: str) -> dict[str, Any]:
    row = tx.execute(_selected(tx).where(StaffAccount.staff_uid == staff_uid)).mappings().first()
    if row is None:
        raise NoSuchStaff
    return _item(dict(row))


def _selected(tx: ReadTx) -> Select[Any]:
    live = and_(
        RefreshSession.staff_uid == StaffAccount.staff_uid,
        RefreshSession.revoked_at.is_(None),
        RefreshSession.expires_at > tx.now,
    )
    sessions = select(func.count()).select_from(RefreshSession).where(live).correlate(StaffAccount).scalar_subquery()
    return select(*_COLUMNS, Department.name.label("department_name"), sessions.label("live_sessions")).join(
        Department, Department.id == StaffAccount.department_id
    )


def _listed(tx: ReadTx, filters: StaffFilters) -> Select[Any]:
    return _selected(tx).where(*_conditions(tx, filters)).order_by(StaffAccount.staff_id)


def _conditions(tx: ReadTx, filters: StaffFilters) -> Iterator[ColumnElement[bool]]:
    key = search_key(filters.words)
    if key:
        by_hand = or_(*(_text.contains(filters.words.strip(), autoescape=True) for _text in _NAMES_AND_NUMBER))
        found = StaffAccount.search_text.contains(key, autoescape=True)
        yield or_(found, and_(StaffAccount.search_text.is_(None), by_hand))
    if filters.department_id is not None:
        row = departments_by_code(tx).get(folded(filters.department_id))
        yield StaffAccount.department_id == (row.id if row else filters.department_id)
    if filters.status is not None:
        yield StaffAccount.status == filters.status
    if filters.state is not None:
        yield _STATES[filters.state]


_NAMES_AND_NUMBER = (
    StaffAccount.staff_id,
    StaffAccount.family_name + StaffAccount.given_name,
    func.coalesce(StaffAccount.family_name_kana, "") + func.coalesce(StaffAccount.given_name_kana, ""),
)
_STATES: dict[str, ColumnElement[bool]] = {
    "locked": StaffAccount.pin_locked_until.is_not(None),
    "initialPin": StaffAccount.pin_must_change == 1,
    "incomplete": or_(
        StaffAccount.emr_patient_id.is_(None), StaffAccount.date_of_birth.is_(None), StaffAccount.sex_code.is_(None)
    ),
    "unconfirmed": and_(StaffAccount.source == "self", StaffAccount.confirmed_at.is_(None)),
}


def _item(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "full_name": full_name(row["family_name"], row["given_name"]),
        "full_name_kana": full_name_kana(row["family_name_kana"], row["given_name_kana"]),
        "locked": row["pin_locked_until"] is not None,
        "missing": missing_fields(row["emr_patient_id"], row["date_of_birth"], row["sex_code"]),
        "line_linked": row["line_user_id"] is not None,
    }
