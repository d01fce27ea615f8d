"""Payments, and what else the office does about notices and prices."""

from typing import Any

from playwright.sync_api import Page

from tools.screenshots.scene import Scene, Step, admin, breaks, changes, pause, press, says, see

_REFUND: dict[str, Any] = {
    "status": "DONE",
    "amountJpy": 3500,
    "reason": "予約の取り消し",
    "requestedBy": "staff:7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "refundId": "re_1",
    "stripeStatus": "succeeded",
    "lastError": None,
    "createdAt": "2026-11-20T10:00:00+09:00",
    "updatedAt": "2026-11-20T10:01:00+09:00",
}


def _payment(number: int, name: str, status: str, **more: Any) -> dict[str, Any]:
    paid = status == "PAID"
    return {
        "id": number,
        "reservationId": 500 + number,
        "reservationState": "confirmed" if paid else "held",
        "reservationTypeName": "人間ドック オプション",
        "serviceDateLocal": "2026-12-10",
        "startMinuteOfDay": 540,
        "staffUid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
        "staffId": f"4467{number:02}",
        "fullName": name,
        "sequence": 1,
        "amountJpy": 3500,
        "status": status,
        "expiresAt": "2026-11-20T09:31:00+09:00",
        "paidAt": "2026-11-20T09:05:00+09:00" if paid else None,
        "createdAt": "2026-11-20T09:00:00+09:00",
        "sessionId": f"cs_test_a{number}",
        "paymentIntentId": None,
        "lastError": None,
        "refund": None,
        "refundable": paid,
        **more,
    }


_FAILED_REFUND = {**_REFUND, "status": "FAILED", "requestedBy": "admin:jimukyoku", "reason": "会場の都合で中止"}
_PAYMENTS = [
    _payment(1, "山田太郎", "PAID"),
    _payment(2, "勅使河原龍之介", "OPEN"),
    _payment(3, "佐藤花子", "WAITING", expiresAt="2026-11-23T09:00:00+09:00"),
    _payment(4, "鈴木一郎", "PAID", reservationState="canceled", refund=_REFUND, refundable=False),
    _payment(5, "高橋美咲", "PAID", refund={**_REFUND, "status": "PENDING"}, refundable=False),
    _payment(6, "田中次郎", "PAID", refund={**_FAILED_REFUND, "lastError": "charge_already_refunded: ch_1"}),
    _payment(7, "伊藤さくら", "EXPIRED", reservationState="canceled"),
    _payment(8, "渡辺健", "FAILED", reservationState="canceled", lastError="HTTP 402 card_declined"),
]
_MISMATCH: dict[str, Any] = {
    "eventId": "evt_1Q2w3E4r5T6y7U8i",
    "type": "checkout.session.completed",
    "reservationId": 512,
    "amount": 2000,
    "currency": "jpy",
    "livemode": False,
    "sessionId": "cs_test_a12",
    "paymentIntentId": "pi_12",
    "detail": "Stripe 2000 jpy, ours 3500 jpy",
    "receivedAt": "2026-11-20T09:05:00+09:00",
    "resolvedAt": None,
    "resolvedBy": None,
    "resolvedNote": None,
}
_PAGE: dict[str, Any] = {
    "items": _PAYMENTS,
    "nextCursor": None,
    "mismatches": [],
    "totals": {"waiting": 2, "refundsPending": 1, "refundsFailed": 1, "mismatches": 0},
}
_NOTHING = {**_PAGE, "items": [], "totals": dict.fromkeys(_PAGE["totals"], 0)}
_DOES_NOT_FIT = {**_PAGE, "mismatches": [_MISMATCH], "totals": {**_PAGE["totals"], "mismatches": 1}}
_PERSON = {
    "staffUid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "staffId": "446752",
    "fullName": "山田太郎",
    "departmentId": "3A",
    "departmentName": "3階A病棟",
}
_TEXT = (
    "「インフルエンザ予防接種」のご予約がまだのようです。\n"
    "お手数ですが、以下のリンクから、ご都合のよい日時をご予約ください。"
)
_QUOTA = {"known": True, "limit": 200, "used": 150, "promised": 3, "left": 47, "cost": 11, "enough": True}
_PREVIEW = {
    "periodKey": "FY2026",
    "text": _TEXT,
    "link": "https://tsudoi.example.jp/staff/?type=1",
    "messages": [{"type": "text", "text": f"{_TEXT}\nhttps://tsudoi.example.jp/staff/?type=1"}],
    "recipientsTotal": 11,
    "byChannel": {"line": 9, "mail": 2, "phone": 1},
    "recipients": [
        {**_PERSON, "blocked": False, "channel": "line"},
        {**_PERSON, "fullName": "佐藤花子", "blocked": True, "channel": "mail"},
    ],
    "unreachableTotal": 1,
    "unreachable": [
        {**_PERSON, "fullName": "鈴木一郎", "reason": "NO_LINE_LINK", "reasonText": "LINEと連携していません"}
    ],
    "freeSeats": 40,
    "quota": _QUOTA,
}
_OVER = {**_PREVIEW, "quota": {**_QUOTA, "left": 4, "enough": False}, "freeSeats": 0}
_REMINDER = {
    "id": 3,
    "reservationTypeId": 1,
    "reservationTypeName": "インフルエンザ予防接種",
    "periodKey": "FY2026",
    "departmentId": None,
    "departmentName": None,
    "text": _TEXT,
    "recipients": 11,
    "unreachable": 1,
    "sent": 9,
    "failed": 1,
    "unknown": 0,
    "pending": 0,
    "skipped": 1,
    "createdBy": "admin:jimukyoku",
    "createdAt": "2026-11-01T09:00:00+09:00",
}
_PROBLEM = {
    **_PERSON,
    "status": "skipped",
    "reason": "BOOKED",
    "reasonText": "送る前に予約されたため、送っていません。",
}
_REMIND = "^まだの人に知らせる$"


def _with_price(page: Page) -> None:
    press("^種類を作る$")(page)
    page.get_by_label("料金（円）").fill("3500")
    page.get_by_text("料金のある種類には").scroll_into_view_if_needed()


def _open_reminder(page: Page) -> None:
    page.get_by_text("メッセージと、届いていない方").click()


def _coverage(name: str, *steps: Step, given: tuple[Step, ...] = (), whole: bool = False) -> Scene:
    """Somebody has not booked yet, whatever the demo's people do."""
    missing = changes(
        "admin/coverage?*", totals={"staff": 40, "booked": 28, "notBooked": 12, "came": 20, "absent": 1, "held": 0}
    )
    told = (
        says("admin/coverage/reminders?*", {"items": [_REMINDER], "nextCursor": None}),
        says("admin/coverage/reminders/3", {**_REMINDER, "problems": [_PROBLEM]}),
    )
    return admin(f"coverage-{name}", "booking/coverage", *steps, given=(missing, *told, *given), whole=whole)


PAYMENT_SCENES = (
    admin("payments", "payments", given=(says("admin/payments?*", _PAGE), says("admin/payments", _PAGE))),
    admin("payments-mismatch", "payments", see("確かめてほしい"), given=(says("admin/payments", _DOES_NOT_FIT),)),
    admin("payments-none", "payments", given=(says("admin/payments", _NOTHING),)),
    admin("payments-failed", "payments", given=(breaks("admin/payments"),)),
    admin(
        "payments-refund",
        "payments",
        press("^山田太郎さんに返金"),
        pause(300),
        given=(says("admin/payments", _PAGE),),
        whole=False,
    ),
    admin(
        "payments-resolve",
        "payments",
        press("の対応を記録する$"),
        pause(300),
        given=(says("admin/payments", _DOES_NOT_FIT),),
        whole=False,
    ),
    admin("booking-type-price", "booking/types", _with_price, pause(300), whole=False),
    _coverage(
        "remind",
        press(_REMIND),
        see("LINEで9人、メールで2人に送ります"),
        pause(300),
        given=(says("admin/coverage/reminders/preview", _PREVIEW),),
    ),
    _coverage(
        "remind-over",
        press(_REMIND),
        see("足りません|上限"),
        pause(300),
        given=(says("admin/coverage/reminders/preview", _OVER),),
    ),
    _coverage("reminders", _open_reminder, see("送る前に予約された"), whole=True),
)
