"""Many slots at once in the office: one change for the slots of many days, and plans that are not lost."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True
pytestmark = pytest.mark.found("24.C6")


@pytest.fixture
def hospital(demo: Demo) -> Iterator[Hospital]:
    with colleague(demo) as somebody:
        yield Hospital(somebody)


def bulk(hospital: Hospital, first: str, last: str, **more: object) -> list[int]:
    times = [{"startMinuteOfDay": minute, "durationMinutes": 30} for minute in (540, 570, 600)]
    body = {"reservationTypeId": hospital.type_id, "from": first, "to": last, "weekdays": [1, 2, 3, 4, 5], **more}
    made = hospital.office.send("POST", "slots/bulk", {"times": times, "capacity": 5, **body})
    return [slot["id"] for slot in made["slots"]]


def statuses(hospital: Hospital, first: str, last: str) -> dict[int, str]:
    path = f"slots?from={first}&to={last}&reservationTypeId={hospital.type_id}&limit=200"
    return {slot["id"]: slot["status"] for slot in hospital.office.get(path)["items"]}


class TestOneChangeForManyDays:
    @pytest.mark.row("6.3.8")
    def test_fifteen_days_of_drafts_are_published_in_five_clicks_at_most(
        self, office: Office, hospital: Hospital
    ) -> None:
        ids = bulk(hospital, "2041-04-01", "2041-04-19")
        assert len(ids) == 45
        page = office(f"booking?month=2041-04&type={hospital.type_id}")
        page.evaluate("window.pressed = 0; addEventListener('pointerdown', () => { window.pressed += 1 }, true)")
        page.get_by_role("link", name="枠をまとめて変える").click()
        page.get_by_role("button", name="すべて選ぶ").click()
        expect(page.get_by_role("region", name="選んだ予約枠")).to_contain_text("45枠（15日）を選んでいます")
        check_every_size(page)
        page.get_by_role("button", name="公開する").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("45枠を公開します")
        expect(dialog.get_by_role("list", name="変わる予約枠").get_by_role("listitem")).to_have_count(15)
        check_every_size(page)
        assert set(statuses(hospital, "2041-04-01", "2041-04-19").values()) == {"draft"}
        dialog.get_by_role("button", name="45枠を公開する").click()
        expect(page.get_by_role("alert")).to_contain_text("45枠を公開しました")
        assert statuses(hospital, "2041-04-01", "2041-04-19") == dict.fromkeys(ids, "published")
        expect(page.get_by_role("cell", name="公開中3")).to_have_count(15)
        assert page.evaluate("window.pressed") <= 5

    @pytest.mark.row("6.3.8")
    def test_the_filter_narrows_what_is_shown_and_changed_and_stays_on_a_reload(
        self, office: Office, hospital: Hospital
    ) -> None:
        ids = bulk(hospital, "2041-05-13", "2041-05-24")
        page = office("booking/slots/change?from=2041-05-01", "phone")
        page.get_by_label("予約の種類").select_option(hospital.type_name)
        page.get_by_label("いつまで").fill("2041-05-18")
        for name in ("月曜日", "水曜日", "金曜日", "土曜日", "日曜日"):
            page.get_by_role("checkbox", name=name).uncheck(force=True)
        page.get_by_label("開始時刻（まで）").fill("09:30")
        page.reload()
        expect(page.get_by_text("2日・4枠")).to_be_visible()
        page.get_by_role("checkbox", name="2041/05/16（木）を選ぶ").check()
        page.get_by_role("button", name="締め切る").click()
        page.get_by_role("dialog").get_by_role("button", name="2枠を締め切る").click()
        expect(page.get_by_role("alert")).to_contain_text("2枠を締め切りました")
        closed = [one for one, status in statuses(hospital, "2041-05-01", "2041-05-31").items() if status == "closed"]
        assert closed == ids[9:11]
        page.get_by_label("状態").select_option("公開中")
        expect(page.get_by_role("heading", name="この条件の予約枠はありません")).to_be_visible()
        check_every_size(page)
        page.get_by_role("button", name="ほかの条件を外す").click()
        expect(page.get_by_text("5日・15枠")).to_be_visible()

    @pytest.mark.row("6.3.8")
    def test_slots_that_cannot_be_deleted_are_named_with_the_way_on(self, office: Office, hospital: Hospital) -> None:
        ids = bulk(hospital, "2041-06-03", "2041-06-05")
        hospital.book(hospital.person("山田"), hospital.slot(serviceDateLocal="2041-06-05", minute=780))
        page = office(f"booking/slots/change?from=2041-06-03&to=2041-06-07&type={hospital.type_id}")
        page.get_by_role("button", name="すべて選ぶ").click()
        page.get_by_role("button", name="削除する").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("9枠を削除します。元に戻せません。")
        expect(dialog).to_contain_text("1枠は削除できません。ほかの枠だけが対象です")
        expect(dialog).to_contain_text("代わりに「締め切る」を選ぶと")
        expect(dialog.get_by_role("list", name="変えられない予約枠").get_by_role("link")).to_have_text(
            "6/5（水） 13:00"
        )
        check_every_size(page)
        dialog.get_by_role("button", name="9枠を削除する").click()
        expect(page.get_by_role("alert")).to_contain_text("ほかの1枠は削除できませんでした")
        left = statuses(hospital, "2041-06-03", "2041-06-07")
        assert (len(left), set(left) & set(ids)) == (1, set())
        page.get_by_role("button", name="すべて選ぶ").click()
        page.get_by_role("button", name="削除する").click()
        expect(dialog).to_contain_text("選んだ1枠に、変わるものはありません")
        expect(dialog.get_by_role("button", name="閉じる")).to_have_count(2)

    def test_seats_and_window_of_many_are_changed_together(self, office: Office, hospital: Hospital) -> None:
        bulk(hospital, "2041-07-01", "2041-07-02", notes="2階")
        page = office(f"booking/slots/change?from=2041-07-01&to=2041-07-05&type={hospital.type_id}", "phone")
        page.get_by_role("button", name="すべて選ぶ").click()
        page.get_by_role("button", name="内容を変える").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="変える前に確かめる").click()
        expect(dialog.get_by_role("alert")).to_contain_text("1つ以上選んでください")
        dialog.get_by_label("定員を変える").check()
        dialog.get_by_label("定員（1枠あたり）").fill("１２")
        dialog.get_by_label("受付の締め切りを変える").check()
        dialog.get_by_label("受付の締め切り", exact=True).fill("2041-06-20T17:00")
        check_every_size(page)
        dialog.get_by_role("button", name="変える前に確かめる").click()
        expect(dialog).to_contain_text("6枠の内容を変えます")
        expect(dialog).to_contain_text("12人")
        expect(dialog).to_contain_text("2041/06/20 17:00")
        dialog.get_by_role("button", name="入力に戻る").click()
        expect(dialog.get_by_label("定員（1枠あたり）")).to_have_value("１２")
        dialog.get_by_role("button", name="変える前に確かめる").click()
        dialog.get_by_role("button", name="6枠を変更する").click()
        expect(page.get_by_role("alert")).to_contain_text("6枠を変更しました")
        path = f"slots?from=2041-07-01&to=2041-07-05&reservationTypeId={hospital.type_id}"
        changed = {(slot["capacity"], slot["bookingEnd"], slot["notes"]) for slot in hospital.office.get(path)["items"]}
        assert changed == {(12, "2041-06-20T17:00:00+09:00", "2階")}

    def test_the_slots_of_one_day_are_deleted_together_too(self, office: Office, hospital: Hospital) -> None:
        bulk(hospital, "2041-08-05", "2041-08-05")
        page = office(f"booking/slots?date=2041-08-05&type={hospital.type_id}", "phone")
        page.get_by_role("button", name="すべて選ぶ").click()
        page.get_by_role("button", name="削除する").click()
        page.get_by_role("dialog").get_by_role("button", name="3枠を削除する").click()
        expect(page.get_by_role("alert")).to_contain_text("3枠を削除しました")
        expect(page.get_by_role("heading", name="この日の予約枠はありません")).to_be_visible()
        page.get_by_role("button", name="次の日").click()
        expect(page.get_by_role("alert")).to_have_count(0)

    def test_a_slot_that_is_gone_since_the_preview_changes_nothing_and_says_so(
        self, office: Office, hospital: Hospital, complaints: Complaints
    ) -> None:
        ids = bulk(hospital, "2041-08-01", "2041-08-01")
        page = office(f"booking/slots/change?from=2041-08-01&to=2041-08-02&type={hospital.type_id}")
        page.get_by_role("button", name="すべて選ぶ").click()
        page.get_by_role("button", name="公開する").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("3枠を公開します")
        hospital.office.send("DELETE", f"slots/{ids[0]}")
        dialog.get_by_role("button", name="3枠を公開する").click()
        expect(dialog.get_by_role("alert")).to_contain_text("確認した3枠が、いまは2枠になっています")
        complaints.expect("status of 409")
        assert set(statuses(hospital, "2041-08-01", "2041-08-01").values()) == {"draft"}
        # The list behind has been read again meanwhile, and only what is left is selected.
        dialog.get_by_role("button", name="もう一度確かめる").click()
        dialog.get_by_role("button", name="2枠を公開する").click()
        expect(page.get_by_role("alert")).to_contain_text("2枠を公開しました")


class TestDraftsOfAPlan:
    @pytest.mark.row("6.3.9")
    def test_the_success_page_says_what_is_still_a_draft_and_publishes_exactly_these(
        self, office: Office, hospital: Hospital
    ) -> None:
        other = hospital.slot(serviceDateLocal="2041-09-03", minute=900, status="draft")
        page = office(f"booking/slots/new?type={hospital.type_id}", "phone")
        page.get_by_label("いつから").fill("2041-09-02")
        page.get_by_label("いつまで").fill("2041-09-04")
        page.get_by_role("button", name="作る前に確かめる").click()
        page.get_by_role("button", name="3枠を作る").click()
        expect(page.get_by_role("alert")).to_contain_text("3枠を作りました")
        expect(page.get_by_text("3枠は下書きです。職員にはまだ見えません")).to_be_visible()
        check_every_size(page)
        page.get_by_role("button", name="3枠を公開する").click()
        page.get_by_role("dialog").get_by_role("button", name="3枠を公開する").click()
        expect(page.get_by_text("3枠を公開しました")).to_be_visible()
        expect(page.get_by_text("下書きです")).to_have_count(0)
        found = statuses(hospital, "2041-09-02", "2041-09-04")
        assert found.pop(other) == "draft"
        assert list(found.values()) == ["published"] * 3

    @pytest.mark.row("6.3.9")
    def test_so_does_a_copy_and_published_slots_need_nothing(self, office: Office, hospital: Hospital) -> None:
        hospital.slot(serviceDateLocal="2041-10-01")
        page = office("booking/slots/copy?date=2041-10-08")
        page.get_by_label("予約の種類").select_option(hospital.type_name)
        page.get_by_role("button", name="作る前に確かめる").click()
        page.get_by_role("button", name="1枠を作る").click()
        expect(page.get_by_role("button", name="1枠を公開する")).to_be_visible()
        page = office(f"booking/slots/new?type={hospital.type_id}&date=2041-10-09")
        page.get_by_label("状態").select_option("公開中")
        page.get_by_role("button", name="作る前に確かめる").click()
        page.get_by_role("button", name="1枠を作る").click()
        expect(page.get_by_role("alert")).to_contain_text("1枠を作りました")
        expect(page.get_by_text("下書きです")).to_have_count(0)


class TestAPlan:
    @pytest.mark.row("6.3.10")
    def test_is_kept_on_back_and_reload_until_it_is_saved(self, office: Office, hospital: Hospital) -> None:
        page = office(f"booking?month=2041-11&type={hospital.type_id}")
        page.get_by_role("link", name="枠をまとめて作る").click()
        page.get_by_label("いつから").fill("2041-11-05")
        page.get_by_label("いつまで").fill("2041-11-08")
        page.get_by_label("最後の終わり").fill("10:30")
        page.get_by_role("button", name="3つの時間にする").click()
        page.get_by_role("checkbox", name="水曜日").uncheck(force=True)
        page.get_by_label("定員（1枠あたり）").fill("7")
        page.get_by_role("button", name="作る前に確かめる").click()
        sentence = page.get_by_text("9枠を作ります。まだ作っていません。")
        expect(sentence).to_be_visible()

        page.go_back()
        for _visit in ("from the preview", "after a reload"):
            expect(page.get_by_label("いつから")).to_have_value("2041-11-05")
            expect(page.get_by_label("3つめの開始")).to_have_value("10:00")
            expect(page.get_by_role("checkbox", name="水曜日")).not_to_be_checked()
            expect(page.get_by_label("定員（1枠あたり）")).to_have_value("7")
            expect(page.get_by_label("予約の種類")).to_have_value(str(hospital.type_id))
            page.reload()
        # Forward leads to the preview again, and so does a reload there.
        page.go_forward()
        expect(sentence).to_be_visible()
        page.reload()
        expect(sentence).to_be_visible()
        # Also somebody who left altogether finds it again.
        page.get_by_role("link", name="← カレンダーへ").click()
        page.get_by_role("link", name="枠をまとめて作る").click()
        expect(page.get_by_text("前回の入力の続きです")).to_be_visible()
        expect(page.get_by_label("定員（1枠あたり）")).to_have_value("7")
        check_every_size(page)
        page.get_by_role("button", name="作る前に確かめる").click()
        page.get_by_role("button", name="9枠を作る").click()
        expect(page.get_by_role("alert")).to_contain_text("9枠を作りました")
        # Saved: a reload asks for no second preview, and a new visit begins with an empty form.
        page.reload()
        expect(page.get_by_label("定員（1枠あたり）")).to_have_value("10")
        expect(page.get_by_text("前回の入力の続きです")).to_have_count(0)
        assert len(statuses(hospital, "2041-11-05", "2041-11-08")) == 9

    @pytest.mark.row("6.3.10")
    def test_is_gone_when_it_is_thrown_away(self, office: Office) -> None:
        page = office("booking/slots/copy")
        page.get_by_text("1週間").click()
        page.get_by_label("作る週").fill("2041-12-04")
        page.reload()
        expect(page.get_by_label("作る週")).to_have_value("2041-12-04")
        page.get_by_role("button", name="入力を破棄").click()
        page.get_by_role("dialog").get_by_role("button", name="破棄する").click()
        for _visit in ("now", "after a reload"):
            expect(page.get_by_label("作る日")).not_to_have_value("2041-12-04")
            expect(page.get_by_text("前回の入力の続きです")).to_have_count(0)
            page.reload()

    def test_a_preview_without_a_plan_begins_with_the_form(self, office: Office) -> None:
        page = office("booking/slots/new?step=confirm")
        expect(page.get_by_role("button", name="作る前に確かめる")).to_be_visible()
        assert "step" not in page.url
