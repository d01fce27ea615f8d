"""Payments in the office's console: prices, the list, refunds, and money that does not fit."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Demo, eventually
from tests.browser.staff_desk import StaffDesk, open_staff_desk
from tests.browser.test_screens import check_every_size
from tests.factories.booking import PIN
from tools.screenshots.scene import changes

Office = Callable[..., Page]
HOSPITAL = True
_numbers = itertools.count(880_001)


class Till:
    """People who book seats with a price and pay for them, or do not."""

    def __init__(self, demo: Demo, desk: StaffDesk, box: httpx2.Client) -> None:
        self.demo, self.desk, self.box = demo, desk, box

    def held(self, family_name: str) -> dict[str, Any]:
        """A reservation that waits for its payment."""
        staff_id = str(next(_numbers))
        self.desk.staff(staff_id, familyName=family_name, givenName="太郎")
        slot_id = self.desk.slot(self.desk.type(f"人間ドック{staff_id}", priceJpy=3500), 12)
        with httpx2.Client(base_url=self.demo.product, timeout=60, trust_env=False) as phone:
            token = phone.post("/auth/login", json={"staffId": staff_id, "pin": PIN}).json()["accessToken"]
            headers = {"authorization": f"Bearer {token}", "idempotency-key": f"booking-{staff_id}-000000"}
            answer = phone.post("/api/reservations", json={"slotId": slot_id}, headers=headers)
            assert answer.status_code == 201, answer.text
            made: dict[str, Any] = answer.json()
            return made

    def session(self, reservation: dict[str, Any]) -> str:
        [(found,)] = self.desk.sql("SELECT session_id FROM payments WHERE reservation_id = ?", reservation["id"])
        return str(found)

    def paid(self, family_name: str) -> dict[str, Any]:
        reservation = self.held(family_name)
        answer = self.box.post(f"/_sandbox/stripe/sessions/{self.session(reservation)}/pay", json={"method": "card"})
        assert answer.status_code == 200, answer.text
        return reservation

    def payment(self, reservation: dict[str, Any]) -> dict[str, Any]:
        found = self.desk.client.get("/api/admin/payments", params={"reservationId": reservation["id"]}).json()
        item: dict[str, Any] = found["items"][0]
        return item


@pytest.fixture
def till(demo: Demo) -> Iterator[Till]:
    with (
        open_staff_desk(demo.product, demo.data_dir) as desk,
        httpx2.Client(base_url=demo.phones, timeout=60, trust_env=False) as box,
    ):
        yield Till(demo, desk, box)


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="決済").locator("tbody tr", has_text=name)


def test_the_office_pays_back_with_a_reason(office: Office, till: Till) -> None:
    reservation = till.paid("返金")
    page = office(f"payments?q={reservation['staffId']}", "phone")
    expect(row(page, "返金太郎")).to_contain_text("3,500円")
    expect(row(page, "返金太郎")).to_contain_text("支払い済み")
    check_every_size(page)
    page.get_by_role("button", name="返金太郎さんに返金する").click()
    dialog = page.get_by_role("dialog", name="返金する")
    expect(dialog).to_contain_text("予約はそのまま残ります")
    dialog.get_by_role("button", name="3,500円を返金する").click()
    expect(dialog.get_by_text("理由を書いてください")).to_be_visible()
    check_every_size(page)
    dialog.get_by_role("button", name="会場の都合で中止").click()
    dialog.get_by_role("button", name="3,500円を返金する").click()
    expect(page.get_by_text("3,500円の返金を、Stripeに依頼しています")).to_be_visible()
    eventually(lambda: till.payment(reservation)["refund"]["status"] == "DONE")
    page.reload()
    expect(row(page, "返金太郎")).to_contain_text("返金済み")
    expect(row(page, "返金太郎")).to_contain_text("会場の都合で中止（jimukyoku）")
    page.get_by_role("button", name="返金太郎さんの予約のあゆみ").click()
    expect(page.get_by_role("dialog", name="予約のあゆみ")).to_contain_text("返金")
    check_every_size(page)


def test_who_still_has_to_pay_can_be_found_and_written_to_a_file(office: Office, till: Till) -> None:
    waiting, paid = till.held("未払"), till.paid("既払")
    page = office("payments")
    page.get_by_label("支払い", exact=True).select_option("支払い待ち")
    expect(row(page, "未払太郎").first).to_contain_text("期限")
    expect(row(page, "既払太郎")).to_have_count(0)
    page.get_by_role("button", name="書き出し").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="CSV（UTF-8）").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    assert waiting["staffId"] in text
    assert paid["staffId"] not in text
    page.get_by_label("探す").fill("だれでもない")
    expect(page.get_by_role("heading", name="条件に合う決済はありません")).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="条件を消す").last.click()
    expect(row(page, "既払太郎").first).to_be_visible()


def test_money_that_does_not_fit_is_closed_with_a_note(office: Office, till: Till) -> None:
    reservation = till.held("差額")
    session = next(
        one for one in till.box.get("/_sandbox/stripe").json()["sessions"] if one["id"] == till.session(reservation)
    )
    event = {
        "type": "checkout.session.completed",
        "object": {**session, "amount_total": 2000, "payment_status": "paid", "status": "complete"},
    }
    posted = till.box.post("/_sandbox/stripe/events", json=event)
    assert posted.status_code == 200, posted.text
    page = office("payments", "phone")
    card = page.get_by_role("listitem").filter(has_text=f"予約 {reservation['id']} に、内容の合わない2,000円の支払い")
    card.get_by_text("Stripeで探すための内容").click()
    expect(card).to_contain_text("checkout.session.completed")
    check_every_size(page)
    card.get_by_role("button", name="対応を記録する").click()
    dialog = page.get_by_role("dialog", name="対応を記録する")
    dialog.get_by_role("button", name="記録して一覧から外す").click()
    expect(dialog.get_by_text("何をしたかを書いてください")).to_be_visible()
    check_every_size(page)
    dialog.get_by_role("textbox", name="何をしたか").fill("Stripeの管理画面で返金した")
    dialog.get_by_role("button", name="記録して一覧から外す").click()
    expect(page.get_by_text("対応を記録しました。")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_type_gets_a_price_with_its_rules(office: Office, till: Till) -> None:
    name = f"有料健診{next(_numbers)}"
    page = office("booking/types", "phone")
    page.get_by_role("button", name="種類を作る").click()
    dialog = page.get_by_role("dialog", name="予約の種類を作る")
    dialog.get_by_label("名前").fill(name)
    dialog.get_by_label("会場").fill("本館2階 健診センター")
    dialog.get_by_role("switch", name="LINEで送れない方には、メールで送る").check()
    dialog.get_by_label("料金（円）").fill("100")
    dialog.get_by_role("switch", name="コンビニ払いもできる").check()
    dialog.get_by_label("支払いを待つ時間（分）").fill("20")
    dialog.get_by_role("button", name="作る").click()
    expect(dialog.get_by_text("30分から1,440分（24時間）にしてください")).to_be_visible()
    expect(dialog.get_by_text("コンビニ払いは、120円から300,000円までです")).to_be_visible()
    check_every_size(page)
    dialog.get_by_label("料金（円）").fill("３，５００")
    dialog.get_by_label("支払いを待つ時間（分）").fill("60")
    dialog.get_by_label("返金の締め切り（開始の何時間前）").fill("48")
    dialog.get_by_role("button", name="作る").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_contain_text("3,500円（開始の48時間前まで返金）")
    types = till.desk.client.get("/api/admin/reservation-types", params={"limit": 200}).json()["items"]
    made = next(one for one in types if one["name"] == name)
    wanted = {"priceJpy": 3500, "holdMinutes": 60, "konbini": True, "refundUntilHours": 48, "mailFallback": True}
    assert {field: made[field] for field in wanted} == wanted
    assert made["place"] == "本館2階 健診センター"


def test_without_stripe_nobody_sees_a_price(office: Office, demo: Demo) -> None:
    page = office("audit")

    def without_payments(route: Any) -> None:
        real = route.fetch()
        route.fulfill(response=real, body=real.text().replace("&quot;payments&quot;", "&quot;nothing&quot;"))

    page.route("**/admin/payments", without_payments)
    page.route("**/admin/booking/types", without_payments)
    page.goto(f"{demo.product}/admin/payments")
    expect(page.get_by_role("heading", level=1)).to_have_text("ページが見つかりません")
    page.goto(f"{demo.product}/admin/booking/types")
    page.get_by_role("button", name="種類を作る").click()
    expect(page.get_by_role("dialog").get_by_label("会場")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_label("料金（円）")).to_have_count(0)


def test_a_refund_that_failed_can_be_asked_for_again(office: Office, till: Till) -> None:
    reservation = till.paid("再返金")
    payment = till.payment(reservation)
    refund = {
        "status": "FAILED",
        "amountJpy": 3500,
        "reason": "会場の都合で中止",
        "requestedBy": "admin:jimukyoku",
        "refundId": None,
        "stripeStatus": None,
        "lastError": "HTTP 402 card_declined",
        "createdAt": payment["createdAt"],
        "updatedAt": payment["createdAt"],
    }
    page = office("audit")
    changes("admin/payments?*", items=[{**payment, "refund": refund, "refundable": True}])(page)
    page.goto(f"{till.demo.product}/admin/payments?q={reservation['staffId']}")
    expect(row(page, "再返金太郎")).to_contain_text("返金できず")
    page.get_by_role("button", name="再返金太郎さんに返金する").click()
    expect(page.get_by_role("dialog")).to_contain_text("前の返金は、Stripeで受け付けられませんでした")
    check_every_size(page)
