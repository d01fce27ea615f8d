"""Why a slot cannot be booked. The messages are for the person who wants to book, and say what to do next."""

from tsudoi.core.errors import Conflict, Detail, InvalidInput, NotFound


class NoSuchSlot(NotFound):
    """There is no slot with this id, or it is not for the caller's eyes."""

    default_message = "この予約枠は見つかりません。予約枠の一覧を読み込み直してください。"


class BackwardPeriod(InvalidInput):
    """The last day of a period lies before its first day."""

    def __init__(self) -> None:
        super().__init__("終わりの日は、始まりの日以後にしてください。", [Detail("to", "BEFORE_FROM")])


class SlotRefused(Conflict):
    """Base of the refusals that depend on the slot, not on the other reservations of the person."""


class TypeInactive(SlotRefused):
    """The office has switched this type of reservation off."""

    code = "TYPE_INACTIVE"
    default_message = "この種類の予約は、いまは受け付けていません。ほかの予約を選ぶか、担当者にお問い合わせください。"


class SlotNotPublished(SlotRefused):
    """The slot is a draft, or the office has closed it."""

    code = "SLOT_NOT_PUBLISHED"
    default_message = "この予約枠は公開されていません。ほかの予約枠を選んでください。"


class BookingNotOpen(SlotRefused):
    """It is too early: `bookingStart` is in the future."""

    code = "BOOKING_NOT_OPEN"
    default_message = "この予約枠は、まだ受付を始めていません。受付開始の日時になってから、もう一度お試しください。"


class BookingClosed(SlotRefused):
    """It is too late: `bookingEnd` has passed, or the slot has begun."""

    code = "BOOKING_CLOSED"
    default_message = "この予約枠の受付は終わりました。ほかの予約枠を選ぶか、担当者にお問い合わせください。"


class SlotFull(SlotRefused):
    """Every seat is taken."""

    code = "SLOT_FULL"
    default_message = "この予約枠は満席です。ほかの予約枠を選ぶか、キャンセル待ちに登録してください。"


class DepartmentFull(SlotRefused):
    """The slot has seats, but the person's department has used up its own."""

    code = "DEPARTMENT_FULL"
    default_message = (
        "この予約枠は、あなたの部署の定員に達しています。ほかの予約枠を選ぶか、キャンセル待ちに登録してください。"
    )


REFUSALS: dict[str, type[SlotRefused]] = {
    error.code: error
    for error in (TypeInactive, SlotNotPublished, BookingNotOpen, BookingClosed, SlotFull, DepartmentFull)
}
