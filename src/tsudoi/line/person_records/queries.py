"""LINE users as records about people. Which person a LINE user is, the contexts above know."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import or_, select

from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import PersonRecord, PersonSearch, PersonTraits, RecordKey
from tsudoi.core.person_sources import PersonSource, without_spaces
from tsudoi.line.friends.models import LineFriend

_NEWEST_FIRST = (LineFriend.last_contact_at.desc(), LineFriend.user_id)


def _search(tx: ReadTx, wanted: PersonSearch) -> list[str]:
    # The id is searched as well: the audit trail names LINE users by it.
    columns = (LineFriend.user_id, LineFriend.display_name, LineFriend.user_id.label("searched_id"))
    return wanted.filter(tx.execute(select(*columns).order_by(*_NEWEST_FIRST)))


def _read(tx: ReadTx, ids: Collection[str]) -> list[PersonRecord]:
    return [_record(row) for row in tx.execute(select(LineFriend).where(LineFriend.user_id.in_(ids)))]


def _having(tx: ReadTx, traits: PersonTraits, most: int) -> list[str]:
    shared = or_(
        LineFriend.user_id.in_(traits.line_user_ids),
        without_spaces(LineFriend.display_name).in_(traits.name_keys),
    )
    return list(tx.execute(select(LineFriend.user_id).where(shared).order_by(*_NEWEST_FIRST).limit(most)).scalars())


def _record(row: Any) -> PersonRecord:
    return PersonRecord(
        RecordKey("line", row.user_id),
        row.display_name or "",
        "active" if row.following else "blocked",
        line_user_id=row.user_id,
        facts=(
            ("LINEのID", row.user_id),
            ("はじめての連絡", display(row.first_contact_at)),
            ("最後の連絡", display(row.last_contact_at)),
        ),
    )


LINE_RECORDS = PersonSource("line", "LINE", _search, _read, _having)
