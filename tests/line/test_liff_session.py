"""`POST /api/liff/session` and `GET /api/liff/me`: LINE says once who it is, then our cookie does."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.conftest import NOON
from tests.factories.id_tokens import encoded, forged_token
from tests.factories.product import LOGIN_CHANNEL, Box, Product
from tests.factories.webhooks import event
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import hanging_up_peer, nobody_there, serving, silent_peer
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import RateLimit, Session
from tsudoi.core.rate_limit import Limit
from tsudoi.core.tokens import token_hash
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.liff import service

SESSION, ME = "/api/liff/session", "/api/liff/me"


def enter(product: Product, token: str, **headers: str) -> httpx2.Response:
    return product.http.post(SESSION, json={"id_token": token}, headers=headers)


class TestSession:
    def test_a_good_token_is_exchanged_for_our_own_cookie(self, product: Product, box: Box) -> None:
        who = box.friend("山田 太郎", picture_url="https://example.com/taro.png")
        answer = enter(product, box.id_token(who))
        user = {"user_id": who, "display_name": "山田 太郎", "picture_url": "https://example.com/taro.png"}
        assert (answer.status_code, answer.json()) == (200, {"ok": True, "user": user})
        mine = {**user, "staff_portal": True}
        assert product.http.get(ME).json() == mine
        assert product.http.get(ME, headers={"x-line-user-id": who}).json() == mine

    @pytest.mark.found("24.C5")
    @pytest.mark.row("6.2.4")
    @sqlite_only
    def test_says_whether_there_is_a_portal_for_staff(self, make_product: ProductMaker, box: Box) -> None:
        for features, wanted in ((("events",), False), (("events", "booking"), True)):
            product = make_product(features=features)
            enter(product, box.id_token(box.friend()))
            assert product.http.get(ME).json()["staff_portal"] is wanted, features

    @sqlite_only
    def test_the_cookie_is_out_of_reach_of_script_and_other_sites(self, product: Product, box: Box) -> None:
        [cookie] = enter(product, box.id_token(box.friend())).headers.get_list("set-cookie")
        attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "samesite=lax", "path=/"} <= attributes
        assert "secure" not in attributes
        [row] = product.rows(Session)
        assert row["id_hash"] == token_hash(product.http.cookies["tsudoi_liff"])

    @sqlite_only
    def test_on_https_the_cookie_is_bound_to_the_host(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(public_base_url="https://tsudoi.example.jp")
        [cookie] = enter(product, box.id_token(box.friend())).headers.get_list("set-cookie")
        assert cookie.startswith("__Host-tsudoi_liff=")
        assert "; secure" in cookie.lower()
        assert "domain" not in cookie.lower()

    def test_the_name_of_a_friend_is_brought_up_to_date(self, product: Product, box: Box) -> None:
        who = box.friend("新しい名前")
        product.post_webhook(event("unfollow", who=who))
        product.drain()
        enter(product, box.id_token(who))
        [friend] = product.rows(LineFriend)
        assert friend["display_name"] == "新しい名前"

    @sqlite_only
    def test_strangers_are_not_written_down(self, product: Product, box: Box) -> None:
        assert enter(product, box.id_token(box.person())).status_code == 200
        assert product.rows(LineFriend) == []

    @sqlite_only
    def test_ends_after_its_lifetime(self, product: Product, box: Box, clock: ManualClock) -> None:
        enter(product, box.id_token(box.friend()))
        clock.advance(service.SESSION_LIFETIME - timedelta(seconds=1))
        assert product.http.get(ME).status_code == 200
        clock.advance(timedelta(seconds=1))
        assert product.http.get(ME).status_code == 401

    @sqlite_only
    @pytest.mark.parametrize(
        "wish", [{"expires_in": -1}, {"audience": "9999999999"}, {"forged": True}], ids=lambda wish: str(*wish)
    )
    def test_a_token_that_line_refuses_opens_nothing(self, product: Product, box: Box, wish: dict[str, Any]) -> None:
        answer = enter(product, box.id_token(box.friend(), **wish))
        assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHENTICATED")
        assert "set-cookie" not in answer.headers
        assert product.rows(Session) == []

    @sqlite_only
    def test_garbage_opens_nothing(self, product: Product) -> None:
        for token in ("garbage", "a.b.c", "\u202e", "x" * 8000, "é&client_id=1&id_token=x", "\x00"):
            assert enter(product, token).status_code == 401, token

    @sqlite_only
    def test_wrong_fields_are_named(self, product: Product) -> None:
        bodies: list[dict[str, Any]] = [{}, *({"id_token": odd} for odd in ("", None, 7, "x" * 8001))]
        for body in bodies:
            answer = product.http.post(SESSION, json=body)
            assert answer.status_code == 400
            assert [detail["field"] for detail in answer.json()["details"]] == ["id_token"]

    @sqlite_only
    def test_an_identity_in_the_body_is_refused(self, product: Product, box: Box) -> None:
        token = box.id_token(box.friend())
        answer = product.http.post(SESSION, json={"id_token": token, "user_id": "U" + "0" * 32})
        assert answer.status_code == 400
        assert answer.json()["details"] == [{"field": "user_id", "reason": "UNKNOWN_FIELD"}]

    @sqlite_only
    def test_another_site_may_not_post_here(self, product: Product, box: Box) -> None:
        token = box.id_token(box.friend())
        for odd in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
            answer = enter(product, token, **odd)
            assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
        form = product.http.post(SESSION, data={"id_token": token})
        assert (form.status_code, form.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
        assert product.rows(Session) == []

    @sqlite_only
    def test_too_many_exchanges_are_put_off(self, product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service, "EXCHANGES_PER_CLIENT", Limit("liff-session", 3, timedelta(minutes=1)))
        answers = [enter(product, forged_token()) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
        assert answers[-1].json()["code"] == "RATE_LIMITED"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 60


@sqlite_only
class TestForgeries:
    """Only LINE can check a signature, but it is not asked about everything that somebody sends."""

    def test_what_line_cannot_accept_is_refused_without_asking(self, product: Product, box: Box) -> None:
        soon = NOON.timestamp()
        ends: list[Any] = [soon - 301, None, "soon", True, [], float("nan")]
        hopeless = [
            "a.b.c",
            "..",
            forged_token() + ".x",
            forged_token().rpartition(".")[0],
            forged_token()[:-1] + "!",
            forged_token(alg="none"),
            forged_token(alg="RS256"),
            forged_token(iss="https://evil.example"),
            *(forged_token(aud=odd) for odd in ("9999999999", [LOGIN_CHANNEL], None)),
            *(forged_token(exp=odd) for odd in ends),
            forged_token(sub=None),
            f"{encoded([])}.{encoded([])}.x",
            f"{encoded('x')}.{encoded(None)}.x",
        ]
        for token in hopeless:
            answer = enter(product, token)
            assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHENTICATED"), token
        assert box.calls("verify") == []
        assert product.rows(RateLimit) == [], "garbage writes nothing"

    def test_line_is_asked_once_about_a_token_that_it_refuses(
        self, product: Product, box: Box, clock: ManualClock
    ) -> None:
        token = box.id_token(box.friend(), forged=True)
        assert [enter(product, token).status_code for _ in range(5)] == [401] * 5
        assert len(box.calls("verify")) == 1
        clock.advance(timedelta(minutes=11))
        enter(product, token)
        assert len(box.calls("verify")) == 2

    def test_the_memory_has_an_end(self, product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service.RefusedTokens, "_MOST", 3)
        for _ in range(5):
            enter(product, forged_token())
        assert len(product.runtime.part(service.RefusedTokens)._until) == 3

    def test_one_client_makes_us_ask_line_thirty_times_a_minute(
        self, make_product: ProductMaker, box: Box, clock: ManualClock
    ) -> None:
        product, member = make_product(trusted_proxies="127.0.0.1"), box.friend()
        forger, phone = ({"x-forwarded-for": address} for address in ("203.0.113.9", "203.0.113.10"))
        answers = [enter(product, forged_token(), **forger) for _ in range(32)]
        assert [answer.status_code for answer in answers] == [401] * 30 + [429] * 2
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
        assert len(box.calls("verify")) == 30
        assert enter(product, box.id_token(member), **phone).status_code == 200
        clock.advance(timedelta(minutes=1))
        assert enter(product, box.id_token(member), **forger).status_code == 200


@sqlite_only
class TestLineIsAway:
    @pytest.mark.parametrize("kind", ["error_500_before", "rate_limited", "timeout_before_accept", "drop_connection"])
    def test_faults_of_line_are_503(self, product: Product, box: Box, kind: str) -> None:
        token = box.id_token(box.friend())
        box.breaks(kind, "verify", seconds=1)
        answer = enter(product, token)
        assert (answer.status_code, answer.json()["code"]) == (503, "LINE_UNAVAILABLE")
        assert answer.headers["retry-after"].isdigit()
        box.mends()
        assert enter(product, token).status_code == 200

    @pytest.fixture(params=[silent_peer, hanging_up_peer])
    def peer(self, request: pytest.FixtureRequest) -> Iterator[str]:
        with request.param() as url:
            yield url

    def test_a_peer_that_does_not_answer_is_503(self, make_product: ProductMaker, peer: str) -> None:
        assert enter(make_product(box_url=peer), forged_token()).status_code == 503

    def test_nobody_there_is_503(self, make_product: ProductMaker) -> None:
        assert enter(make_product(box_url=nobody_there()), forged_token()).status_code == 503


def claims(**changes: Any) -> dict[str, Any]:
    good = {
        "iss": "https://access.line.me",
        "aud": LOGIN_CHANNEL,
        "sub": "U" + "1" * 32,
        "exp": 1755316800,
        "name": "x",
    }
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


@sqlite_only
class TestOddAnswers:
    """What LINE would never say: our own check of what it said must hold all the same."""

    @pytest.fixture
    def say(self, make_product: ProductMaker) -> Iterator[Any]:
        spoken: list[Response] = []

        async def verify(_request: Request) -> Response:
            return spoken[0]

        with serving(Starlette(routes=[Route("/oauth2/v2.1/verify", verify, methods=["POST"])])) as url:
            product = make_product(box_url=url)

            def answer(response: Response) -> httpx2.Response:
                spoken[:] = [response]
                return enter(product, forged_token())

            yield answer

    def test_another_channel_or_issuer_is_not_believed(self, say: Any) -> None:
        strangers: list[dict[str, Any]] = [
            {"iss": "https://evil.example"},
            {"iss": None},
            {"aud": "9999999999"},
            {"aud": [LOGIN_CHANNEL]},
            {"sub": None},
            {"sub": ""},
        ]
        for odd in strangers:
            assert say(JSONResponse(claims(**odd))).status_code == 401, odd

    def test_odd_claims_break_nothing(self, say: Any) -> None:
        odds: list[dict[str, Any]] = [
            *({"exp": odd} for odd in ("soon", 1e400, 10**30, None)),
            {"name": 7},
            {"picture": {}},
        ]
        for odd in odds:
            body = str(claims(**odd)).replace("'", '"').replace("inf", "1e400")
            assert say(Response(body)).status_code in (200, 401, 503), odd

    def test_a_body_that_says_nothing_opens_nothing(self, say: Any) -> None:
        for body in (b"", b"<html>", b"[]", b"null", b'"x"', b"\xff"):
            assert say(Response(body)).status_code in (401, 503), body

    def test_a_redirect_is_not_followed(self, say: Any) -> None:
        assert say(Response(status_code=307, headers={"location": "/oauth2/v2.1/verify"})).status_code == 401


class TestMe:
    def test_the_header_alone_proves_nothing(self, product: Product, box: Box) -> None:
        answer = product.http.get(ME, headers={"x-line-user-id": box.friend()})
        assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHENTICATED")

    def test_the_header_must_agree_with_the_session(self, product: Product, box: Box) -> None:
        enter(product, box.id_token(box.friend("A")))
        answer = product.http.get(ME, headers={"x-line-user-id": box.friend("B")})
        assert (answer.status_code, answer.json()["code"]) == (403, "IDENTITY_MISMATCH")

    @sqlite_only
    def test_the_last_one_to_log_in_is_who_the_browser_is(self, product: Product, box: Box) -> None:
        enter(product, box.id_token(box.friend("A")))
        second = box.friend("B")
        enter(product, box.id_token(second))
        assert product.http.get(ME).json()["user_id"] == second

    @sqlite_only
    def test_an_administrators_cookie_is_no_visitors(self, product: Product) -> None:
        product.make_admin()
        product.log_in()
        token = product.http.cookies["tsudoi_admin"]
        with product.client(cookies={"tsudoi_liff": token}) as browser:
            assert browser.get(ME).status_code == 401

    @sqlite_only
    def test_a_made_up_cookie_is_no_session(self, product: Product) -> None:
        for cookie in ("x", "", '"\\303\\251"', "a" * 4000):
            assert product.http.get(ME, headers={"cookie": f"tsudoi_liff={cookie}"}).status_code == 401
