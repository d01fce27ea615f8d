"""A customer at the door: the form, the mail, the button, and what the page shows."""

from datetime import timedelta

import pytest

from tests.conftest import NOON
from tests.factories.customers import MAIL, NAME, PHONE, TYPED, Door, make_shop
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import Session
from tsudoi.shops.snapshots.service import forget_ended

TOMORROW = NOON + timedelta(days=1)


class TestTheForm:
    @pytest.mark.row("4.5.1")
    @pytest.mark.row("4.2.7")
    def test_is_the_shops(self, door: Door) -> None:
        found = door.product.http.get("/help/ngy1")
        assert found.status_code == 200
        assert "テスト店1" in found.text
        assert 'href="tel:0520000001"' in found.text
        assert "mailto:ngy1@shop.example" in found.text
        assert "https://coubic.example/ngy1" in found.text
        for path in ("/help/nobody", "/help/%00", "/help/" + "x" * 500):
            answer = door.product.http.get(path)
            assert answer.status_code == 404, path
            assert "text/html" in answer.headers["content-type"]

    def test_as_people_type_its_address(self, door: Door) -> None:
        page = door.product.http.get(door.page).text
        assert door.product.http.get("/help/Ngy1").text == page
        stroke = door.product.http.get("/help/ngy1/", follow_redirects=False)
        assert (stroke.status_code, stroke.headers["location"]) == (303, "/help/ngy1")
        assert door.product.http.get("/help/ngy2/", follow_redirects=False).status_code == 404

    def test_of_a_shop_that_is_not_open(self, door: Door) -> None:
        make_shop(door.product.db, 2, "skae", shop_status="preparing")
        make_shop(door.product.db, 3, "kana", shop_status="closed")
        assert door.product.http.get("/help/skae").status_code == 404
        closed = door.product.http.get("/help/kana")
        assert closed.status_code == 410
        assert 'href="tel:0520000003"' in closed.text
        assert door.product.http.post("/api/help/kana/identify", json=TYPED).status_code == 410

    @pytest.mark.row("4.5.2")
    def test_leads_to_one_mail_and_asks_stores_nothing(self, door: Door) -> None:
        answer = door.product.http.post(f"{door.page}/identify", data=TYPED)
        assert answer.status_code == 202
        assert "メールをご確認ください" in answer.text
        mails = door.mails()
        assert len(mails) == 1
        assert f"{door.product.settings.public_base_url}/help/ngy1/verify/" in mails[0]
        assert "テスト店1" in mails[0]
        assert door.stores.asked() == []

    @pytest.mark.found("24.C14")
    @pytest.mark.row("8.E.7")
    def test_says_where_the_mail_goes_and_can_be_corrected(self, door: Door) -> None:
        """The address as the mail goes to it; the form as it was typed, so that one letter can be changed."""
        sent = door.product.http.post(f"{door.page}/identify", data={**TYPED, "email": "ｔａｒｏ＠kyaku.example"}).text
        assert f"宛先：<strong>{MAIL}</strong>" in sent
        shown, _, again = sent.partition("入力し直す</summary>")
        assert again, "the way to correct it"
        assert f'action="{door.page}/identify"' in again
        for typed in ("ｔａｒｏ＠kyaku.example", PHONE, NAME):
            assert f'value="{typed}"' in again, typed
        assert "<input" not in shown
        corrected = door.product.http.post(f"{door.page}/identify", data={**TYPED, "email": "jiro@kyaku.example"})
        assert "宛先：<strong>jiro@kyaku.example</strong>" in corrected.text
        assert len(door.mails("jiro@kyaku.example")) == 1

    def test_keeps_what_was_typed_and_says_what_is_wrong(self, door: Door) -> None:
        answer = door.product.http.post(f"{door.page}/identify", data={**TYPED, "phone_number": "でんわ"})
        assert answer.status_code == 400
        assert MAIL in answer.text
        assert "電話番号の形が正しくありません" in answer.text
        assert 'aria-describedby="wrong-phone hint-phone"' in answer.text
        assert door.mails() == []

    def test_as_json(self, door: Door) -> None:
        answer = door.identify()
        assert answer.status_code == 202
        assert answer.json()["ok"] is True
        assert len(door.mails()) == 1
        for wrong, field in (
            ({"email": ""}, "email"),
            ({"email": "not an address"}, "email"),
            ({"phone_number": "12"}, "phone_number"),
            ({"name": "a\u0000b"}, "name"),
            ({"email": 5}, "email"),
            ({"merchant_canonical_id": "mc_2"}, "merchant_canonical_id"),
        ):
            refused = door.identify(**wrong)
            assert refused.status_code == 400, wrong
            assert [one["field"] for one in refused.json()["details"]] == [field], wrong
        assert len(door.mails()) == 1


class TestTheLink:
    @pytest.mark.row("4.5.3")
    @pytest.mark.row("4.5.4")
    def test_asks_stores_once_and_shows_the_reservations(self, door: Door) -> None:
        door.stores.customer(123)
        door.stores.reservation(9, TOMORROW)
        door.stores.reservation(8, NOON - timedelta(days=1))
        door.stores.reservation(7, TOMORROW, status="canceled_by_customer", booking_service_name="取り消した部屋")
        http = door.product.http
        answer = door.enter(http)
        assert (answer.status_code, answer.headers["location"]) == (303, "/help/ngy1")
        assert door.stores.asked() == ["/customers", "/customers/123"]
        page = http.get(door.page)
        assert page.status_code == 200
        for shown in (NAME, "t***@kyaku.example", "末尾 5678", "8月17日（日）12:00〜14:00", "ルームA", "予約確定"):
            assert shown in page.text, shown
        assert "鍵の状態は、この画面ではまだ確認できません" in page.text
        for hidden in (MAIL, PHONE, "09012345678", "取り消した部屋", "8月15日"):
            assert hidden not in page.text, hidden

    @pytest.mark.row("4.5.6")
    @pytest.mark.row("4.5.11")
    def test_is_not_asked_again_by_reloading(self, door: Door) -> None:
        door.stores.customer(123)
        door.enter(door.product.http)
        door.stores.asked()
        for _ in range(5):
            assert door.product.http.get(door.page).status_code == 200
            assert door.session(door.product.http)["state"] == "found"
        assert door.stores.asked() == []

    @pytest.mark.row("4.5.5")
    def test_finds_nobody_or_too_many(self, door: Door) -> None:
        door.stores.customer(201, email="two@kyaku.example", name="秘密 一郎")
        door.stores.customer(202, email="two@kyaku.example", name="秘密 次郎")
        pages = []
        for to in ("nobody@kyaku.example", "two@kyaku.example"):
            with door.product.client() as http:
                assert door.enter(http, to).status_code == 303
                pages.append(http.get(door.page).text)
        nobody, two = pages
        for page in pages:
            assert "自動で特定できませんでした" in page
            assert "よくある原因" in page
            assert "STORESのマイページ" in page
            assert "秘密" not in page
        different = [(a, b) for a, b in zip(nobody.splitlines(), two.splitlines(), strict=True) if a != b]
        assert len(different) == 1
        assert "見つかりませんでした" in different[0][0]
        assert "複数あるため" in different[0][1]

    @pytest.mark.row("4.7.7")
    def test_session_has_masked_data_only(self, door: Door) -> None:
        door.stores.customer(123, customer_memo="MEMO-CANARY")
        door.stores.reservation(9, TOMORROW, customer_memo="MEMO-CANARY")
        door.enter(door.product.http)
        answer = door.product.http.get(f"{door.api}/session")
        body = answer.json()
        assert body["customer"] == {"name": NAME, "email_masked": "t***@kyaku.example", "phone_last4": "5678"}
        assert [one["begins_at"] for one in body["reservations"]] == ["2025-08-17T12:00:00+09:00"]
        assert body["key"]["state"] == "stub"
        assert len(body["csrf_token"]) == 64
        for hidden in (MAIL, PHONE, "09012345678", "MEMO-CANARY", "123"):
            # The token is random and could hold these digits by chance.
            assert hidden not in answer.text.replace(body["csrf_token"], ""), hidden

    def test_session_ends_when_it_is_not_used(self, door: Door, clock: ManualClock) -> None:
        door.stores.customer(123)
        door.enter(door.product.http)
        for _ in range(3):
            clock.advance(timedelta(minutes=29))
            assert door.session(door.product.http)["state"] == "found"
        clock.advance(timedelta(minutes=31))
        assert door.product.http.get(f"{door.api}/session").status_code == 401
        assert "確認メールを送る" in door.product.http.get(door.page).text
        # A little at a time, as the clockwork runs it.
        while door.product.db.write_now(forget_ended):
            pass
        assert [row for row in door.product.rows(Session) if row["kind"] == "help"] == []


@pytest.mark.found("24.C14")
class TestCancelledReservations:
    @pytest.mark.row("8.E.6")
    def test_are_shown_for_a_day_around_now_with_by_whom(self, door: Door) -> None:
        hour = timedelta(hours=1)
        door.stores.customer(123)
        door.stores.reservation(1, NOON + hour, status="canceled_by_host", booking_service_name="店が消した部屋")
        door.stores.reservation(2, NOON - 23 * hour, status="canceled_by_customer", booking_service_name="客の部屋")
        door.stores.reservation(3, NOON + 23 * hour, status="canceled", booking_service_name="だれかが消した部屋")
        door.stores.reservation(4, NOON + 24 * hour, status="canceled_by_host", booking_service_name="あさっての部屋")
        door.stores.reservation(5, NOON - 25 * hour, status="canceled_by_host", booking_service_name="おとといの部屋")
        door.stores.reservation(6, NOON + 2 * hour)
        door.enter(door.product.http)
        live, _, gone = door.product.http.get(door.page).text.partition("取り消されたご予約</h2>")
        assert "ルームA" in live
        assert "取り消し済み" not in live
        assert 'href="tel:0520000001"' in gone
        for title, by_whom in (
            ("店が消した部屋", "取り消し済み（店舗による）"),
            ("客の部屋", "取り消し済み（お客様による）"),
            ("だれかが消した部屋", "取り消し済み"),
        ):
            assert f'<span class="title">{title}</span><span class="state">{by_whom}</span>' in gone, title
        assert "あさっての部屋" not in gone
        assert "おとといの部屋" not in gone
        shown = door.session(door.product.http)["reservations"]
        assert [(one["id"], one["status_label"]) for one in shown] == [
            ("2", "取り消し済み（お客様による）"),
            ("1", "取り消し済み（店舗による）"),
            ("6", "予約確定"),
            ("3", "取り消し済み"),
        ]

    def test_alone_say_that_there_is_nothing_to_come_and_nothing_about_a_key(self, door: Door) -> None:
        """The number in the mail of a cancelled reservation opens nothing."""
        door.stores.customer(123)
        door.stores.reservation(1, NOON, status="canceled_by_host")
        door.enter(door.product.http)
        page = door.product.http.get(door.page).text
        assert "これからのご予約はありません。" in page
        assert "取り消されたご予約では入室できません。" in page
        assert "暗証番号" not in page


class TestSomethingChanged:
    @pytest.mark.row("4.5.12")
    def test_one_more_question_and_then_none(self, door: Door, clock: ManualClock) -> None:
        door.stores.customer(123)
        door.enter(door.product.http)
        door.stores.asked()
        door.stores.reservation(9, TOMORROW)
        answer = door.refresh(door.product.http)
        assert answer.status_code == 200
        assert [one["title"] for one in answer.json()["reservations"]] == ["ルームA"]
        assert door.stores.asked() == ["/customers/123"]
        again = door.refresh(door.product.http)
        assert again.status_code == 429
        assert 0 < int(again.headers["retry-after"]) <= 60
        assert door.product.http.get(door.page).status_code == 200
        assert door.stores.asked() == []
        clock.advance(timedelta(minutes=1))
        assert door.refresh(door.product.http).status_code == 200
        assert door.stores.asked() == ["/customers/123"]

    def test_by_the_button_of_the_page(self, door: Door) -> None:
        http = door.product.http
        own = {"origin": door.product.url}
        door.enter(http)
        assert "見つかりませんでした" in http.get(door.page).text
        door.stores.customer(123)
        assert http.post(f"{door.page}/refresh").status_code == 403
        answer = http.post(f"{door.page}/refresh", headers=own, follow_redirects=False)
        assert answer.status_code == 303
        assert "確認できました" in http.get(door.page).text
        too_soon = http.post(f"{door.page}/refresh", headers=own)
        assert too_soon.status_code == 429
        assert "1分に1回まで" in too_soon.text
        assert NAME in too_soon.text
        assert http.get(f"{door.page}/refresh", follow_redirects=False).status_code == 303

    def test_too_soon_is_said_where_nobody_was_found(self, door: Door) -> None:
        """Otherwise the page would claim once more that STORES knows nobody, although nobody asked."""
        http, own = door.product.http, {"origin": door.product.url}
        door.enter(http)
        assert http.post(f"{door.page}/refresh", headers=own, follow_redirects=False).status_code == 303
        assert "いまは確認していません" not in http.get(door.page).text
        too_soon = http.post(f"{door.page}/refresh", headers=own)
        assert too_soon.status_code == 429
        assert "いまは確認していません" in too_soon.text
        assert "自動で特定できませんでした" in too_soon.text

    def test_a_customer_who_is_gone(self, door: Door) -> None:
        door.stores.customer(123)
        door.enter(door.product.http)
        door.stores.removes(123)
        answer = door.refresh(door.product.http)
        assert (answer.status_code, answer.json()["code"]) == (404, "STORES_CUSTOMER_DETAIL_NOT_FOUND")
        assert door.session(door.product.http)["state"] == "not_found"

    def test_the_end(self, door: Door) -> None:
        door.stores.customer(123)
        door.enter(door.product.http)
        answer = door.product.http.post(
            f"{door.page}/end", headers={"origin": door.product.url}, follow_redirects=False
        )
        assert answer.status_code == 303
        assert "確認メールを送る" in door.product.http.get(door.page).text
        assert door.product.http.get(f"{door.api}/session").status_code == 401
