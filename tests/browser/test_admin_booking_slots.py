"""The office's screens about slots: types, many at once, copies, publishing, seats."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital, day
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True


@pytest.fixture
def hospital(demo: Demo) -> Iterator[Hospital]:
    with colleague(demo) as somebody:
        yield Hospital(somebody)


def slots_of(hospital: Hospital, first: str, last: str) -> list[tuple[str, int, str]]:
    found = hospital.office.get(f"slots?from={first}&to={last}&reservationTypeId={hospital.type_id}&limit=200")
    return [(one["serviceDateLocal"], one["startMinuteOfDay"], one["status"]) for one in found["items"]]


class TestManyAtOnce:
    @pytest.mark.row("3.4.17")
    def test_are_previewed_with_the_holidays_by_name_and_then_made(self, office: Office, hospital: Hospital) -> None:
        page = office(f"booking/slots/new?type={hospital.type_id}", "phone")
        page.get_by_label("いつから").fill("2038-11-01")
        page.get_by_label("いつまで").fill("2038-11-05")
        page.get_by_label("最後の終わり").fill("10:00")
        page.get_by_role("button", name="2つの時間にする").click()
        page.get_by_role("checkbox", name="金曜日").uncheck(force=True)
        page.get_by_label("定員（1枠あたり）").fill("7")
        check_every_size(page)
        page.get_by_role("button", name="作る前に確かめる").click()
        expect(page.get_by_text("6枠を作ります。まだ作っていません。")).to_be_visible()
        expect(page.get_by_role("list", name="予約枠の一覧")).to_contain_text("祝日（文化の日）のため作りません")
        assert slots_of(hospital, "2038-11-01", "2038-11-30") == []
        check_every_size(page)
        page.get_by_role("button", name="6枠を作る").click()
        expect(page.get_by_role("alert")).to_contain_text("6枠を作りました")
        made = slots_of(hospital, "2038-11-01", "2038-11-30")
        assert made == [(f"2038-11-0{date}", minute, "draft") for date in (1, 2, 4) for minute in (540, 570)]

    def test_say_what_is_missing_before_the_server_is_asked(self, office: Office) -> None:
        page = office("booking/slots/new")
        page.get_by_label("いつから").fill("2038-11-05")
        page.get_by_label("いつまで").fill("2038-11-01")
        page.get_by_role("button", name="作る前に確かめる").click()
        expect(page.get_by_label("いつまで")).to_have_accessible_description(re.compile("より前です"))
        expect(page.get_by_label("予約の種類")).to_have_accessible_description(re.compile("選んでください"))

    @pytest.mark.row("3.4.17")
    def test_a_week_is_copied(self, office: Office, hospital: Hospital) -> None:
        for date in ("2038-06-07", "2038-06-09"):
            hospital.slot(serviceDateLocal=date)
        page = office("booking/slots/copy")
        page.get_by_text("1週間").click()
        page.get_by_label("コピーする週").fill("2038-06-10")
        page.get_by_label("作る週").fill("2038-06-17")
        page.get_by_label("予約の種類").select_option(hospital.type_name)
        expect(page.get_by_text("2038/06/14（月）からの週に作ります")).to_be_visible()
        page.get_by_role("button", name="作る前に確かめる").click()
        page.get_by_role("button", name="2枠を作る").click()
        expect(page.get_by_role("alert")).to_contain_text("2枠を作りました")
        assert [date for date, _, _ in slots_of(hospital, "2038-06-14", "2038-06-20")] == ["2038-06-14", "2038-06-16"]


class TestTheCalendar:
    def test_shows_seats_and_holidays_and_leads_to_the_day(self, office: Office, hospital: Hospital) -> None:
        hospital.book(hospital.person("山田"), hospital.slot(serviceDateLocal="2039-02-09"))
        page = office(f"booking?month=2039-02&type={hospital.type_id}")
        expect(page.get_by_role("link", name=re.compile("建国記念の日"))).to_be_visible()
        check_every_size(page)
        page.get_by_role("link", name="2039/02/09（水） 1枠 定員10人中1人が予約").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("2039/02/09（水）の予約枠")
        page.get_by_role("link", name="← カレンダーへ").click()
        page.get_by_role("link", name="次の月").click()
        expect(page.get_by_role("heading", name="2039年3月")).to_be_visible()


class TestADay:
    def test_publishes_and_closes_many(self, office: Office, hospital: Hospital) -> None:
        for minute in (540, 570):
            hospital.slot(ahead=5, minute=minute, status="draft")
        page = office(f"booking/slots?date={day(5)}&type={hospital.type_id}", "phone")
        page.get_by_role("button", name="すべて選ぶ").click()
        check_every_size(page)
        page.get_by_role("button", name="公開する").click()
        page.get_by_role("dialog").get_by_role("button", name="2枠を公開する").click()
        expect(page.get_by_role("cell", name="公開中")).to_have_count(2)
        page.get_by_role("checkbox", name=re.compile("^9:00")).check()
        page.get_by_role("button", name="締め切る").click()
        page.get_by_role("dialog").get_by_role("button", name="1枠を締め切る").click()
        expect(page.get_by_role("cell", name="締切")).to_have_count(1)
        assert [status for _, _, status in slots_of(hospital, day(5), day(5))] == ["closed", "published"]

    def test_makes_one_with_seats_for_a_department(self, office: Office, hospital: Hospital) -> None:
        page = office(f"booking/slots?date={day(6)}&type={hospital.type_id}")
        expect(page.get_by_role("heading", name="この日の予約枠はありません")).to_be_visible()
        page.get_by_role("button", name="枠を1つ作る").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("開始時刻").fill("13:30")
        dialog.get_by_role("button", name="部署を加える").click()
        dialog.get_by_label("部署", exact=True).select_option(hospital.department_name)
        dialog.get_by_label("人数まで").fill("2")
        check_every_size(page)
        dialog.get_by_role("button", name="作る", exact=True).click()
        page.get_by_role("link", name=re.compile("^13:30–14:00")).click()
        expect(page.get_by_role("region", name="予約枠の内容")).to_contain_text(f"{hospital.department_name} 2人")

    @pytest.mark.row("3.4.12")
    def test_seats_cannot_become_fewer_than_the_people_in_it(
        self, office: Office, hospital: Hospital, complaints: Complaints
    ) -> None:
        slot_id = hospital.slot(ahead=7)
        for name in ("山田", "田中"):
            hospital.book(hospital.person(name), slot_id)
        page = office(f"booking/slots/{slot_id}")
        page.get_by_role("button", name="変更する").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("日時と種類は変えられません")
        dialog.get_by_label("定員（1枠あたり）").fill("1")
        dialog.get_by_role("button", name="保存する").click()
        expect(dialog.get_by_role("alert")).to_contain_text("保存できませんでした")
        dialog.get_by_label("定員（1枠あたり）").fill("2")
        dialog.get_by_role("button", name="保存する").click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("region", name="予約枠の内容")).to_contain_text("2／2人（満席）")
        complaints.expect("status of 409")
        check_every_size(page)


class TestTypes:
    def test_are_made_changed_and_deleted_while_unused(self, office: Office, hospital: Hospital) -> None:
        hospital.slot(ahead=8)
        page = office("booking/types", "phone")
        name = f"B型肝炎{hospital.number}"
        page.get_by_role("button", name="種類を作る").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("名前").fill(name)
        dialog.get_by_label("1人が年度に予約できる回数").fill("３")
        dialog.get_by_label("次の予約までにあける日数").fill("28")
        check_every_size(page)
        dialog.get_by_role("button", name="作る", exact=True).click()
        row = page.get_by_role("row").filter(has_text=name)
        expect(row).to_contain_text("年度に3回まで・次の予約まで28日以上")
        row.get_by_role("button", name=f"{name}を削除").click()
        dialog.get_by_role("button", name="削除する").click()
        expect(row).to_have_count(0)
        used = page.get_by_role("row").filter(has_text=hospital.type_name)
        expect(used.get_by_role("button", name=re.compile("を削除"))).to_have_count(0)
