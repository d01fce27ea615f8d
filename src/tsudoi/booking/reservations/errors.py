"""Why a reservation is refused because of the person's other reservations, or cannot be changed any more."""

from tsudoi.booking.slots.errors import REFUSALS as SLOT_REFUSALS
from tsudoi.core.errors import Conflict, NotFound, Problem


class NoSuchReservation(NotFound):
    """There is no reservation with this id, or it belongs to somebody else."""

    default_message = "この予約は見つかりません。予約の一覧を読み込み直してください。"


class NoSuchPlace(NotFound):
    """There is no place in a waiting list with this id, or it belongs to somebody else."""

    default_message = "このキャンセル待ちは見つかりません。一覧を読み込み直してください。"


class PersonRefused(Conflict):
    """Base of the refusals that depend on the person's other reservations."""


class AlreadyInSlot(PersonRefused):
    """The person has a seat in this slot."""

    code = "ALREADY_IN_SLOT"
    default_message = "この予約枠は、すでに予約済みです。「予約の確認」で内容を確認してください。"


class AlreadyBookedThisYear(PersonRefused):
    """The person has used up the limit of this type for the fiscal year."""

    code = "ALREADY_BOOKED_THIS_YEAR"
    default_message = (
        "この種類の予約は、この年度の上限まで予約済みです。日時を変えるときは、予約の確認から変更してください。"
    )


class TooSoonAfterLast(PersonRefused):
    """Another reservation of this type is too near in days."""

    code = "TOO_SOON_AFTER_LAST"
    default_message = "前後の予約からの日数が足りません。もっと離れた日を選んでください。"


class Overlaps(PersonRefused):
    """The person has a reservation at the same time."""

    code = "OVERLAPS"
    default_message = "同じ時間に、ほかの予約があります。ほかの予約枠を選んでください。"


class TypeMismatch(Conflict):
    """A reservation can move to a slot of the same type only."""

    code = "TYPE_MISMATCH"
    default_message = "別の種類の予約枠には変更できません。同じ種類の予約枠を選んでください。"


class Canceled(Conflict):
    """The reservation has been cancelled, so that it cannot change any more."""

    code = "CANCELED"
    default_message = "この予約は取り消されています。もう一度予約してください。"


class TooLate(Conflict):
    """The time until which the person may cancel or move the reservation has passed."""

    code = "TOO_LATE"
    default_message = "変更・取り消しの期限を過ぎています。担当者にお電話ください。"


class NotFull(Conflict):
    """Nobody can wait for a slot that has seats."""

    code = "NOT_FULL"
    default_message = "この予約枠には空きがあります。キャンセル待ちではなく、そのまま予約してください。"


class TooEarly(Conflict):
    """Attendance cannot be noted before the day of the slot."""

    code = "TOO_EARLY"
    default_message = "予約の日より前には、受付できません。日付を確認してください。"


class NotConfirmed(Conflict):
    """The seat is only held, because it has not been paid for."""

    code = "NOT_CONFIRMED"
    default_message = "この予約は、お支払いが済んでいません。お支払いを確認してから受付してください。"


class NotActiveStaff(Conflict):
    """The office wants to book for a person who is suspended or has left."""

    code = "STAFF_NOT_ACTIVE"
    default_message = "この職員は利用停止中か退職済みのため、予約できません。職員の状態を確認してください。"


REFUSALS: dict[str, type[Problem]] = {
    **SLOT_REFUSALS,
    **{error.code: error for error in (AlreadyInSlot, AlreadyBookedThisYear, TooSoonAfterLast, Overlaps)},
}
