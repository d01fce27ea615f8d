"""The texts of notices: built-in, filled in, checked, and as LINE gets them."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.notifications.clinic import Clinic
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.types.models import ReservationType
from tsudoi.notifications.notices.rules.facts import NoticeFacts, NoticeLinks
from tsudoi.notifications.notices.rules.texts import is_night, notice_messages, template_key
from tsudoi.notifications.templates.rules import (
    BUILT_IN,
    SAMPLES,
    WITH_BUTTONS,
    BrokenTemplate,
    TemplateKey,
    filled,
    flaws,
    preview,
    units,
)

LINKS = NoticeLinks("https://liff.line.me/1/a", "https://liff.line.me/1/b", None, "https://liff.line.me/1/d")
FACTS = NoticeFacts(12, 0, "confirmed", datetime(2026, 12, 9, 23, 0, tzinfo=UTC), "U1", SAMPLES, LINKS)


@pytest.mark.parametrize("key", BUILT_IN)
def test_the_built_in_texts_can_be_saved(key: TemplateKey) -> None:
    assert flaws(BUILT_IN[key]) == []


@pytest.mark.row("2.2.3", "2.4.8")
@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("CONFIRMATION", "予約確定"),
        ("MOVED", "予約内容が変更されました"),
        ("REMINDER", "リマインド"),
        ("CANCEL_COMPLETED", "キャンセル完了"),
        ("REFUNDED", "返金"),
    ],
)
def test_each_says_what_it_is_and_what_it_is_about(key: TemplateKey, word: str) -> None:
    text = notice_messages(key, BUILT_IN[key], FACTS)[0]["text"]
    assert word in text
    assert "2026/12/10 08:00" in text
    assert "23:00" not in text
    assert SAMPLES["種別"] in text
    assert SAMPLES["会場"] in text
    assert len({notice_messages(other, BUILT_IN[other], FACTS)[0]["text"] for other in BUILT_IN}) == len(BUILT_IN)


def test_the_buttons_are_those_whose_links_are_known() -> None:
    _, buttons = notice_messages("REMINDER", BUILT_IN["REMINDER"], FACTS)
    labels = [action["label"] for action in buttons["template"]["actions"]]
    assert labels == ["予約を見る", "変更する", "カレンダーに追加"]
    assert all(len(label) <= 20 for label in labels)
    assert buttons["type"] == "template"
    assert len(notice_messages("CANCEL_COMPLETED", BUILT_IN["CANCEL_COMPLETED"], FACTS)) == 1
    assert set(WITH_BUTTONS) == {"CONFIRMATION", "MOVED", "REMINDER"}


def test_a_line_without_a_value_is_left_out() -> None:
    body = "日時：{日時}\n会場：{会場}\n{種別}（{会場}）"
    assert filled(body, {"日時": "2026/12/10 08:00", "種別": "健診"}) == "日時：2026/12/10 08:00\n健診（）"


def test_a_value_is_not_filled_in_again() -> None:
    assert filled("{氏名} 様", {"氏名": "{日時}", "日時": "x"}) == "{日時} 様"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", "EMPTY"),
        (" \n ", "EMPTY"),
        ("{備考}", "EMPTY"),
        ("{氏名}様 {なまえ}", "UNKNOWN_PLACEHOLDER"),
        ("{}", "UNKNOWN_PLACEHOLDER"),
        ("{氏名", "BROKEN_PLACEHOLDER"),
        ("氏名}", "BROKEN_PLACEHOLDER"),
        ("{{氏名}}", "BROKEN_PLACEHOLDER"),
        ("{氏\n名}", "BROKEN_PLACEHOLDER"),
        ("｛氏名｝様", "BROKEN_PLACEHOLDER"),
        ("あ\x07", "CONTROL_CHARACTER"),
        ("あ" * 5001, "TOO_LONG"),
        ("😀" * 2501, "TOO_LONG"),
        ("あ" * 4900 + "{氏名}", "TOO_LONG"),
    ],
)
def test_a_broken_text_is_refused_with_a_sentence(body: str, code: str) -> None:
    found = flaws(body)
    assert code in [flaw.code for flaw in found]
    assert all(flaw.message.endswith(("。", "です。")) for flaw in found)


@pytest.mark.parametrize("body", ["{なまえ}", "{氏名", "", "あ" * 5001])
def test_a_text_that_nobody_checked_cannot_be_sent(body: str) -> None:
    with pytest.raises(BrokenTemplate):
        filled(body, SAMPLES)


def test_a_text_of_5000_units_can_be_saved() -> None:
    assert flaws("あ" * 5000) == []
    assert units("😀あ") == 3


def test_the_preview_shows_what_is_wrong_in_place() -> None:
    shown = preview("REMINDER", "{氏名} 様\n{なまえ}\n会場：{会場}")
    assert shown.text == "山田 太郎 様\n{なまえ}\n会場：本館2階 健診センター"
    assert [flaw.code for flaw in shown.flaws] == ["UNKNOWN_PLACEHOLDER"]
    assert len(shown.buttons) == 4


@pytest.mark.parametrize(("hour", "night"), [(21, False), (22, True), (23, True), (0, True), (6, True), (7, False)])
def test_night_is_in_japan(hour: int, night: bool) -> None:
    at = datetime(2026, 12, 1, hour, 59, tzinfo=UTC) - timedelta(hours=9)
    assert is_night(at) is night


def test_which_text_a_notice_has() -> None:
    assert template_key("CONFIRMATION", FACTS, moved=False) == "CONFIRMATION"
    assert template_key("CONFIRMATION", FACTS, moved=True) == "MOVED"
    assert template_key("REMINDER", FACTS, moved=True) == "REMINDER"


@pytest.mark.row("2.2.3")
def test_the_three_notices_of_a_reservation(clinic: Clinic) -> None:
    slot_id = clinic.hospital.slot(clinic.type_id, "2026-12-10", 8 * 60, notes="問診票をお持ちください。")
    reservation = clinic.reserve(slot_id=slot_id)
    clinic.run()
    clinic.due(reservation, "REMINDER")
    clinic.run()
    clinic.cancel(reservation)
    clinic.run()
    texts = [push.text for push in clinic.line.pushes]
    assert [text.splitlines()[0] for text in texts] == ["【予約確定】", "【リマインド】", "【キャンセル完了】"]
    assert all("2026/12/10 08:00" in text and "職員健診" in text and "本館2階" in text for text in texts)
    assert "問診票をお持ちください。" in texts[0]
    assert [len(push.body["messages"]) for push in clinic.line.pushes] == [2, 2, 1]
    uri = clinic.line.pushes[0].body["messages"][1]["template"]["actions"][0]["uri"]
    assert f"/staff/reservations/{reservation}" in uri


def test_at_night_the_phone_makes_no_sound_where_the_type_says_so(clinic: Clinic) -> None:
    clinic.hospital.db.clock.advance(timedelta(hours=11))  # type: ignore[attr-defined]  # 23:00 in Japan
    loud = clinic.reserve()
    clinic.run()
    clinic.hospital.change(ReservationType, clinic.type_id, silent_at_night=1)
    quiet = clinic.reserve()
    clinic.run()
    assert [push.body.get("notificationDisabled") for push in clinic.line.pushes] == [None, True]
    assert {clinic.job(one).status for one in (loud, quiet)} == {"SENT"}


def test_a_reservation_that_was_moved_before_it_was_confirmed_is_confirmed(clinic: Clinic) -> None:
    """The person has not heard of another time."""
    reservation = clinic.without_jobs(clinic.reserve())
    clinic.sql("DELETE FROM notification_skips")
    clinic.hospital.change(Reservation, reservation, revision=1)
    job_id = clinic.by_hand(reservation, "CONFIRMATION", clinic.now)
    clinic.change(job_id, revision=1)
    clinic.run()
    assert clinic.line.pushes[0].text.startswith("【予約確定】")


@pytest.mark.row("2.7.10")
def test_a_broken_text_fails_its_own_jobs_alone(clinic: Clinic) -> None:
    first, second = clinic.reserve_many(2)
    clinic.due(first, "REMINDER")
    clinic.sql(
        "INSERT INTO notification_templates (key, body, created_by, created_at)"
        " VALUES ('REMINDER', 'こんにちは {なまえ}', 'hand', '2025-08-16T03:00:00.000000+00:00')"
    )
    result = clinic.run()
    job = clinic.job(first, "REMINDER")
    assert (job.status, job.attempt_count) == ("FAILED", 1)
    assert job.last_error.startswith("TEMPLATE: ")
    assert (result.sent, result.failed) == (2, 1)
    assert clinic.job(second).status == "SENT"


@pytest.mark.row("2.7.10")
def test_a_reservation_that_cannot_be_read_fails_its_own_jobs_alone(clinic: Clinic) -> None:
    first, second = clinic.reserve_many(2)
    clinic.hospital.change(Reservation, first, service_date_local="2025-99-99")
    result = clinic.run()
    assert (result.sent, result.failed) == (1, 1)
    assert clinic.job(first).last_error.startswith("INTERNAL")
    assert clinic.job(second).status == "SENT"
