"""The staff portal. `make_hospital` makes the people, slots and reservations that it shows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.staff_desk import day, open_staff_desk
from tests.factories.booking import PIN
from tools.screenshots.scene import Scene, Step, World, alert, breaks, holds, pause, press, says, see, unreachable

# Whom the pictures show: somebody with a reservation, somebody with gaps in the profile, and a newcomer.
BOOKED, INCOMPLETE, NEWCOMER = "700001", "700002", "700003"
_EMPTY: dict[str, Any] = {"items": [], "nextCursor": None}
_LOCKED = {"code": "PIN_LOCKED", "message": "", "details": []}
_BUSY = {"code": "UNAVAILABLE", "message": "", "details": []}


def make_hospital(product: str) -> None:
    """Through the API alone, because the pictures know nothing of the demo's folder."""
    with open_staff_desk(product, Path()) as desk:
        desk.switch_types_off()
        check_up, vaccine = desk.type("職員健診", cancelUntilHours=24), desk.type("インフルエンザ予防接種")
        taken = desk.slot(check_up, 3, 540, notes="3階の健診室。受付は10分前からです。")
        full = desk.slot(check_up, 3, 570, capacity=1)
        desk.slot(check_up, 3, 600, bookingStart="2099-01-01T09:00:00+09:00")
        desk.slot(vaccine, 3, 780, notes="1階の処置室")
        desk.slot(vaccine, 5, 780)
        desk.slot(desk.type("人間ドック", priceJpy=3000, refundUntilHours=24, place="本館2階 健診センター"), 6, 540)
        desk.slot(check_up, 4, 540)
        known = {"emrPatientId": "1700001", "dateOfBirth": "1990-04-01", "sexCode": "2"}
        desk.book(desk.new_staff(BOOKED, familyName="勅使河原", givenName="龍之介", **known), taken)
        desk.book(desk.new_staff("700004", familyName="佐藤", givenName="次郎"), full)
        desk.new_staff(INCOMPLETE, familyName="高橋美咲", givenName="美咲")
        desk.new_staff(NEWCOMER)
        for staff_id in (BOOKED, INCOMPLETE):
            desk.change_pin(staff_id, "0000", PIN)


def _outside(name: str, path: str, *steps: Step, given: tuple[Step, ...] = (), whole: bool = True) -> Scene:
    """Before the log-in."""

    def show(page: Page, world: World) -> None:
        for step in given:
            step(page)
        page.goto(f"{world.product}/staff/{path}")
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_load_state("networkidle")
        for step in steps:
            step(page)

    return Scene(f"staff-{name}", show, whole)


def _log_in(staff_id: str, pin: str = PIN) -> Step:
    def step(page: Page) -> None:
        page.get_by_label("職員番号").fill(staff_id)
        page.get_by_label("暗証番号（PIN）4桁").fill(pin)
        press("^ログイン$")(page)

    return step


def inside(name: str, path: str, *steps: Step, given: tuple[Step, ...] = (), whole: bool = True) -> Scene:
    return _outside(name, path, *given, _log_in(BOOKED), *steps, whole=whole)


def _answers_log_in(status: int, body: Any) -> Step:
    return lambda page: page.route("**/auth/login", lambda route: route.fulfill(status=status, json=body))


def _waits_for(name: str) -> Callable[[Page], object]:
    return lambda page: page.get_by_role("heading", name=name).first.wait_for()


def _idle(page: Page) -> None:
    page.clock.fast_forward(4 * 60_000 + 10_000)
    page.get_by_role("dialog").wait_for()


_DAY = f"?day={day(3)}"
_LIST: Step = lambda page: page.get_by_role("list", name="予約枠").wait_for()  # noqa: E731 (a step like the others)
_CALENDAR = (
    press("QRコード", "link"),
    press("カレンダーに追加", "link"),
    see("教えてしまったとき"),
)

STAFF_SCENES = (
    _outside("login", "", whole=False),
    _outside("login-missing", "", press("^ログイン$"), alert),
    _outside("login-locked", "", _log_in("700009"), alert, given=(_answers_log_in(423, _LOCKED),)),
    _outside("login-busy", "", _log_in("700009"), alert, given=(_answers_log_in(503, _BUSY),)),
    _outside(
        "login-no-network",
        "",
        _log_in("700009"),
        alert,
        given=(lambda page: page.route("**/auth/login", lambda route: route.abort()),),
    ),
    _outside("register", "register"),
    _outside("register-missing", "register", press("^登録する$"), pause(300)),
    _outside("pin-first", "", _log_in(NEWCOMER, "0000"), see("決めてください"), pause(300)),
    _outside("complete", "", _log_in(INCOMPLETE), see("入力をお願いします"), pause(300)),
    _outside("complete-missing", "", _log_in(INCOMPLETE), press("登録して予約へ進む"), pause(300)),
    inside("slots", _DAY, _LIST),
    inside("slots-none", f"?day={day(200)}", see("予約枠はありません")),
    inside("slots-empty", "", see("ほかの日にもありません"), given=(says("slots?*", _EMPTY),)),
    inside("slots-loading", _DAY, pause(800), given=(holds("slots?*"),)),
    inside("slots-failed", _DAY, alert, given=(breaks("slots?*"),)),
    inside("slots-no-network", _DAY, alert, given=(unreachable("slots?*"),)),
    inside("slot-open", _DAY, press("13:00〜13:30"), pause(300), whole=False),
    inside("slot-full", _DAY, press("9:30〜10:00"), pause(300), whole=False),
    inside("slot-early", _DAY, press("10:00〜10:30"), pause(300), whole=False),
    inside(
        "slot-lost",
        _DAY,
        press("13:00〜13:30"),
        press("^予約する$"),
        alert,
        given=(unreachable("reservations"),),
        whole=False,
    ),
    inside("reservations", "reservations", _waits_for("次の予約")),
    inside("reservations-empty", "reservations", see("予約はありません"), given=(says("reservations/me?*", _EMPTY),)),
    inside("reservations-failed", "reservations", alert, given=(breaks("reservations/me?*"),)),
    inside(
        "reservation",
        "reservations",
        press("QRコード", "link"),
        lambda page: page.get_by_text("QRコードを見せる").click(),
        pause(800),
    ),
    inside("cancel", "reservations", press("QRコード", "link"), press("予約を取り消す"), pause(300), whole=False),
    inside("move", "reservations", press("QRコード", "link"), press("日時を変更する", "link"), _LIST),
    inside("calendar", "reservations", *_CALENDAR),
    inside("calendar-renew", "reservations", *_CALENDAR, press("教えてしまったとき"), pause(300)),
    inside("profile", "profile", see("職員番号"), _waits_for("さん")),
    inside("profile-edit", "profile/edit", lambda page: page.get_by_label("姓", exact=True).fill("佐々木"), pause(300)),
    inside("pin", "profile/pin", see("いまの暗証番号")),
    inside("idle", "", _LIST, _idle, given=(lambda page: page.clock.install(),), whole=False),
    inside("not-found", "nowhere", see("ページが見つかりません")),
)
