from datetime import timedelta
from typing import Any

import httpx2
import jwt
import pytest
from sqlalchemy import update

from tests.factories.booking import Person, access_token_of, make_new_staff, make_staff
from tests.factories.product import JWT_SECRET, REFRESH_SECRET, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.login.service import revoke_all
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog

GRACE_OVER = timedelta(seconds=11)


def _log_in(product: Product, person: Person) -> dict[str, Any]:
    answer = product.http.post("/auth/login", json=person.log_in)
    assert answer.status_code == 200
    return dict(answer.json())


def _refresh(product: Product, token: str) -> httpx2.Response:
    return product.http.post("/auth/refresh", json={"refreshToken": token})


def _bearer(tokens: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {tokens['accessToken']}"}


def _is_in(product: Product, tokens: dict[str, Any]) -> bool:
    """Whether the access token still opens the session, without changing anything."""
    answer = product.http.post("/api/staffs/pin/change", json={}, headers=_bearer(tokens))
    assert answer.status_code in (400, 401)
    return answer.status_code == 400


class TestRotation:
    @pytest.mark.row("3.6.22")
    def test_a_refresh_replaces_the_session(self, product: Product, db: Database, clock: ManualClock) -> None:
        first = _log_in(product, make_staff(db))
        clock.advance(timedelta(minutes=5))
        answer = _refresh(product, first["refreshToken"])
        assert answer.status_code == 200
        assert set(answer.json()) == {"accessToken", "refreshToken", "tokenType", "expiresIn"}
        assert answer.json()["refreshToken"] != first["refreshToken"]
        old, new = product.rows(RefreshSession)
        assert old["revoked_at"] == old["last_used_at"] == db.clock.now()
        assert (old["successor_id"], old["revoked_because"]) == (new["id"], "rotated")
        assert new["revoked_at"] is None
        assert new["family_id"] == old["family_id"]
        assert new["expires_at"] == db.clock.now() + timedelta(days=7)

    def test_the_access_token_of_a_second_tab_stays_valid(self, product: Product, db: Database) -> None:
        first = _log_in(product, make_staff(db))
        second = _refresh(product, first["refreshToken"]).json()
        assert _is_in(product, first)
        assert _is_in(product, second)

    def test_a_lost_response_can_be_fetched_again(self, product: Product, db: Database, clock: ManualClock) -> None:
        first = _log_in(product, make_staff(db))
        answer = _refresh(product, first["refreshToken"])
        clock.advance(timedelta(seconds=10))
        assert _refresh(product, first["refreshToken"]).content == answer.content
        assert len(product.rows(RefreshSession)) == 2

    @pytest.mark.row("3.6.24")
    def test_reuse_after_the_grace_ends_all_sessions(self, product: Product, db: Database, clock: ManualClock) -> None:
        person = make_staff(db)
        phone, pc, other = _log_in(product, person), _log_in(product, person), _log_in(product, make_staff(db))
        newer = _refresh(product, pc["refreshToken"]).json()
        clock.advance(GRACE_OVER)
        answer = _refresh(product, pc["refreshToken"])
        assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHENTICATED")
        for tokens in (phone, newer):
            assert _refresh(product, tokens["refreshToken"]).status_code == 401
            assert not _is_in(product, tokens)
        assert _is_in(product, other)
        (row,) = [row for row in product.rows(AuditLog) if row["action"] == "REFRESH_REUSE"]
        assert (row["actor"], row["new"]) == (f"staff:{person.staff_uid}", '{"ended":2}')

    @pytest.mark.row("3.6.24")
    def test_reuse_within_the_grace_once_the_successor_is_used(self, product: Product, db: Database) -> None:
        first = _log_in(product, make_staff(db))
        second = _refresh(product, first["refreshToken"]).json()
        third = _refresh(product, second["refreshToken"]).json()
        assert _refresh(product, first["refreshToken"]).status_code == 401
        assert _refresh(product, third["refreshToken"]).status_code == 401

    def test_a_lost_response_is_no_theft_when_the_pin_was_changed_meanwhile(
        self, product: Product, db: Database
    ) -> None:
        person = make_staff(db)
        pc, phone = _log_in(product, person), _log_in(product, person)
        _refresh(product, phone["refreshToken"])
        own = product.rows(RefreshSession)[0]["family_id"]
        db.write_now(revoke_all, person.staff_uid, "pin_change", keep_family=own)
        assert _refresh(product, phone["refreshToken"]).status_code == 401
        assert _is_in(product, pc)

    def test_a_token_that_the_office_revoked_is_no_sign_of_theft(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        before = _log_in(product, person)
        db.write_now(revoke_all, person.staff_uid, "pin_reset")
        after = _log_in(product, person)
        assert _refresh(product, before["refreshToken"]).status_code == 401
        assert _refresh(product, after["refreshToken"]).status_code == 200


@sqlite_only
class TestWithoutRotation:
    @pytest.mark.row("3.6.27")
    def test_the_same_refresh_token_stays_valid(
        self, make_product: ProductMaker, db: Database, clock: ManualClock
    ) -> None:
        product = make_product(refresh_rotate=False)
        first = _log_in(product, make_staff(db))
        for _ in range(3):
            clock.advance(timedelta(minutes=5))
            again = _refresh(product, first["refreshToken"]).json()
            assert again["refreshToken"] == first["refreshToken"]
            assert again["accessToken"] != first["accessToken"]
            assert _is_in(product, again)
        (row,) = product.rows(RefreshSession)
        assert (row["last_used_at"], row["revoked_at"]) == (db.clock.now(), None)


@sqlite_only
class TestRefused:
    @pytest.mark.row("3.6.26")
    @pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
    def test_forged_expired_and_foreign_tokens(self, product: Product, db: Database, clock: ManualClock) -> None:
        person = make_staff(db)
        tokens = _log_in(product, person)
        claims = jwt.decode(tokens["refreshToken"], options={"verify_signature": False})
        forged = [
            tokens["accessToken"],
            jwt.encode(claims, "x" * 40, "HS256"),
            jwt.encode(claims, "", "none"),
            jwt.encode(claims, REFRESH_SECRET, "HS512"),
            jwt.encode(claims, JWT_SECRET, "HS256"),
            jwt.encode({**claims, "jti": "another"}, REFRESH_SECRET, "HS256"),
            jwt.encode({**claims, "sid": claims["sid"] + 1}, REFRESH_SECRET, "HS256"),
            jwt.encode({**claims, "sub": "another"}, REFRESH_SECRET, "HS256"),
            jwt.encode({**claims, "typ": "access"}, REFRESH_SECRET, "HS256"),
            "a.b.c",
            "",
            "\x00",
        ]
        for token in forged:
            assert _refresh(product, token).status_code == 401, token
        assert product.http.post("/auth/refresh", json={}).status_code == 401
        assert _refresh(product, "x" * 2001).status_code == 400
        assert product.http.post("/auth/refresh", json={"refreshToken": 5}).status_code == 400
        clock.advance(timedelta(days=7))
        assert _refresh(product, tokens["refreshToken"]).status_code == 401

    @pytest.mark.row("3.6.26", "3.5.21")
    def test_a_refresh_token_is_no_access_token(self, product: Product, db: Database) -> None:
        tokens = _log_in(product, make_staff(db))
        assert not _is_in(product, {"accessToken": tokens["refreshToken"]})
        assert not _is_in(product, {"accessToken": jwt.encode({"sub": "x"}, "", "none")})

    @pytest.mark.row("3.6.28", "3.5.21")
    def test_an_access_token_ends_after_its_lifetime(self, product: Product, db: Database, clock: ManualClock) -> None:
        tokens = _log_in(product, make_staff(db))
        clock.advance(timedelta(minutes=15) - timedelta(seconds=1))
        assert _is_in(product, tokens)
        clock.advance(timedelta(seconds=1))
        assert not _is_in(product, tokens)

    @pytest.mark.row("3.5.23", "3.5.21")
    @pytest.mark.parametrize("status", ["suspended", "left"])
    def test_who_is_no_longer_active_gets_403_everywhere(self, product: Product, db: Database, status: str) -> None:
        """Also after the sessions were revoked, so that the portal can say why."""
        person = make_staff(db)
        tokens = _log_in(product, person)
        db.write_now(lambda tx: tx.execute(update(StaffAccount).values(status=status)))
        db.write_now(revoke_all, person.staff_uid, "office")
        answers = [
            _refresh(product, tokens["refreshToken"]),
            product.http.post("/auth/logout", json={}, headers=_bearer(tokens)),
            product.http.get("/api/staffs/me", headers=_bearer(tokens)),
            product.http.patch("/api/staffs/me", json={}, headers=_bearer(tokens)),
            product.http.post("/api/staffs/pin/change", json={}, headers=_bearer(tokens)),
        ]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "STAFF_NOT_ACTIVE")}

    @pytest.mark.row("3.6.18")
    def test_a_person_with_the_initial_pin_may_refresh(self, product: Product, db: Database) -> None:
        tokens = _log_in(product, make_new_staff(db))
        assert _refresh(product, tokens["refreshToken"]).status_code == 200


@sqlite_only
class TestLogout:
    @pytest.mark.row("3.6.31", "3.6.18")
    @pytest.mark.parametrize("body", [{}, {"refreshToken": True}])
    def test_the_session_ends_at_once(self, product: Product, db: Database, body: dict[str, Any]) -> None:
        person = make_new_staff(db)
        tokens, other = _log_in(product, person), _log_in(product, person)
        given = {"refreshToken": tokens["refreshToken"]} if body else {}
        assert product.http.post("/auth/logout", json=given, headers=_bearer(tokens)).status_code == 204
        assert not _is_in(product, tokens)
        assert _is_in(product, other)
        assert [row["action"] for row in product.rows(AuditLog)][-1] == "LOGOUT"

    @pytest.mark.row("3.6.24")
    def test_the_refresh_token_counts_as_stolen_afterwards(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        tokens, other = _log_in(product, person), _log_in(product, person)
        product.http.post("/auth/logout", json={}, headers=_bearer(tokens))
        assert _refresh(product, tokens["refreshToken"]).status_code == 401
        assert not _is_in(product, other)

    def test_without_any_session_there_is_nothing_to_end(self, product: Product) -> None:
        assert product.http.post("/auth/logout", json={}).status_code == 401


@sqlite_only
class TestCookie:
    def test_the_refresh_token_is_only_in_the_cookie(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        with product.client() as browser:
            answer = browser.post("/auth/login", json={**person.log_in, "transport": "cookie"})
            assert "refreshToken" not in answer.json()
            (cookie,) = [text for text in answer.headers.get_list("set-cookie") if text.startswith("tsudoi_staff=")]
            assert "HttpOnly" in cookie
            assert "Path=/auth" in cookie
            assert "samesite=strict" in cookie.lower()
            assert "max-age" not in cookie.lower()
            first = browser.cookies["tsudoi_staff"]
            answer = browser.post("/auth/refresh", json={})
            assert answer.status_code == 200
            assert "refreshToken" not in answer.json()
            assert browser.cookies["tsudoi_staff"] != first
            assert {row["transport"] for row in product.rows(RefreshSession)} == {"cookie"}
            foreign = {"origin": "https://evil.example"}
            assert browser.post("/auth/refresh", json={}, headers=foreign).status_code == 403
            assert browser.post("/auth/logout", json={}, headers=foreign).status_code == 403

    def test_a_shared_pc_can_log_out_after_the_access_token_has_expired(
        self, product: Product, db: Database, clock: ManualClock
    ) -> None:
        person = make_staff(db)
        with product.client() as browser:
            tokens = browser.post("/auth/login", json={**person.log_in, "transport": "cookie"}).json()
            clock.advance(timedelta(hours=1))
            assert browser.post("/auth/logout", json={}, headers=_bearer(tokens)).status_code == 204
            assert "tsudoi_staff" not in browser.cookies
        assert product.rows(RefreshSession)[0]["revoked_because"] == "logout"

    @pytest.mark.row("3.6.7")
    def test_with_https_the_cookies_are_secure(self, make_product: ProductMaker, db: Database) -> None:
        product = make_product(public_base_url="https://tsudoi.example.jp")
        answer = product.http.post("/auth/login", json={**make_staff(db).log_in, "transport": "cookie"})
        cookies = answer.headers.get_list("set-cookie")
        assert len(cookies) == 2
        assert all(text.startswith("__Secure-tsudoi_staff") and "Secure" in text for text in cookies)


@sqlite_only
def test_a_token_without_a_log_in_opens_the_session_too(product: Product, db: Database) -> None:
    """The factory of all other tests."""
    assert _is_in(product, {"accessToken": access_token_of(db, make_staff(db))})


@sqlite_only
@pytest.mark.found("24.E7")
def test_refreshes_and_log_ins_of_a_person_have_a_limit(product: Product, db: Database, clock: ManualClock) -> None:
    person = make_staff(db)
    token = _log_in(product, person)["refreshToken"]
    refreshed = 0
    while (answer := _refresh(product, token)).status_code == 200:
        token, refreshed = answer.json()["refreshToken"], refreshed + 1
    assert (refreshed, answer.status_code, "Retry-After" in answer.headers) == (60, 429, True)
    assert len(product.rows(RefreshSession)) == 61
    clock.advance(timedelta(minutes=1))
    assert _refresh(product, token).status_code == 200, "the refused token still works"
    told = [product.http.post("/auth/login", json=person.log_in).status_code for _ in range(22)]
    assert told == [200] * 20 + [429] * 2
