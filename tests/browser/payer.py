"""Somebody of the staff who books a seat with a price, in a browser, and what Stripe and the database say about it."""

import re
from dataclasses import dataclass
from typing import Any

import httpx2
from playwright.sync_api import Locator, Page, expect

from tests.browser.staff_desk import StaffDesk, day
from tests.factories.booking import PIN

PRICE = 3000
CHECKOUT = re.compile(r"/c/pay/")


@dataclass(frozen=True)
class Cashier:
    """A type with a price, its slots, and the sandbox's Stripe."""

    desk: StaffDesk
    stripe: httpx2.Client
    type_id: int

    def slot(self, days: int, **fields: Any) -> int:
        return self.desk.slot(self.type_id, days, **fields)

    def breaks(self, kind: str, endpoint: str, **more: Any) -> None:
        rule = {"kind": kind, "endpoint": endpoint, **more}
        answer = self.stripe.put("/_sandbox/faults", json={"rules": [rule]})
        assert answer.is_success, answer.text

    def mended(self) -> None:
        self.stripe.delete("/_sandbox/faults")

    def sessions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.stripe.get("/_sandbox/stripe").json()["sessions"]
        return found

    def pay(self, reservation_id: int, method: str = "card") -> None:
        """The person pays at Stripe, and no browser sees it."""
        [session] = [one for one in self.sessions() if one["client_reference_id"] == str(reservation_id)]
        answer = self.stripe.post(f"/_sandbox/stripe/sessions/{session['id']}/pay", json={"method": method})
        assert answer.is_success, answer.text

    def reservation(self, staff_id: str) -> Any:
        """The newest one: its id, whether it is certain, and when it was cancelled."""
        columns = "id, confirmed_at IS NOT NULL, canceled_at"
        found = self.desk.sql(f"SELECT {columns} FROM reservations WHERE staff_id = ? ORDER BY id DESC", staff_id)
        return found[0]

    def payments(self, reservation_id: int) -> list[str]:
        rows = self.desk.sql("SELECT status FROM payments WHERE reservation_id = ? ORDER BY id", reservation_id)
        return [row[0] for row in rows]

    def refunds(self, reservation_id: int) -> list[str | None]:
        """Stripe's word about each."""
        tasks = "payment_tasks k JOIN payments p ON p.id = k.payment_id WHERE k.kind = 'REFUND'"
        found = self.desk.sql(f"SELECT k.refund_status FROM {tasks} AND p.reservation_id = ?", reservation_id)
        return [row[0] for row in found]

    def ran_out(self, reservation_id: int) -> None:
        """The hold of the seat is over since a moment."""
        long_ago = "2020-01-01T00:00:00.000000+00:00"
        self.desk.sql("UPDATE reservations SET hold_expires_at = ? WHERE id = ?", long_ago, reservation_id)


def log_in(page: Page, staff_id: str) -> None:
    page.get_by_label("職員番号").fill(staff_id)
    page.get_by_label("暗証番号（PIN）4桁").fill(PIN)
    page.keyboard.press("Enter")


def slot_button(page: Page, times: str = "9:00〜9:30") -> Locator:
    return page.get_by_role("list", name="予約枠").get_by_role("button", name=times)


def choose(page: Page) -> Locator:
    """Opens the sheet of the slot at nine."""
    slot_button(page).click()
    sheet = page.get_by_role("dialog", name="この枠を予約しますか？")
    expect(sheet).to_be_visible()
    return sheet


def held(page: Page) -> None:
    """Books the slot at nine and comes back from the payment page without paying."""
    choose(page).get_by_role("button", name="支払いへ進む").click()
    page.wait_for_url(CHECKOUT)
    page.get_by_role("link", name="支払わずに戻る").click()
    expect(page.get_by_role("heading", name="お支払いで予約が確定します")).to_be_visible()


def of_day(days: int) -> str:
    return f"?day={day(days)}"
