"""Who is linked, next to the row of the sheet that should say so."""

from collections.abc import Iterator

from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs.queries.sheet import Sheet
from tsudoi.roster.syncs.rules.cells import Row

_AT_A_TIME = 2_000
_ROW = ", ".join(f"sheet.{name}" for name in Row._fields)


def note_links(tx: ReadTx, sheet: Sheet) -> None:
    """Member id, LINE user id and LINE name of everybody who is linked and has not left."""
    statement = (
        select(Member.id, Member.line_user_id, Member.line_display_name)
        .where(Member.line_user_id.is_not(None), Member.withdrawn_at.is_(None))
        .execution_options(yield_per=_AT_A_TIME)
    )
    sheet.put("linked", map(tuple, tx.execute(statement)))


def linked_rows(sheet: Sheet) -> Iterator[tuple[Row, str, str | None]]:
    """In the order of the sheet."""
    found = sheet.ask(
        f"SELECT {_ROW}, linked.line_user_id, line_name FROM sheet JOIN linked USING (id)"
        " WHERE reasons IS NULL ORDER BY number"
    )
    return ((Row._make(row), user_id, line_name) for *row, user_id, line_name in found)
