from collections.abc import Iterable, Sequence

from tsudoi.core.errors import Conflict, Detail, InvalidInput

_MOST_NAMED = 50
# The office decides about each of these, so that more of them are named.
_MOST_REFUSED_NAMED = 500


class CapacityBelowBooked(Conflict):
    """More people have a seat than the new capacity allows."""

    code = "CAPACITY_BELOW_BOOKED"

    def __init__(self, booked: int = 0) -> None:
        super().__init__(
            f"すでに{booked}人の予約があります。定員を{booked}人以上にするか、先に予約を取り消してください。",
            [Detail("capacity", "BELOW_BOOKED")],
        )


class SlotHasReservations(Conflict):
    """People have a seat, or wait for one, at the time that was announced."""

    code = "SLOT_HAS_RESERVATIONS"

    def __init__(self, fields: Sequence[str] = ()) -> None:
        super().__init__(
            "予約またはキャンセル待ちがあるため、日時と種類は変更できません。新しい予約枠を作り、予約を移してください。",
            [Detail(field, "HAS_RESERVATIONS") for field in fields],
        )


class SlotInUse(Conflict):
    """Somebody has booked the slot, or waited for it, at some time: its history must stay."""

    code = "IN_USE"
    default_message = "予約やキャンセル待ちの記録がある予約枠は削除できません。代わりに受付を終了してください。"


class UnknownReservationType(InvalidInput):
    """No type of reservation has this id."""

    def __init__(self) -> None:
        super().__init__("予約の種類が見つかりません。", [Detail("reservationTypeId", "UNKNOWN_TYPE")])


class UnknownQuotaDepartments(InvalidInput):
    """Quotas name departments that do not exist."""

    def __init__(self, department_ids: Sequence[str]) -> None:
        named = department_ids[:_MOST_NAMED]
        super().__init__(
            f"登録のない部署が指定されています：{'、'.join(named)}",
            [Detail("quotas", "UNKNOWN_DEPARTMENT") for _department_id in named],
        )


class UnknownSlots(InvalidInput):
    """Some ids belong to no slot; the details list them."""

    def __init__(self, slot_ids: Iterable[int]) -> None:
        super().__init__(
            "存在しない予約枠が指定されています。画面を読み込み直してください。",
            [Detail(f"slotIds.{slot_id}", "UNKNOWN_SLOT") for slot_id in sorted(slot_ids)[:_MOST_NAMED]],
        )


class SelectionChanged(Conflict):
    """The selection has another number of slots than the preview had."""

    code = "SELECTION_CHANGED"

    def __init__(self, expected: int = 0, matched: int = 0) -> None:
        super().__init__(
            f"確認した{expected:,}枠が、いまは{matched:,}枠になっています。何も変更していません。"
            "もう一度確かめてから、変更してください。",
            [Detail("expect", "STALE")],
        )


class SomeRefused(Conflict):
    """Some of the slots cannot be changed like this, so that none of them was changed; the details list them."""

    code = "SOME_REFUSED"

    def __init__(self, refused: Sequence[tuple[int, str]] = ()) -> None:
        """`refused`: the id of each slot with the code of the reason."""
        super().__init__(
            f"変更できない予約枠が{len(refused):,}枠あるため、何も変更していません。"
            "その枠を除いて変更するか、内容を見直してください。",
            [Detail(f"slotIds.{slot_id}", code) for slot_id, code in refused[:_MOST_REFUSED_NAMED]],
        )
