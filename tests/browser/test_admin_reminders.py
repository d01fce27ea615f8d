"""Reminders to those who have not booked, the way of a reservation, and a person's mail address."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo, eventually
from tests.browser.hospital import day
from tests.browser.notice_desk import NoticeDesk, open_notice_desk
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True


@pytest.fixture
def desk(demo: Demo) -> Iterator[NoticeDesk]:
    with open_notice_desk(demo) as found:
        yield found


class TestRemindingThoseWhoHaveNotBooked:
    def test_shows_who_gets_it_and_what_became_of_it(self, office: Office, desk: NoticeDesk) -> None:
        hospital = desk.hospital
        missing, unlinked, booked = desk.linked("田中"), hospital.person("鈴木"), desk.linked("山田")
        hospital.book(booked, hospital.slot(9))
        page = office(f"booking/coverage?type={hospital.type_id}&department={hospital.department}", "phone")
        page.get_by_role("button", name="まだの人に知らせる").click()
        dialog = page.get_by_role("dialog", name="まだの人に知らせる")
        expect(dialog).to_contain_text(f"{hospital.department_name}の、まだ予約していない2人に")
        expect(dialog.get_by_text("LINEで1人に送ります")).to_be_visible()
        expect(dialog.get_by_role("link", name="まだの方の一覧を見る")).to_be_visible()
        dialog.get_by_text("送らない方が1人います").click()
        expect(dialog).to_contain_text(f"{unlinked.name}（LINEと連携していません）")
        dialog.get_by_role("textbox", name="メッセージ").fill("今週中にご予約ください。")
        expect(dialog.get_by_role("group", name="LINEに届くメッセージ")).to_contain_text("今週中にご予約ください。")
        check_every_size(page)
        dialog.get_by_role("button", name="まだの2人のうち1人に送る").click()
        expect(page.get_by_text("1人に送っています")).to_be_visible()
        eventually(lambda: any("今週中にご予約ください。" in text for text in desk.chat(missing)))
        history = page.get_by_role("region", name="これまでのお知らせ")
        expect(history).to_contain_text("送信 1／1人")
        history.get_by_text("メッセージと、届いていない方").click()
        expect(history).to_contain_text("全員に送りました")
        check_every_size(page)
        assert not any("今週中" in text for text in desk.chat(booked))
        page.get_by_role("button", name="まだの人に知らせる").click()
        expect(dialog).to_contain_text("いま送る相手がいません")
        dialog.get_by_text("送らない方が2人います").click()
        expect(dialog).to_contain_text(f"{missing.name}（今日すでに案内しています）")
        check_every_size(page)

    @pytest.mark.found("24.A6")
    def test_nothing_is_promised_that_the_quota_does_not_leave(self, office: Office, desk: NoticeDesk) -> None:
        desk.linked("田中")
        desk.box.put("/_sandbox/quota", json={"type": "limited", "value": 0}).raise_for_status()
        try:
            page = office(f"booking/coverage?type={desk.hospital.type_id}&department={desk.hospital.department}")
            page.get_by_role("button", name="まだの人に知らせる").click()
            dialog = page.get_by_role("dialog")
            expect(dialog.get_by_text("LINEの今月の送信上限に達しているため、いまは送れません")).to_be_visible()
            expect(dialog.get_by_role("button", name=re.compile("に送る$"))).to_have_count(0)
            check_every_size(page)
        finally:
            desk.box.put("/_sandbox/quota", json={"type": "none"}).raise_for_status()

    def test_a_year_that_is_over_has_no_button(self, office: Office, desk: NoticeDesk) -> None:
        desk.linked("田中")
        page = office(f"booking/coverage?type={desk.hospital.type_id}&year=2024")
        expect(page.get_by_role("heading", name="部署ごと")).to_be_visible()
        expect(page.get_by_role("button", name="まだの人に知らせる")).to_have_count(0)


class TestTheWayOfAReservation:
    def test_opens_from_the_reception(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.booked("山田", ahead=6)
        page = office(f"booking/day?date={day(6)}&type={desk.hospital.type_id}", "phone")
        page.get_by_role("button", name="山田太郎さんの予約の変更").click()
        page.get_by_role("menuitem", name="予約のあゆみを見る").click()
        drawer = page.get_by_role("dialog", name="予約のあゆみ")
        expect(drawer).to_contain_text("予約しました")
        expect(drawer).to_contain_text("予約確定の通知をLINEが受け付けました")
        check_every_size(page)
        drawer.get_by_role("link", name="この予約の通知を見る").click()
        expect(page.get_by_label("探す")).to_have_value(str(reservation))

    def test_opens_from_the_page_of_the_person(self, office: Office, desk: NoticeDesk) -> None:
        person = desk.linked("山田")
        reservation = desk.hospital.book(person, desk.hospital.slot(6))
        desk.hospital.office.send("POST", f"reservations/{reservation}/cancel", {"reason": "本人からの申し出"})
        page = office(f"staffs/{person.staff_uid}")
        page.get_by_role("button", name=re.compile("の予約のあゆみ$")).click()
        drawer = page.get_by_role("dialog", name="予約のあゆみ")
        expect(drawer).to_contain_text("予約を取り消しました")
        expect(drawer).to_contain_text("本人からの申し出")
        check_every_size(page)


def test_the_office_notes_a_mail_address(office: Office, desk: NoticeDesk) -> None:
    person = desk.hospital.person("山田")
    page = office(f"staffs/{person.staff_uid}", "phone")
    page.get_by_role("region", name="プロフィール").get_by_role("button", name="変更する").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("メールアドレス").fill("taro")
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog.get_by_text("メールアドレスの形になっていません")).to_be_visible()
    check_every_size(page)
    dialog.get_by_label("メールアドレス").fill("taro@example.jp")
    dialog.get_by_role("textbox", name="変更する理由").fill("本人からの申し出")
    dialog.get_by_role("button", name="保存する").click()
    expect(page.get_by_role("region", name="プロフィール")).to_contain_text("taro@example.jp")
    assert desk.hospital.staff(person)["email"] == "taro@example.jp"
