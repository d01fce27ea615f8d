"""The notices of each reservation: what was sent, why not, sending again, and the pause."""

import re
import shlex
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Demo
from tests.browser.notice_desk import NoticeDesk, open_notice_desk
from tests.browser.test_screens import check_every_size
from tools.screenshots.notice_answers import DRY_RUN, STALLED, SUMMARY
from tools.screenshots.scene import says

Office = Callable[..., Page]
HOSPITAL = True


@pytest.fixture
def desk(demo: Demo) -> Iterator[NoticeDesk]:
    with open_notice_desk(demo) as found:
        yield found


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="予約ごとの通知").locator("tbody tr", has_text=name)


def cell(page: Page, name: str, kind: str) -> Locator:
    return row(page, name).locator(f"td[data-label='{kind}']")


def find(office: Office, words: object, size: str = "desktop") -> Page:
    """With the counters, which push the table down when they come: a click in that moment misses its button."""
    page = office(f"notifications?q={words}", size)
    page.get_by_role("button", name=re.compile("^送信待ち")).wait_for()
    return page


def give_reason(page: Page, words: str, button: str) -> None:
    dialog = page.get_by_role("dialog").last
    dialog.get_by_role("textbox", name="理由").fill(words)
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_be_hidden()


class TestTheList:
    def test_says_what_was_sent_and_why_not(self, office: Office, desk: NoticeDesk) -> None:
        heard = desk.booked("山田")
        unlinked = desk.hospital.book(desk.hospital.person("鈴木"), desk.hospital.slot(9))
        page = find(office, heard, "phone")
        expect(cell(page, "山田太郎", "予約確定")).to_contain_text("送信済み")
        expect(cell(page, "山田太郎", "リマインド")).to_contain_text(
            re.compile(r"送信待ち.*\d{4}/\d\d/\d\d 09:00 予定")
        )
        expect(cell(page, "山田太郎", "キャンセル完了")).to_contain_text("送信なし")
        page.get_by_label("探す").fill(str(unlinked))
        expect(cell(page, "鈴木太郎", "予約確定")).to_contain_text("LINEの連携なし")
        expect(row(page, "山田太郎")).to_have_count(0)
        check_every_size(page)

    def test_a_row_opens_with_what_to_do_and_the_whole_way(self, office: Office, desk: NoticeDesk) -> None:
        page = find(office, desk.failed("山田"), "phone")
        page.get_by_role("button", name="山田太郎さんの通知を詳しく見る").click()
        panel = page.get_by_role("dialog", name="山田太郎さんの通知")
        confirmation = panel.get_by_role("region", name="予約確定")
        expect(confirmation).to_contain_text("LINEの今月の送信上限に達したため、送れませんでした")
        expect(confirmation).to_contain_text("失敗した回数1回")
        expect(confirmation.get_by_text("You have reached your monthly limit")).to_be_hidden()
        confirmation.get_by_text("システムの担当者向けの内容").click()
        expect(confirmation.get_by_text("You have reached your monthly limit")).to_be_visible()
        way = panel.get_by_role("region", name="予約のあゆみ")
        expect(way).to_contain_text("予約しました")
        expect(way).to_contain_text("予約確定の通知を送れませんでした")
        check_every_size(page)
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()

    def test_the_counters_filter_and_the_way_back_leads_to_everything(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.failed("山田")
        page = find(office, reservation)
        states = page.get_by_role("group", name="状態")
        states.get_by_role("button", name="送信済み").click()
        expect(page.get_by_role("heading", name="条件に合う予約はありません")).to_be_visible()
        check_every_size(page)
        states.get_by_role("button", name="失敗").click()
        expect(row(page, "山田太郎")).to_have_count(1)
        page.get_by_label("通知", exact=True).select_option("リマインド")
        expect(page.get_by_role("heading", name="条件に合う予約はありません")).to_be_visible()
        page.get_by_label("通知", exact=True).select_option("予約確定")
        expect(row(page, "山田太郎")).to_have_count(1)
        page.get_by_label("予約の日（から）").fill("2031-01-01")
        expect(row(page, "山田太郎")).to_have_count(0)
        page.get_by_role("button", name="条件を消す").first.click()
        expect(page.get_by_label("探す")).to_have_value("")
        assert "?" not in page.url

    def test_a_notice_that_is_missing_is_an_alarm(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.booked("山田")
        job_id = desk.cell(reservation)["job_id"]
        desk.sql("DELETE FROM notification_attempts WHERE job_id = ?", job_id)
        desk.sql("DELETE FROM notification_jobs WHERE job_id = ?", job_id)
        page = find(office, reservation)
        expect(cell(page, "山田太郎", "予約確定")).to_contain_text("異常")
        page.get_by_role("button", name="異常のある予約を見る").click()
        expect(row(page, "山田太郎").first).to_be_visible()
        assert "status=NONE" in page.url


class TestSendingAgain:
    def test_one_notice_with_a_reason(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.failed("山田")
        page = find(office, reservation, "phone")
        expect(cell(page, "山田太郎", "予約確定")).to_contain_text("今月の送信上限")
        page.get_by_role("button", name="山田太郎さんの「予約確定」を再送").click()
        dialog = page.get_by_role("dialog", name="通知を再送する")
        expect(dialog).to_contain_text("次の送信（ふつうは1分以内）で送られ")
        dialog.get_by_role("button", name="再送する").click()
        expect(dialog.get_by_text("理由を書いてください")).to_be_visible()
        check_every_size(page)
        give_reason(page, "上限が戻ったため", "再送する")
        expect(page.get_by_text("「予約確定」を送信待ちにしました")).to_be_visible()
        desk.send()
        page.reload()
        expect(cell(page, "山田太郎", "予約確定")).to_contain_text("送信済み")
        [entry] = desk.hospital.office.get("audit-logs?action=notification.resend&limit=1")["items"]
        assert entry["reason"] == "上限が戻ったため"

    def test_many_at_once(self, office: Office, desk: NoticeDesk) -> None:
        desk.failed("山田")
        desk.failed("田中")
        page = office("notifications?status=FAILED")
        page.get_by_role("checkbox", name="山田太郎さんの通知を選ぶ").first.check()
        page.get_by_role("button", name=re.compile("^選んだ1件を再送")).click()
        page.get_by_role("dialog").get_by_role("button", name="やめる").click()
        page.get_by_role("button", name=re.compile("^再送できる通知をすべて選ぶ")).click()
        page.get_by_role("button", name=re.compile(r"^選んだ[2-9]\d*件を再送")).click()
        expect(page.get_by_role("dialog", name="まとめて再送する")).to_contain_text("次の送信")
        check_every_size(page)
        give_reason(page, "上限が戻ったため", "件を再送する")
        expect(page.get_by_text(re.compile(r"[2-9]\d*件を送信待ちにしました"))).to_be_visible()
        desk.send()

    def test_all_that_the_monthly_limit_kept_back(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.failed("山田")
        page = office("notifications", "phone")
        expect(page.get_by_text("今月の上限に達して、")).to_be_visible()
        page.get_by_role("button", name=re.compile("^まとめて再送（")).first.click()
        expect(page.get_by_role("dialog")).to_contain_text("「今月の送信上限」で送れなかった通知")
        check_every_size(page)
        give_reason(page, "上限が戻ったため", "件を再送する")
        expect(page.get_by_text(re.compile("件を送信待ちにしました"))).to_be_visible()
        desk.send()
        assert desk.cell(reservation)["status"] == "SENT"

    def test_what_may_arrive_twice_has_to_be_accepted(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.booked("山田")
        desk.sql(
            "UPDATE notification_jobs SET status = 'FAILED', outcome_unknown = 1, maybe_sent = 1, attempt_count = 1,"
            " last_error = 'UNKNOWN: no answer', first_attempt_at = '2025-01-01T00:00:00.000000+00:00'"
            " WHERE reservation_id = ? AND kind = 'CONFIRMATION'",
            reservation,
        )
        page = find(office, reservation, "phone")
        expect(cell(page, "山田太郎", "予約確定")).to_contain_text("不明")
        expect(page.get_by_role("checkbox", name="山田太郎さんの通知を選ぶ")).to_have_count(0)
        page.get_by_role("button", name="山田太郎さんの「予約確定」を再送").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="再送する")).to_be_disabled()
        check_every_size(page)
        dialog.get_by_role("checkbox", name="二重に届いてもよいので、再送する").check()
        give_reason(page, "本人に届いていないことを確認", "再送する")
        expect(cell(page, "山田太郎", "予約確定")).to_contain_text("送信待ち")

    def test_a_failed_notice_of_a_cancellation_is_final(self, office: Office, desk: NoticeDesk) -> None:
        reservation = desk.booked("山田")
        desk.breaks("quota_exhausted", times=1)
        desk.hospital.office.send("POST", f"reservations/{reservation}/cancel", {"reason": "本人からの申し出"})
        page = find(office, reservation)
        expect(cell(page, "山田太郎", "キャンセル完了")).to_contain_text("失敗")
        expect(row(page, "山田太郎")).to_contain_text("取り消し")
        expect(row(page, "山田太郎").get_by_role("button", name=re.compile("再送"))).to_have_count(0)


class TestThePause:
    def test_holds_everything_back_until_somebody_resumes(self, office: Office, desk: NoticeDesk) -> None:
        page = office("notifications", "phone")
        page.get_by_role("button", name="通知を停止する").click()
        give_reason(page, "文面を確かめるため", "通知を停止する")
        expect(page.get_by_text("通知を停止中です")).to_be_visible()
        expect(page.get_by_text("（理由：文面を確かめるため）")).to_be_visible()
        reservation = desk.booked("山田")
        desk.send()
        assert desk.cell(reservation)["status"] == "PENDING"
        check_every_size(page)
        page.get_by_role("button", name="通知を再開する").click()
        give_reason(page, "文面を確かめ終えたため", "通知を再開する")
        expect(page.get_by_text("通知を停止中です")).to_be_hidden()
        desk.send()
        assert desk.cell(reservation)["status"] == "SENT"


class TestTheRedLight:
    def test_says_what_to_type_and_that_works(self, office: Office, demo: Demo) -> None:
        page = office("audit")
        says("admin/notifications/summary", STALLED)(page)
        page.get_by_role("link", name="通知").click()
        banner = page.get_by_text("送信処理が10分以上動いていません").locator("xpath=ancestor::*[@data-tone='danger']")
        command = shlex.split(banner.get_by_role("code").inner_text())
        assert command[-2:] == ["notifications", "send"]
        demo.command(*command[-2:])
        check_every_size(page)
        page.get_by_role("link", name="ホーム").click()
        expect(page.get_by_text("予約の通知：送信処理が10分以上動いていません")).to_be_visible()
        check_every_size(page)
        page.get_by_role("link", name="通知を見る").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("通知")

    def test_a_dry_run_is_named(self, office: Office) -> None:
        page = office("audit")
        says("admin/notifications/summary", DRY_RUN)(page)
        page.get_by_role("link", name="通知").click()
        expect(page.get_by_text("試し運転（ドライラン）中です")).to_be_visible()
        expect(page.get_by_text("わかりません")).to_be_visible()

    def test_nothing_is_said_while_everything_goes_out(self, office: Office) -> None:
        page = office("audit")
        says("admin/notifications/summary", SUMMARY)(page)
        page.get_by_role("link", name="通知").click()
        expect(page.get_by_text("4,260通")).to_be_visible()
        expect(page.locator("[data-tone='danger'], [data-tone='warning']").filter(has_text="通知")).to_have_count(0)
