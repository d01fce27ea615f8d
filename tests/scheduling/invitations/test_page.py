"""`GET /i/{token}`: what the page shows in each state, and that looking changes nothing."""

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import NOON
from tests.factories.product import Box, Product
from tests.factories.threads import ALL, ANY, ONE_SLOT, MadeInvite, add_slot, change, first_slot, make_thread
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.scheduling.invitations.test_respond import ANNA, BEN, selected
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.base import Base
from tsudoi.scheduling.thread.models import AttendanceRule, SchedulingThread, ThreadFinalize, ThreadInvite

HTML = "text/html; charset=utf-8"


def text_of(product: Product, path: str, status: int = 200) -> str:
    answer = product.http.get(path)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == HTML
    return answer.text


def words_of(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def ticked(html: str) -> set[str]:
    """The ids of the controls that are ticked."""
    found = re.findall(r"<input type=\"radio\"[^>]*>", html)
    return {re.search(r'id="([^"]+)"', one)[1] for one in found if " checked" in one}  # type: ignore[index]


def dump(product: Product) -> dict[str, list[Any]]:
    return {mapper.class_.__name__: product.rows(mapper.class_) for mapper in Base.registry.mappers}


@pytest.mark.found("24.C2")
class TestWhereSomebodyIsToldToAskTheOffice:
    @sqlite_only
    def test_its_telephone_number_stands_there(self, make_product: ProductMaker) -> None:
        product = make_product(organisation_phone="052-000-0000")
        expired, cancelled = make_thread(product.db, ANNA), make_thread(product.db, ANNA, status="cancelled")
        change(product.db, ThreadInvite, ThreadInvite.id == expired.invites[0].id, expires_at=NOON)
        told = 'href="tel:0520000000">事務局に電話する（052-000-0000）'
        for path, status in ((expired.invites[0].path, 410), (cancelled.invites[0].path, 410), ("/i/unknown", 404)):
            assert told in text_of(product, path, status), path
        refused = product.http.post(
            expired.invites[0].respond,
            content=b"status=declined",
            headers={"content-type": "application/x-www-form-urlencoded"},
        )
        assert (refused.status_code, told in refused.text) == (410, True)

    @sqlite_only
    def test_there_is_none_where_the_office_has_given_none(self, product: Product) -> None:
        assert "tel:" not in text_of(product, "/i/unknown", 404)


class TestThePage:
    @sqlite_only
    @pytest.mark.row("1.A.3")
    def test_has_title_slots_name_and_form(self, make_product: ProductMaker) -> None:
        product = make_product(organisation_name="みなと町会")
        thread = make_thread(
            product.db, ANNA, BEN, title="臨時<理事会>", description="予算案について\n1時間", place="本部 3階"
        )
        html = text_of(product, thread.invites[0].path)
        for words in ("臨時&lt;理事会&gt;", "anna 様", "みなと町会", "予算案について\n1時間", "本部 3階"):
            assert words in html, words
        for day in ("8月17日（日）", "8月18日（月）", "8月19日（火）"):
            assert day in html, day
        assert html.count("14:00〜15:00") == 3
        assert "8月19日（火）12:00（日本時間）まで" in html, "72 hours after the invitation"
        assert f'<form method="post" action="{thread.invites[0].path}/respond"' in html
        for slot_id in thread.slots:
            for value in ("yes", "maybe", "no"):
                assert re.search(f'name="slot-{slot_id}" value="{value}"', html)
        assert ticked(html) == set()
        assert "ben" not in html, "nobody sees the others"

    @sqlite_only
    def test_ticks_the_own_answer_and_asks_for_new_slots(self, product: Product, clock: ManualClock) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ALL)
        anna, (first, second, third) = thread.invites[0], thread.slots
        body = selected(first, maybe_slot_ids=[third], comment="<b>遅れます</b>")
        product.http.post(anna.respond, json=body).raise_for_status()
        clock.advance(timedelta(minutes=1))
        new = add_slot(product.db, thread.id, first_slot(NOON) + timedelta(days=9))
        html = text_of(product, anna.path)
        assert ticked(html) == {f"yes-{first}", f"no-{second}", f"maybe-{third}"}
        assert "&lt;b&gt;遅れます&lt;/b&gt;" in html
        assert "新しい候補日が追加されました" in html
        assert f'id="at-{new}"' in html
        product.http.post(anna.respond, json={"status": "declined"}).raise_for_status()
        html = text_of(product, f"{anna.path}?saved=1")
        assert ticked(html) == set()
        assert "「参加できない」と回答しました" in html

    @sqlite_only
    def test_never_shows_the_documents_english_labels(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, slots=0)
        for day, label in enumerate(("Tomorrow", "Day After Tomorrow", "In 3 Days", "オンライン")):
            add_slot(product.db, thread.id, first_slot(NOON) + timedelta(days=day), label=label)
        html = text_of(product, thread.invites[0].path)
        assert "オンライン" in html
        assert not re.search("Tomorrow|In 3 Days", html)

    @sqlite_only
    @pytest.mark.row("1.I.6")
    def test_shows_japanese_time_the_slots_own_and_the_readers(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, slots=0)
        add_slot(product.db, thread.id, first_slot(NOON), timezone="Europe/Berlin")
        path = thread.invites[0].path
        html = text_of(product, path)
        assert "8月17日（日）" in html
        assert "14:00〜15:00" in html
        assert "ドイツの時刻では 8月17日（日）07:00〜08:00" in words_of(html)
        html = text_of(product, f"{path}?tz=America/New_York")
        assert "アメリカ（ニューヨーク）の時刻では 8月17日（日）01:00〜02:00" in words_of(html)
        assert 'respond?tz=America/New_York"' in html
        html = text_of(product, f"{path}?tz=Asia/Kathmandu")
        assert "Asia/Kathmanduの時刻では 8月17日（日）10:45〜11:45" in words_of(html)
        for nonsense in ("Nowhere/Else", "../../etc/passwd", "%3Cscript%3E", ""):
            assert text_of(product, f"{path}?tz={nonsense}") == text_of(product, path), nonsense

    @sqlite_only
    def test_offers_one_group_where_one_slot_is_allowed(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ONE_SLOT)
        anna, second = thread.invites[0], thread.slots[1]
        html = text_of(product, anna.path)
        assert html.count('name="slot" value="') == 3
        assert 'value="maybe"' not in html
        product.http.post(anna.respond, json=selected(second)).raise_for_status()
        assert ticked(text_of(product, anna.path)) == {f"one-{second}"}

    @sqlite_only
    def test_leaves_maybe_out_where_it_is_switched_off(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, maybe_allowed=0)
        html = text_of(product, thread.invites[0].path)
        assert 'value="maybe"' not in html
        assert "△" not in html

    def test_names_the_others_where_the_thread_says_so(self, product: Product, clock: ManualClock) -> None:
        thread = make_thread(product.db, ANNA, BEN, "cleo@example.com", "dan@example.com", rule=ALL, answers_visible=1)
        anna, ben, cleo, _ = thread.invites
        product.http.post(ben.respond, json=selected(thread.slots[0], maybe_slot_ids=[thread.slots[1]]))
        product.http.post(cleo.respond, json={"status": "declined"})
        clock.advance(timedelta(minutes=1))
        new = add_slot(product.db, thread.id, first_slot(NOON) + timedelta(days=9))
        html = text_of(product, anna.path)
        found = re.findall(r'id="at-([^"]+)"(.*?)</fieldset>', html, re.DOTALL)
        lines = {
            slot: re.sub(r"<[^>]+>|\s", "", "".join(re.findall(r'(?s)class="others">(.*?)</p>', part)))
            for slot, part in found
        }
        assert lines == {
            thread.slots[0]: "ほかの方：○ben×cleo",
            thread.slots[1]: "ほかの方：△ben×cleo",
            thread.slots[2]: "ほかの方：×ben、cleo",
            new: "",
        }
        assert "dan" not in html, "who has not answered is not named"
        assert "@" not in html

    def test_survives_rows_that_others_wrote(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, title=None)
        product.db.write_now(lambda tx: tx.execute(AttendanceRule.__table__.delete()))  # type: ignore[attr-defined]
        assert "日程調整" in text_of(product, thread.invites[0].path)
        stored = product.http.post(thread.invites[0].respond, json=selected(thread.slots[0]))
        assert stored.json()["evaluation"] == {
            "finalized": False,
            "final_slot_id": None,
            "reason": "NO_RULE",
            "final_participants": [],
        }


class TestTheStates:
    @pytest.mark.row("1.6.15")
    def test_decided(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ANY, place="本部 3階")
        anna, ben = thread.invites
        product.http.post(anna.respond, json=selected(thread.slots[1])).raise_for_status()
        mine, his = text_of(product, anna.path), text_of(product, ben.path)
        for html in (mine, his):
            assert "日程が決まりました" in html
            assert "2025年8月18日（月）" in html
            assert "/respond" not in html, "only late answers are taken"
            assert "/late" in html
        assert "あなたは参加者に入っています" in mine
        assert f'href="{anna.path}/calendar.ics"' in mine
        assert "あなたは参加者に入っていません" in his

    @sqlite_only
    @pytest.mark.row("1.6.16")
    def test_expired_cancelled_unknown_and_draft(self, product: Product) -> None:
        expired = make_thread(product.db, ANNA)
        change(product.db, ThreadInvite, ThreadInvite.id == expired.invites[0].id, expires_at=NOON)
        cancelled = make_thread(product.db, ANNA, status="cancelled", cancelled_at=NOON, cancel_reason="雨<のため>")
        draft = make_thread(product.db, ANNA, status="draft")
        cases = [
            (expired.invites[0].path, 410, "回答の期限を過ぎました"),
            (cancelled.invites[0].path, 410, "雨&lt;のため&gt;"),
            (draft.invites[0].path, 404, "リンクをご確認ください"),
            ("/i/no-such-token", 404, "リンクをご確認ください"),
            (f"/i/{'x' * 300}", 404, "リンクをご確認ください"),
            ("/i/%E3%81%82%00", 404, "リンクをご確認ください"),
        ]
        for path, status, words in cases:
            html = text_of(product, path, status)
            assert words in html, path
            assert "<form" not in html, path
        assert "お問い合わせください" in text_of(product, "/i/no-such-token", 404)

    @sqlite_only
    def test_where_answering_is_over_a_mail_leads_to_the_organiser(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(smtp_url=box.smtp_url, mail_from="みなと町会 <office@example.jp>")
        thread = make_thread(product.db, ANNA)
        change(product.db, ThreadInvite, ThreadInvite.id == thread.invites[0].id, expires_at=NOON)
        assert 'href="mailto:office@example.jp?subject=' in text_of(product, thread.invites[0].path, 410)

    def test_cancelled_after_the_decision(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA)
        product.http.post(thread.invites[0].respond, json=selected(thread.slots[0])).raise_for_status()
        change(product.db, SchedulingThread, SchedulingThread.id == thread.id, status="cancelled", cancelled_at=NOON)
        assert "中止になりました" in text_of(product, thread.invites[0].path, 410)
        assert len(product.rows(ThreadFinalize)) == 1

    @sqlite_only
    def test_begun_slots_cannot_be_chosen(self, product: Product, clock: ManualClock) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ALL, expires=timedelta(days=30))
        clock.advance(timedelta(days=1, hours=3))
        html = text_of(product, thread.invites[0].path)
        assert "この日の受付は終わりました" in html
        assert f'name="slot-{thread.slots[0]}"' not in html
        assert f'name="slot-{thread.slots[1]}"' in html
        clock.advance(timedelta(days=20))
        html = text_of(product, thread.invites[0].path)
        assert "回答を送る" not in html
        assert "どの日も参加できない" in html


class TestLooking:
    @pytest.mark.row("1.6.17")
    def test_changes_nothing(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA)
        expired = make_thread(product.db, ANNA)
        change(product.db, ThreadInvite, ThreadInvite.id == expired.invites[0].id, expires_at=NOON)
        paths = [invite.path + more for invite in (thread.invites[0], expired.invites[0]) for more in LOOKS]
        before = dump(product)
        for _ in range(8):
            for path in paths:
                assert product.http.get(path).status_code in (200, 303, 404, 410), path
                product.http.head(path)
        assert dump(product) == before

    @sqlite_only
    def test_with_head_hears_the_same_without_a_body(self, product: Product) -> None:
        invite: MadeInvite = make_thread(product.db, ANNA).invites[0]
        answer = product.http.head(invite.path)
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-type"] == HTML
        assert product.http.head("/i/unknown").status_code == 404


LOOKS = ("", "?saved=1&tz=Europe/Berlin", "/respond", "/unsubscribe", "/calendar.ics")
