"""Nobody learns who is known, nobody uses somebody else's link, and nothing personal stands in a log or a table."""

import re
from collections.abc import Callable
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import inspect, text

from tests.factories.customers import CODE, LINK, MAIL, NAME, PHONE, TYPED, Door, PhoneMaker, make_shop
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.service import note_failure
from tsudoi.shops.identity.endpoints import verifying
from tsudoi.shops.identity.rules.contacts import contact_of
from tsudoi.shops.identity.service.proving import forget_mail_texts, proof_settings, request_link
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.storefront.queries import open_shop

pytestmark = sqlite_only
VARYING = ("date", "x-request-id")
# The only script of these pages, from a file of our own.
OWN_SCRIPT = re.compile(r'<script src="/help/assets/press\.js\?v=[0-9a-f]{12}" defer(?=>)')


def bytes_of(answer: httpx2.Response) -> tuple[int, bytes, list[tuple[str, str]]]:
    headers = [(name, value) for name, value in answer.headers.items() if name.lower() not in VARYING]
    return answer.status_code, answer.content, headers


def everything_stored(tx: ReadTx) -> str:
    """All columns of all tables as text, but for the mails, whose texts go with their purpose."""
    tables = [name for name in inspect(tx.connection).get_table_names() if name != "mail_messages"]
    return "\n".join(str(row) for name in tables for row in tx.execute(text(f'SELECT * FROM "{name}"')))


class TestWhoIsKnown:
    def test_answers_are_byte_equal(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        taro = phone()
        asks: tuple[Callable[[str], httpx2.Response], ...] = (
            lambda mail: door.identify(email=mail),
            lambda mail: taro.asks(email=mail),
        )
        for ask in asks:
            known, unknown = ask(MAIL), ask("nobody@kyaku.example")
            assert known.status_code == 202
            assert bytes_of(known) == bytes_of(unknown)
        assert door.stores.asked() == []

    @pytest.mark.found("24.C14")
    @pytest.mark.row("8.E.7")
    def test_the_page_differs_in_nothing_but_the_address(self, door: Door) -> None:
        """Known at STORES, unknown, one that gets no mail any more, and one that has had enough of them."""
        door.stores.customer(123)
        full, dead = "full@kyaku.example", "dead@kyaku.example"
        door.product.db.write_now(note_failure, dead, "5.1.1")
        for _ in range(5):
            door.identify(email=full)
        pages = []
        for mail in (MAIL, "jiro@kyaku.example", dead, full):
            answer = door.product.http.post(f"{door.page}/identify", data={**TYPED, "email": mail})
            assert answer.text.count(mail) == 2, mail
            status, content, headers = bytes_of(answer)
            same_headers = [one for one in headers if one[0].lower() != "content-length"]
            pages.append((status, content.replace(mail.encode(), b"ADDRESS"), same_headers))
        assert pages[0][0] == 202
        assert all(one == pages[0] for one in pages)
        assert door.stores.asked() == []

    def test_too_many_mails_look_the_same_and_are_not_sent(self, door: Door, clock: ManualClock) -> None:
        first = bytes_of(door.identify())
        for _ in range(6):
            assert bytes_of(door.identify(email=MAIL.upper())) == first
        assert len(door.mails()) + len(door.mails(MAIL.upper().replace("KYAKU.EXAMPLE", "kyaku.example"))) >= 5
        sent = len(door.product.rows(MailMessage))
        assert sent == 5
        clock.advance(timedelta(hours=1))
        assert bytes_of(door.identify()) == first
        assert len(door.product.rows(MailMessage)) == 6

    @pytest.mark.found("24.E8")
    def test_a_mailbox_counts_however_its_address_is_typed(self, door: Door) -> None:
        name, _, domain = MAIL.partition("@")
        for typed in (MAIL, f'"{name}"@{domain}', MAIL.upper(), f" {MAIL} ", f"{name}＠{domain}") * 3:
            assert door.identify(email=typed).status_code == 202
        assert len(door.product.rows(MailMessage)) == 5

    @pytest.mark.found("24.E8")
    def test_a_stranger_cannot_use_up_the_customers_mails(self, door: Door, phone: PhoneMaker) -> None:
        for _ in range(10):
            assert door.identify().status_code == 202
        assert len(door.product.rows(MailMessage)) == 5, "the stranger has had enough"
        assert phone().asks().status_code == 202
        assert len(door.product.rows(MailMessage)) == 6, "the customer, inside LINE"

        def asks(tx: Tx) -> None:
            common = proof_settings(door.product.runtime)
            request_link(tx, common, open_shop(tx, "ngy1"), contact_of(MAIL, "090-1234-5678"), "203.0.113.7")

        door.product.db.write_now(asks)
        assert len(door.product.rows(MailMessage)) == 7, "the customer, from another network"

    def test_a_shops_wifi_may_ask_25_times_a_minute(self, door: Door) -> None:
        statuses = [door.identify(email=f"a{number}@kyaku.example").status_code for number in range(61)]
        assert set(statuses[:25]) == {202}
        assert statuses[-1] == 429


class TestTheLink:
    def test_survives_scanners(self, door: Door) -> None:
        link = door.link()
        for _ in range(3):
            assert door.product.http.get(link).status_code == 200
            assert door.product.http.head(link).status_code == 200
        assert [row["used_at_utc"] for row in door.product.rows(IdentityProof)] == [None]
        assert door.stores.asked() == []
        assert "set-cookie" not in door.product.http.get(link).headers
        page = door.product.http.get(link).text
        assert f'<form method="post" action="{link}">' in page
        assert door.product.http.post(link, follow_redirects=False).status_code == 303

    def test_works_once(self, door: Door) -> None:
        link = door.link()
        with door.product.client() as thief:
            assert door.product.http.post(link, follow_redirects=False).status_code == 303
            door.stores.asked()
            for answer in (thief.post(link, follow_redirects=False), thief.get(link)):
                assert answer.status_code == 410
                assert "set-cookie" not in answer.headers
                assert 'href="/help/ngy1"' in answer.text
            assert thief.get(f"{door.api}/session").status_code == 401
        assert door.stores.asked() == []

    def test_leads_its_own_browser_back_to_the_page(self, door: Door) -> None:
        """People open the mail again, or go back to it. That asks nothing and opens no second session."""
        link, http = door.link(), door.product.http
        http.post(link, follow_redirects=False)
        asked = door.stores.asked()
        again = http.get(link, follow_redirects=False)
        assert (again.status_code, again.headers["location"]) == (303, door.page)
        assert "set-cookie" not in again.headers
        assert http.post(link, follow_redirects=False).status_code == 410
        assert asked
        assert door.stores.asked() == []
        with door.product.client() as other:
            door.enter(other, "hanako@kyaku.example")
            assert other.get(link, follow_redirects=False).status_code == 410
        http.post(f"{door.page}/end", headers={"origin": door.product.url})
        assert http.get(link, follow_redirects=False).status_code == 410

    def test_lasts_thirty_minutes(self, door: Door, clock: ManualClock) -> None:
        link = door.link()
        clock.advance(timedelta(minutes=30))
        assert door.product.http.post(link, follow_redirects=False).status_code == 410

    def test_of_another_shop_does_not_work(self, door: Door) -> None:
        make_shop(door.product.db, 2, "skae")
        link = door.link()
        elsewhere = link.replace("/ngy1/", "/skae/")
        assert door.product.http.get(elsewhere).status_code == 410
        assert door.product.http.post(elsewhere).status_code == 410
        assert door.product.http.post(link, follow_redirects=False).status_code == 303

    def test_a_session_counts_in_its_own_shop(self, door: Door) -> None:
        make_shop(door.product.db, 2, "skae")
        door.stores.customer(123)
        door.enter(door.product.http)
        assert door.product.http.get("/api/help/skae/session").status_code == 401
        assert "確認メールを送る" in door.product.http.get("/help/skae").text
        assert door.session(door.product.http)["state"] == "found"

    def test_made_up_tokens(self, door: Door) -> None:
        for token in ("x", "x" * 3000, "%00", "%F0%9F%98%80"):
            for answer in (
                door.product.http.get(f"{door.page}/verify/{token}"),
                door.product.http.post(f"{door.page}/verify/{token}"),
            ):
                assert answer.status_code in (404, 410), token

    def test_another_site_cannot_press_the_button(self, door: Door) -> None:
        link = door.link()
        for headers in (
            {"origin": "https://elsewhere.example"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site"},
        ):
            assert door.product.http.post(link, headers=headers).status_code == 403, headers
        own = {"origin": door.product.url}
        assert door.product.http.post(link, headers=own, follow_redirects=False).status_code == 303

    def test_begins_a_session_of_its_own(self, door: Door) -> None:
        """A cookie that somebody planted is not taken over, and an earlier session ends."""
        door.stores.customer(123)
        http = door.product.http
        http.cookies.set("tsudoi_help", "planted-by-somebody")
        door.enter(http)
        first = http.cookies.get("tsudoi_help", domain="127.0.0.1")
        assert first != "planted-by-somebody"
        door.enter(http)
        second = http.cookies.get("tsudoi_help", domain="127.0.0.1")
        assert second != first
        with door.product.client(cookies={"tsudoi_help": str(first)}) as old:
            assert old.get(f"{door.api}/session").status_code == 401

    def test_cookie(self, door: Door) -> None:
        cookie = door.enter(door.product.http).headers["set-cookie"]
        assert cookie.startswith("tsudoi_help=")
        for part in ("HttpOnly", "Path=/", "SameSite=lax"):
            assert part in cookie
        assert "Max-Age" not in cookie


class TestWrites:
    def test_need_the_token_of_the_session(self, door: Door) -> None:
        door.stores.customer(123)
        http = door.product.http
        door.enter(http)
        door.stores.asked()
        assert http.post(f"{door.api}/refresh").status_code == 403
        assert http.post(f"{door.api}/refresh", headers={"x-csrf-token": "0" * 64}).status_code == 403
        token = {"x-csrf-token": door.session(http)["csrf_token"]}
        elsewhere = http.post(f"{door.api}/refresh", headers={**token, "origin": "https://elsewhere.example"})
        assert elsewhere.status_code == 403
        assert door.stores.asked() == []
        with door.product.client() as nobody:
            assert nobody.post(f"{door.api}/refresh", headers=token).status_code == 401


class TestMails:
    def test_that_are_too_late_are_not_sent(self, door: Door, clock: ManualClock) -> None:
        door.identify()
        door.box.breaks("smtp_421", "smtp")
        door.product.drain()
        door.box.mends()
        clock.advance(timedelta(minutes=31))
        assert door.mails() == []

    def test_lose_their_text(self, door: Door, clock: ManualClock) -> None:
        door.link()
        assert LINK.search(door.product.rows(MailMessage)[0]["text"])
        clock.advance(timedelta(minutes=31))
        door.product.db.write_now(forget_mail_texts)
        assert [(row["text"], row["to_address"]) for row in door.product.rows(MailMessage)] == [("", "")]


class TestCanaries:
    def test_are_in_no_log_and_no_table(
        self,
        door: Door,
        phone: PhoneMaker,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        door.stores.customer(123, customer_memo="MEMO-CANARY", name_kana="KANA-CANARY")
        taro = phone()
        link = door.link()
        token = link.rsplit("/", 1)[1]
        door.product.http.post(link, follow_redirects=False)
        code = taro.code()
        taro.confirms(code)
        taro.shop()
        monkeypatch.setattr(verifying, "open_shop", None)
        assert door.product.http.get(link).status_code == 500
        assert door.product.http.post(link).status_code == 500
        stored = door.product.db.read_now(everything_stored)
        logged = "".join(capsys.readouterr())
        assert "/help/ngy1/verify/***" in logged
        cookie = str(door.product.http.cookies.get("tsudoi_help", domain="127.0.0.1"))
        secrets = (MAIL, PHONE, "09012345678", NAME, "MEMO-CANARY", "KANA-CANARY", token, cookie)
        for secret in secrets:
            assert secret not in logged, secret
            assert secret not in stored, secret
        for row in door.product.rows(IdentityProof):
            assert code not in str(row)
        metrics = door.product.http.get("/metrics").text
        assert token not in metrics
        assert 'route="/help/{store_code}/verify/{token}"' in metrics

    def test_headers_of_every_page(self, door: Door) -> None:
        link = door.link()
        for answer in (
            door.product.http.get(door.page),
            door.product.http.get(link),
            door.product.http.post(f"{door.page}/identify", data=TYPED),
            door.product.http.get("/help/nobody"),
        ):
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["referrer-policy"] == "strict-origin"
            assert answer.headers["x-frame-options"] == "DENY"
            policy = answer.headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; style-src 'self'")
            assert "unsafe" not in policy
            assert re.findall("<script[^>]*", answer.text) == OWN_SCRIPT.findall(answer.text)
            assert len(OWN_SCRIPT.findall(answer.text)) == 1
            assert " style=" not in answer.text

    def test_markup_in_a_shops_name_and_in_what_was_typed(self, door: Door) -> None:
        make_shop(door.product.db, 2, "skae", name="<b>栄</b>", stores_public_url="javascript:alert(1)")
        page = door.product.http.get("/help/skae").text
        assert "<b>栄" not in page
        assert "javascript:" not in page
        wrong = door.product.http.post(f"{door.page}/identify", data={**TYPED, "email": '"><script>x</script>'}).text
        assert "<script>" not in wrong
        assert CODE.search(wrong) is None
