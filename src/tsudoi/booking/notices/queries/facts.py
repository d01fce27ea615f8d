"""Reservations as the sender of notices sees them, under their lock.

Raw SQL, because the sender reads them for each of its batches.
"""

from collections.abc import Sequence
from typing import Any

import orjson

from tsudoi.booking.slots.rules import begins_at
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.notifications.notices.rules.facts import NoticeFacts, NoticeLinks
from tsudoi.notifications.notices.service.reading import NoticeReader

_THESE = {"sqlite": "IN (SELECT value FROM json_each(:ids))", "postgresql": "= ANY(:ids)"}
# One that a change holds at this moment is left out: the sender asks again, and nobody waits for each other.
_LOCK = RawSql("SELECT id FROM reservations WHERE id = ANY(:ids) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED")
_FACTS = """SELECT r.id, r.revision, r.canceled_at IS NOT NULL, r.confirmed_at IS NOT NULL OR r.hold_expires_at IS NULL,
        r.service_date_local, r.start_minute_of_day, r.price_jpy, p.family_name, p.given_name, p.line_user_id,
        t.name, t.place, t.silent_at_night, CASE WHEN t.mail_fallback = 1 THEN p.email END, s.notes,
        EXISTS (SELECT 1 FROM payments m JOIN payment_tasks k ON k.payment_id = m.id
                WHERE m.reservation_id = r.id AND k.kind = 'REFUND'), r.canceled_by
    FROM reservations r JOIN staffs p ON p.staff_uid = r.staff_uid
        JOIN reservation_types t ON t.id = r.reservation_type_id JOIN reservation_slots s ON s.id = r.slot_id
    WHERE r.id {these}"""
_FACTS_OF = {dialect: RawSql(_FACTS.format(these=these)) for dialect, these in _THESE.items()}


def reader_of(runtime: Runtime) -> NoticeReader:
    """The part that lets the sender ask about reservations."""
    settings = runtime.settings
    return NoticeReader(lock=lock, facts=lambda tx, ids: facts(tx, ids, settings))


def lock(tx: Tx, reservation_ids: Sequence[int]) -> list[int]:
    """SQLite has one writer at a time, so that they are all locked there."""
    if tx.dialect == "sqlite":
        return list(reservation_ids)
    return [row[0] for row in _LOCK.all(tx, {"ids": list(reservation_ids)})]


def facts(tx: ReadTx, reservation_ids: Sequence[int], settings: Settings) -> dict[int, NoticeFacts]:
    ids = list(reservation_ids)
    rows = _FACTS_OF[tx.dialect].all(tx, {"ids": orjson.dumps(ids).decode() if tx.dialect == "sqlite" else ids})
    return {row[0]: _facts(row, settings) for row in rows}


def _facts(row: tuple[Any, ...], settings: Settings) -> NoticeFacts:
    reservation_id, revision, canceled, confirmed, day, start, price, family, given, line_user_id = row[:10]
    type_name, place, silent, mail_address, notes, refunded, canceled_by = row[10:]
    placeholders = {
        "氏名": f"{family} {given}".strip(),
        "種別": type_name,
        "会場": place or "",
        "備考": notes or "",
        "料金": f"{price:,}円" if price else "",
    }
    return NoticeFacts(
        reservation_id=reservation_id,
        revision=revision,
        state="canceled" if canceled else "confirmed" if confirmed else "hold",
        begins_at=begins_at(day, start),
        line_user_id=line_user_id,
        placeholders=placeholders,
        links=_links(settings, reservation_id, revision),
        mail_address=mail_address,
        page=f"{settings.public_base_url}/staff/reservations/{reservation_id}",
        silent_at_night=bool(silent),
        canceled_by_owner=str(canceled_by or "").startswith("staff:"),
        refunded=bool(refunded),
    )


def _links(settings: Settings, reservation_id: int, revision: int) -> NoticeLinks:
    """The pages of the staff portal inside LINE. Without a LIFF app there are no buttons.

    `r` lets the page say that the reservation was moved since the message was written.
    """
    if not settings.liff_id:
        return NoticeLinks()
    page, r = f"{settings.liff_base}/{settings.liff_id}/staff/reservations/{reservation_id}", f"?r={revision}"
    return NoticeLinks(
        view=page + r, change=f"{page}/move{r}", cancel=f"{page}/cancel{r}", calendar=f"{page}/calendar{r}"
    )
