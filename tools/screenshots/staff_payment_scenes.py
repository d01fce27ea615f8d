"""The staff portal where money and messages are concerned.

Most of these states last for moments, so the server's answer is changed.
"""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from tests.browser.staff_desk import day, open_staff_desk
from tools.screenshots.scene import Scene, Step, World, pause, phones, press, says, see
from tools.screenshots.staff_scenes import inside
from tsudoi.commands.demo_staff import LINE_NAMES
from tsudoi.core.clock import JST

# The number under which the pictures know their reservation.
_ID = 501
_HERE = f"reservations/{_ID}"
# Somebody of the demo's staff who has linked LINE.
_NUMBER, _TOLD = "100002", LINE_NAMES["100002"]
_ON_LINE = says(f"{_HERE}/notice", {"told": "SENT", "remindAt": f"{day(4)}T08:00:00+09:00"})
_NOT_ON_LINE = says(f"{_HERE}/notice", {"told": None, "remindAt": None})
_FILE = says(f"{_HERE}/calendar", {"url": f"/api/reservations/{_ID}.ics?key=0f1e2d3c"})


def _at(minutes: float) -> str:
    return (datetime.now(JST) + timedelta(minutes=minutes)).isoformat(timespec="seconds")


def _payment(status: str = "OPEN", **more: Any) -> dict[str, Any]:
    known = {"checkoutUrl": "https://checkout.stripe.com/c/pay/cs_1", "expiresAt": _at(28), "amountJpy": 3000}
    return {**known, "status": status, "refund": None, **more}


def _refund(status: str) -> dict[str, Any]:
    return _payment("PAID", refund={"status": status, "amountJpy": 3000})


def _reservation(**fields: Any) -> Step:
    """The person's reservation, six days ahead, with some of it otherwise."""
    known = {
        "id": _ID,
        "reservationTypeName": "人間ドック",
        "serviceDateLocal": day(6),
        "place": "本館2階 健診センター",
        "notes": "受付は10分前からです。",
        "cancelableUntil": f"{day(5)}T09:00:00+09:00",
        "refundUntil": f"{day(5)}T09:00:00+09:00",
    }

    def answer(route: Route) -> None:
        real = route.fetch()
        items = [{**real.json()["items"][0], **known, **fields}]
        route.fulfill(response=real, json={"items": items, "nextCursor": None})

    return lambda page: page.route("**/api/reservations/me?*", answer)


def _held(minutes: float = 32, **fields: Any) -> Step:
    """So many minutes from the moment in which the scene is shown."""

    def step(page: Page) -> None:
        unpaid = {"confirmedAt": None, "holdExpiresAt": _at(minutes), "payment": _payment()}
        _reservation(**{**unpaid, **fields})(page)

    return step


def _cancelled(**fields: Any) -> Step:
    return _reservation(canceledAt=_at(-5), **fields)


def _shows(name: str, path: str, reservation: Step, *steps: Step, whole: bool = True, notice: Step = _ON_LINE) -> Scene:
    return inside(name, path, *steps, pause(600), given=(reservation, notice, _FILE), whole=whole)


def _wait_in_vain(page: Page) -> None:
    for _ in range(20):
        page.clock.run_for(5000)
        # The answers come in real time.
        page.wait_for_timeout(150)


def _tell(world: World) -> None:
    """The office books for somebody of the demo who has linked LINE, unless it has done so already."""
    with open_staff_desk(world.product, Path()) as desk:
        found = desk.client.get("/api/admin/staffs", params={"q": _NUMBER}).json()["items"][0]["staffUid"]
        asked = {"staffUid": found, "state": "live", "from": day(9)}
        if not desk.client.get("/api/admin/reservations", params=asked).json()["items"]:
            desk.book(found, desk.slot(desk.type("特殊健診", place="本館2階 健診センター"), 9))


def _take_out(name: str) -> Step:
    """Puts the phone of this person on the stage."""

    def step(page: Page) -> None:
        press("友だち一覧")(page)
        page.get_by_role("dialog").get_by_role("searchbox").fill(name)
        pause(400)(page)
        page.keyboard.press("Enter")

    return step


_CLOCK: Step = lambda page: page.clock.install()  # noqa: E731 (a step like the others)
_LATE = {"confirmedAt": None, "holdExpiresAt": _at(-20), "holdExpired": True}
_PAID = _reservation(payment=_payment("PAID"))

STAFF_PAYMENT_SCENES = (
    inside("slots-priced", f"?day={day(6)}", see("3,000円")),
    inside("slot-priced", f"?day={day(6)}", press("9:00〜9:30"), pause(300), whole=False),
    _shows("pay-due", _HERE, _held(), see("お支払いで予約が確定します")),
    _shows("pay-soon", _HERE, _held(3.5), see("あと3分")),
    _shows("pay-left", f"{_HERE}?left=1", _held(), see("まだ済んでいません")),
    _shows(
        "pay-unopened",
        _HERE,
        _held(payment=_payment("CREATING", checkoutUrl=None)),
        see("支払い画面を開けませんでした"),
    ),
    _shows("pay-confirming", f"{_HERE}?paid=1", _held(), see("お支払いを確認しています")),
    inside(
        "pay-slow",
        f"{_HERE}?paid=1",
        see("お支払いを確認しています"),
        _wait_in_vain,
        see("確認に時間がかかっています"),
        given=(_held(), _CLOCK),
    ),
    _shows("pay-paid", f"{_HERE}?paid=1", _PAID, see("予約が確定しました")),
    _shows("pay-konbini", _HERE, _held(60 * 60, payment=_payment("WAITING")), see("コンビニでのお支払い")),
    _shows("pay-expired", _HERE, _cancelled(**_LATE, payment=_payment("EXPIRED")), see("お取り置きを取り消しました")),
    _shows("pay-late", _HERE, _cancelled(**_LATE, payment=_refund("PENDING")), see("返金手続き中")),
    _shows("pay-refunded", _HERE, _cancelled(payment=_refund("DONE")), see("返金済み")),
    _shows("pay-refund-failed", _HERE, _cancelled(payment=_refund("FAILED")), see("担当者が確認しています")),
    _shows("pay-kept", _HERE, _cancelled(payment=_payment("PAID")), see("返金はありません")),
    _shows("reservations-due", "reservations", _held(), see("お支払いを待っている")),
    _shows("reservation-unlinked", _HERE, _PAID, see("LINE未連携"), notice=_NOT_ON_LINE),
    _shows("cancel-refund", _HERE, _PAID, press("予約を取り消す"), see("全額を返金します"), whole=False),
    _shows("cancel-held", _HERE, _held(), press("支払わずに取り消す"), see("料金はかかりません"), whole=False),
    _shows(
        "cancel-no-refund",
        f"{_HERE}/cancel",
        _reservation(payment=_payment("PAID"), refundUntil=_at(-60)),
        see("返金されません"),
    ),
    _shows("message-cancel", f"{_HERE}/cancel?r=0", _PAID, see("取り消しますか")),
    _shows("message-calendar", f"{_HERE}/calendar?r=0", _PAID, see("Googleカレンダー")),
    _shows("message-moved", f"{_HERE}?r=0", _reservation(revision=1), see("日時が変更されています")),
    _shows("message-cancelled", f"{_HERE}/move?r=0", _cancelled(), see("取り消し済みの予約です")),
    _shows("message-over", f"{_HERE}/move?r=0", _reservation(serviceDateLocal=day(-3)), see("終わった予約です")),
    _shows("message-not-mine", "reservations/777", _PAID, see("ほかの方の予約です")),
    phones("phones-pages", press("ほかの画面"), pause(600)),
    phones("phones-notice", _take_out(_TOLD), pause(1500), before=_tell),
    phones("phones-notice-portal", _take_out(_TOLD), press("^変更する$"), pause(2500), before=_tell),
)
