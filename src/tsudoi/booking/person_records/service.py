"""What booking stores about a staff person. Erasing is the masking that the office can do by hand as well."""

from sqlalchemy import ColumnElement, select

from tsudoi.booking.accounts.service import mask
from tsudoi.booking.coverage_reminders.models import CoverageReminderRecipient
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import Tx
from tsudoi.core.person_data import ErasureOrder, PersonIds, PersonTable
from tsudoi.notifications.notices.models import NotificationJob


def _mask(tx: Tx, ids: PersonIds, order: ErasureOrder) -> None:
    for staff_uid in sorted(ids.staff_uids):
        mask(tx, staff_uid, order.reason, order.actor)


def _of_own_reservations(ids: PersonIds) -> ColumnElement[bool]:
    own = select(Reservation.id).where(Reservation.staff_uid.in_(ids.staff_uids))
    return NotificationJob.reservation_id.in_(own)


STAFF_TABLES = (
    PersonTable(
        StaffAccount,
        "職員",
        lambda ids: StaffAccount.staff_uid.in_(ids.staff_uids),
        "blanked",
        verb=_mask,
        hidden=frozenset({"pin_hash", "search_text"}),
        obstacle=lambda: StaffAccount.status != "left",
        obstacle_reason="在職中です。先に職員の画面で「退職」にしてください",
    ),
    PersonTable(
        RefreshSession,
        "職員のログイン",
        lambda ids: RefreshSession.staff_uid.in_(ids.staff_uids),
        "blanked",
        lambda _now: {"user_agent": None, "ip_address": None},
        hidden=frozenset({"refresh_token_hash", "family_id"}),
    ),
    PersonTable(
        CoverageReminderRecipient,
        "予約のお願いの送信",
        lambda ids: CoverageReminderRecipient.staff_uid.in_(ids.staff_uids),
        "blanked",
        lambda _now: {"line_user_id": None},
        hidden=frozenset({"lease_token", "retry_key"}),
    ),
    PersonTable(Reservation, "予約", lambda ids: Reservation.staff_uid.in_(ids.staff_uids), "kept"),
    PersonTable(WaitingPlace, "空席待ち", lambda ids: WaitingPlace.staff_uid.in_(ids.staff_uids), "kept"),
    PersonTable(
        NotificationJob,
        "予約の通知",
        _of_own_reservations,
        "blanked",
        lambda _now: {"line_user_id": None, "messages": None},
        hidden=frozenset({"lease_token", "retry_key"}),
    ),
)
