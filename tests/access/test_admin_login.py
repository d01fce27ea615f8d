"""`POST /api/admin/login`, `/logout`, `GET /api/admin/me`: document 000 §1.3 and §3.1."""

from datetime import timedelta
from itertools import product as product_of

import bcrypt
import httpx2
import pytest
from sqlalchemy import update

from tests.factories.product import ADMIN, PASSWORD, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.access.admins import service
from tsudoi.access.admins.models import AdminUser
from tsudoi.core import sessions
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Tx
from tsudoi.core.models import AuditLog, Session
from tsudoi.core.passwords import LONGEST_BYTES
from tsudoi.core.tokens import token_hash

WRONG = "not the password"


@pytest.fixture
def office(product: Product) -> Product:
    product.make_admin()
    return product


def rename(tx: Tx, admin_id: int, name: str) -> None:
    tx.execute(update(AdminUser).where(AdminUser.id == admin_id).values(username=name))


def cookie_of(answer: httpx2.Response, name: str) -> str:
    [found] = [line for line in answer.headers.get_list("set-cookie") if line.startswith(f"{name}=")]
    return found


def actions(product: Product) -> list[tuple[str, str, str]]:
    return [(row["actor"], row["action"], row["subject"]) for row in product.rows(AuditLog)]


class TestLogin:
    @pytest.mark.quick("happy_path")
    def test_opens_a_session_and_gives_its_csrf_token(self, office: Product) -> None:
        answer = office.log_in()
        assert answer.status_code == 200
        assert answer.json() == {"ok": True, "csrf_token": answer.json()["csrf_token"]}
        me = office.http.get("/api/admin/me")
        assert me.json() == {"username": ADMIN, "csrf_token": answer.json()["csrf_token"], "next_step": None}
        assert me.headers["cache-control"] == "no-store"

    @sqlite_only
    def test_its_cookie_is_out_of_reach_of_script_and_other_sites(self, office: Product) -> None:
        cookie = cookie_of(office.log_in(), "tsudoi_admin")
        attributes = [part.strip().lower() for part in cookie.split(";")[1:]]
        assert {"httponly", "samesite=lax", "path=/"} <= set(attributes)
        assert "secure" not in attributes
        assert not any(part.startswith("domain") for part in attributes)

    @sqlite_only
    def test_on_https_the_cookie_is_bound_to_the_host(self, make_product: ProductMaker) -> None:
        office = make_product(public_base_url="https://tsudoi.example.jp")
        office.make_admin()
        answer = office.log_in()
        cookie = cookie_of(answer, "__Host-tsudoi_admin").lower()
        assert "; secure" in cookie
        assert "path=/" in cookie
        assert "domain" not in cookie
        assert "; secure" in cookie_of(answer, "__Host-tsudoi_device").lower()

    @sqlite_only
    def test_the_session_is_stored_by_its_hash_alone(self, office: Product) -> None:
        token = cookie_of(office.log_in(), "tsudoi_admin").partition("=")[2].partition(";")[0]
        [row] = office.rows(Session)
        assert row["id_hash"] == token_hash(token)
        assert token not in str(row)

    def test_the_id_is_new_at_every_log_in(self, office: Product) -> None:
        """A session id that somebody planted in the browser before must not become a logged-in one."""
        office.http.cookies.set("tsudoi_admin", "planted-by-somebody", domain="127.0.0.1")
        first = cookie_of(office.log_in(), "tsudoi_admin")
        second = cookie_of(office.log_in(), "tsudoi_admin")
        assert first != second
        assert "planted" not in first + second
        with office.client(cookies={"tsudoi_admin": "planted-by-somebody"}) as attacker:
            assert attacker.get("/api/admin/me").status_code == 401

    @sqlite_only
    def test_ends_after_its_lifetime(self, office: Product, clock: ManualClock) -> None:
        office.log_in()
        clock.advance(timedelta(hours=12))
        assert office.http.get("/api/admin/me").status_code == 401

    @pytest.mark.found("24.C9")
    @pytest.mark.parametrize(
        "typed", [f" {ADMIN.upper()}　", ADMIN.capitalize(), "".join(chr(ord(x) + 0xFEE0) for x in ADMIN)]
    )
    def test_forgives_spaces_capitals_and_full_width_letters_of_the_name(self, office: Product, typed: str) -> None:
        assert office.log_in(username=typed).status_code == 200
        assert office.http.get("/api/admin/me").json()["username"] == ADMIN

    @pytest.mark.found("24.C9")
    def test_a_name_that_could_be_two_is_only_the_one_that_is_written_so(self, office: Product) -> None:
        """Such names are refused today; older ones may be alike."""
        other = office.make_admin("somebody-else")
        office.db.write_now(rename, other, ADMIN.upper())
        assert office.log_in(username=ADMIN.upper()).status_code == 200
        assert office.http.get("/api/admin/me").json()["username"] == ADMIN.upper()
        assert office.log_in(username=ADMIN.capitalize()).status_code == 401

    def test_is_written_into_the_audit_trail(self, office: Product) -> None:
        office.log_in(password=WRONG)
        office.log_in()
        assert actions(office) == [
            ("cli", "ADMIN_CREATE", f"admin:{ADMIN}"),
            ("nobody", "LOGIN_FAIL", f"admin:{ADMIN}"),
            (f"admin:{ADMIN}", "LOGIN_SUCCESS", f"admin:{ADMIN}"),
        ]
        assert all(row["request_id"] for row in office.rows(AuditLog)[1:])

    @sqlite_only
    def test_an_unknown_name_is_not_written_down(self, office: Product) -> None:
        """It may well be a password, typed into the wrong field."""
        office.log_in(username="hunter2-typed-into-the-wrong-field")
        assert "hunter2" not in str(office.rows(AuditLog))


@sqlite_only
class TestRefusal:
    @pytest.mark.quick("refusal")
    def test_unknown_and_known_names_hear_the_same(self, office: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        costs: list[int] = []
        real = bcrypt.checkpw

        def counting(password: bytes, hashed: bytes) -> bool:
            costs.append(int(hashed.split(b"$")[2]))
            return real(password, hashed)

        monkeypatch.setattr(bcrypt, "checkpw", counting)
        known, unknown = office.log_in(password=WRONG), office.log_in(username="nobody-here")
        assert known.status_code == unknown.status_code == 401
        assert known.json() == unknown.json()
        assert known.json()["code"] == "UNAUTHENTICATED"
        assert set(known.headers) == set(unknown.headers)
        assert len(costs) == 2

    def test_wrong_fields_are_named(self, office: Product) -> None:
        odd: list[object] = ["", None, 7, [], "x" * 10_000]
        for field, value in product_of(["username", "password"], odd):
            body = {"username": ADMIN, "password": PASSWORD, field: value}
            answer = office.http.post("/api/admin/login", json=body)
            assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_INPUT"), body
            assert [detail["field"] for detail in answer.json()["details"]] == [field]

    def test_unknown_fields_are_refused(self, office: Product) -> None:
        body = {"username": ADMIN, "password": PASSWORD, "is_superuser": True}
        answer = office.http.post("/api/admin/login", json=body)
        assert answer.status_code == 400
        assert answer.json()["details"] == [{"field": "is_superuser", "reason": "UNKNOWN_FIELD"}]

    def test_a_password_that_bcrypt_would_cut_is_not_the_same_password(self, product: Product) -> None:
        longest = "x" * LONGEST_BYTES
        hashed = bcrypt.hashpw(longest.encode(), bcrypt.gensalt(4)).decode()
        product.db.write_now(service.create_admin, ADMIN, hashed)
        assert product.log_in(password=longest + "y").status_code == 401
        assert product.log_in(password="あ" * 66).status_code == 401
        assert product.log_in(password=longest).status_code == 200

    @pytest.mark.parametrize("password", ["\x00", f"{PASSWORD}\x00", "\U0001f3a3" * 50])
    def test_odd_passwords_are_simply_wrong(self, office: Product, password: str) -> None:
        assert office.log_in(password=password).status_code == 401

    @pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[", "http://127.0.0.1:1", "x"])
    def test_a_page_of_another_site_cannot_log_anybody_in(self, office: Product, origin: str) -> None:
        body = {"username": ADMIN, "password": PASSWORD}
        answer = office.http.post("/api/admin/login", json=body, headers={"origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
        assert "set-cookie" not in answer.headers

    def test_our_own_page_may(self, office: Product) -> None:
        headers = {"origin": office.url, "sec-fetch-site": "same-origin"}
        body = {"username": ADMIN, "password": PASSWORD}
        assert office.http.post("/api/admin/login", json=body, headers=headers).status_code == 200

    def test_plain_http_is_another_site_once_we_are_on_https(self, make_product: ProductMaker) -> None:
        office = make_product(public_base_url="https://tsudoi.example.jp")
        office.make_admin()
        body = {"username": ADMIN, "password": PASSWORD}
        headers = {"host": "tsudoi.example.jp", "origin": "http://tsudoi.example.jp"}
        assert office.http.post("/api/admin/login", json=body, headers=headers).status_code == 403
        headers["origin"] = "https://tsudoi.example.jp"
        assert office.http.post("/api/admin/login", json=body, headers=headers).status_code == 200

    def test_a_form_is_not_json(self, office: Product) -> None:
        for media_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            body = b'{"username":"jimukyoku","password":"correct horse battery staple"}'
            answer = office.http.post("/api/admin/login", content=body, headers={"content-type": media_type})
            assert (answer.status_code, answer.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")


class TestLogout:
    def test_ends_the_session_on_the_server(self, office: Product) -> None:
        csrf = office.log_in().json()["csrf_token"]
        stolen = dict(office.http.cookies)
        answer = office.http.post("/api/admin/logout", headers={"x-csrf-token": csrf})
        assert (answer.status_code, answer.content) == (204, b"")
        assert office.http.get("/api/admin/me").status_code == 401
        with office.client(cookies=stolen) as thief:
            assert thief.get("/api/admin/me").status_code == 401
        assert actions(office)[-1] == (f"admin:{ADMIN}", "LOGOUT", f"admin:{ADMIN}")

    @sqlite_only
    def test_leaves_the_other_browser_alone(self, office: Product) -> None:
        with office.client() as other:
            office.log_in(other)
            csrf = office.log_in().json()["csrf_token"]
            office.http.post("/api/admin/logout", headers={"x-csrf-token": csrf})
            assert other.get("/api/admin/me").status_code == 200

    @sqlite_only
    @pytest.mark.parametrize("token", [None, "", "x", "é"])
    def test_without_the_csrf_token_nothing_is_written(self, office: Product, token: str | None) -> None:
        office.log_in()
        headers = {} if token is None else {b"x-csrf-token": token.encode()}
        answer = office.http.post("/api/admin/logout", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
        assert office.http.get("/api/admin/me").status_code == 200

    @sqlite_only
    def test_another_sessions_csrf_token_does_not_do(self, office: Product) -> None:
        with office.client() as other:
            stranger = office.log_in(other).json()["csrf_token"]
        office.log_in()
        assert office.http.post("/api/admin/logout", headers={"x-csrf-token": stranger}).status_code == 403

    @sqlite_only
    def test_a_page_of_another_site_cannot_log_anybody_out(self, office: Product) -> None:
        csrf = office.log_in().json()["csrf_token"]
        for odd in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
            answer = office.http.post("/api/admin/logout", headers={"x-csrf-token": csrf, **odd})
            assert answer.status_code == 403


class TestBearer:
    def test_acts_without_a_csrf_token(self, office: Product) -> None:
        token = office.db.write_now(service.create_token, ADMIN)
        headers = {"authorization": f"Bearer {token}"}
        assert office.http.get("/api/admin/me", headers=headers).json() == {
            "username": ADMIN,
            "csrf_token": None,
            "next_step": None,
        }
        assert office.http.post("/api/admin/logout", headers=headers).status_code == 204
        assert office.http.get("/api/admin/me", headers=headers).status_code == 401

    @sqlite_only
    def test_is_refused_when_unknown_revoked_or_of_another_kind(self, office: Product) -> None:
        token = office.db.write_now(service.create_token, ADMIN)
        assert token is not None
        office.db.write_now(sessions.revoke_session, token)
        office.log_in()
        cookie = office.http.cookies["tsudoi_admin"]
        for bad in (token, cookie, "unknown", "é"):
            answer = office.http.get("/api/admin/me", headers={b"authorization": f"Bearer {bad}".encode()})
            assert answer.status_code == 401, bad

    @sqlite_only
    def test_is_no_cookie(self, office: Product) -> None:
        token = office.db.write_now(service.create_token, ADMIN)
        with office.client(cookies={"tsudoi_admin": str(token)}) as browser:
            assert browser.get("/api/admin/me").status_code == 401


class TestNames:
    def test_are_all_that_is_told_of_the_administrators(self, office: Product) -> None:
        office.db.write_now(service.create_admin, "aoki", "hash")
        office.log_in()
        shown = office.http.get("/api/admin/admins").raise_for_status().json()
        assert [set(one) for one in shown["items"]] == [{"id", "username"}] * 2
        assert [one["username"] for one in shown["items"]] == [ADMIN, "aoki"]
