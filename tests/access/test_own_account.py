"""`/api/admin/account`: the own password, and what has to be done before anything else."""

from datetime import timedelta

import httpx2
import pytest

from tests.factories.product import ADMIN, PASSWORD, PASSWORD_HASH, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import NoSuchAdmin
from tsudoi.core import passwords
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog

OTHER = "fuku-jimukyoku"
NEW = "a phrase nobody guesses"
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36"


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_COST", 4)


@pytest.fixture
def office(product: Product) -> Product:
    product.make_admin()
    product.make_admin(OTHER)
    return product


def enter(product: Product, http: httpx2.Client | None = None, **who: str) -> httpx2.Client:
    """Logged in as the browser does it: every write then carries the token."""
    http = http or product.http
    http.headers["x-csrf-token"] = product.log_in(http, **who).raise_for_status().json()["csrf_token"]
    return http


def change(http: httpx2.Client, new: str = NEW, current: str = PASSWORD) -> httpx2.Response:
    return http.post("/api/admin/account/password", json={"current_password": current, "new_password": new})


def actions(product: Product) -> list[tuple[str, str, str]]:
    return [(row["actor"], row["action"], row["subject"]) for row in product.rows(AuditLog)]


class TestTheOwnPassword:
    def test_ends_everything_but_this_browser(self, office: Product) -> None:
        http, bearer = enter(office), {"authorization": f"Bearer {office.db.write_now(service.create_token, ADMIN)}"}
        former = dict(http.cookies)
        with office.client() as elsewhere, office.client(cookies=former) as thief, office.client() as program:
            enter(office, elsewhere)
            answer = change(http)
            assert (answer.status_code, answer.json()["ended"]) == (200, 2)
            assert http.get("/api/admin/me").json()["csrf_token"] == answer.json()["csrf_token"]
            assert [one.get("/api/admin/me").status_code for one in (elsewhere, thief)] == [401, 401]
            assert program.get("/api/admin/me", headers=bearer).status_code == 401
            assert office.log_in(elsewhere).status_code == 401
            assert office.log_in(elsewhere, password=NEW).status_code == 200
        assert (f"admin:{ADMIN}", "ADMIN_PASSWORD", f"admin:{ADMIN}") in actions(office)

    @sqlite_only
    def test_needs_the_present_one_and_counts_the_guesses(self, office: Product) -> None:
        http = enter(office)
        for _ in range(5):
            wrong = change(http, current="not the password")
            assert (wrong.status_code, wrong.json()["details"]) == (
                400,
                [{"field": "current_password", "reason": "WRONG_PASSWORD"}],
            )
        locked = change(http)
        assert (locked.status_code, locked.json()["code"]) == (429, "LOCKED")
        # A thief in front of the screen does not lock the owner out elsewhere.
        with office.client() as elsewhere:
            assert office.log_in(elsewhere).status_code == 200
        assert actions(office).count((f"admin:{ADMIN}", "ADMIN_PROOF_FAIL", f"admin:{ADMIN}")) == 5

    @sqlite_only
    def test_is_no_weak_one(self, office: Product) -> None:
        http = enter(office)
        for weak in ("short", "password2025", f"{ADMIN}2025", "x" * 80, PASSWORD):
            answer = change(http, weak)
            assert (answer.status_code, [one["field"] for one in answer.json()["details"]]) == (400, ["new_password"])
        assert office.log_in().status_code == 200

    @sqlite_only
    def test_is_nothing_for_a_program(self, office: Product) -> None:
        bearer = {"authorization": f"Bearer {office.db.write_now(service.create_token, ADMIN)}"}
        with office.client(headers=bearer) as program:
            answer = change(program)
            assert (answer.status_code, answer.json()["code"]) == (403, "BROWSER_ONLY")


class TestAOneTimePassword:
    def given(self, office: Product) -> str:
        [admin] = [one for one in enter(office).get("/api/admin/accounts").json()["items"] if not one["is_self"]]
        answer = office.http.post(f"/api/admin/accounts/{admin['id']}/password-reset").raise_for_status()
        assert answer.json()["username"] == OTHER
        return str(answer.json()["password"])

    def test_opens_nothing_but_its_change(self, office: Product) -> None:
        password = self.given(office)
        with office.client() as http:
            assert office.log_in(http, OTHER).status_code == 401
            enter(office, http, username=OTHER, password=password)
            assert http.get("/api/admin/me").json()["next_step"] == "password"
            for method, path in (("GET", "/api/admin/audit"), ("GET", "/api/admin/accounts"), ("GET", "/api/threads")):
                refused = http.request(method, path)
                assert (refused.status_code, refused.json()["code"]) == (403, "PASSWORD_CHANGE_REQUIRED"), path
            refused = http.post("/api/admin/audiences", json={"name": "理事会"})
            assert (refused.status_code, refused.json()["code"]) == (403, "PASSWORD_CHANGE_REQUIRED")
            http.headers["x-csrf-token"] = change(http, current=password).raise_for_status().json()["csrf_token"]
            assert http.get("/api/admin/me").json()["next_step"] is None
            assert http.post("/api/admin/audiences", json={"name": "理事会"}).status_code == 201
        assert (f"admin:{ADMIN}", "ADMIN_PASSWORD_RESET", f"admin:{OTHER}") in actions(office)
        assert password not in str(office.rows(AuditLog))

    @sqlite_only
    def test_is_worth_nothing_after_three_days(self, office: Product, clock: ManualClock) -> None:
        password = self.given(office)
        clock.advance(service.ONE_TIME_LIFETIME)
        with office.client() as http:
            assert office.log_in(http, OTHER, "a guess of somebody").json()["code"] == "UNAUTHENTICATED"
            # Who has the right one learns why it does not work, and whom to ask.
            refused = office.log_in(http, OTHER, password)
            assert (refused.status_code, refused.json()["code"]) == (401, "ONE_TIME_PASSWORD_TOO_OLD")
            assert "ほかの管理者" in refused.json()["message"]
        with pytest.raises(NoSuchAdmin):
            office.db.write_now(service.create_token, OTHER)

    @sqlite_only
    def test_is_not_for_oneself(self, office: Product) -> None:
        own = enter(office).get("/api/admin/account").json()["id"]
        for path in ("password-reset", "totp-removal"):
            assert office.http.post(f"/api/admin/accounts/{own}/{path}").status_code == 409


class TestSessions:
    def test_say_when_from_where_and_with_what(self, office: Product) -> None:
        office.http.headers["user-agent"] = CHROME
        http = enter(office)
        office.db.write_now(service.create_token, ADMIN, "会計ソフト")
        browser, token = sorted(http.get("/api/admin/account").json()["sessions"], key=lambda one: str(one["kind"]))
        assert (browser["device"], browser["address"], browser["current"]) == ("WindowsのChrome", "127.0.0.1", True)
        assert (token["label"], token["last_used_at"], token["current"]) == ("会計ソフト", None, False)
        assert browser["last_used_at"] == browser["created_at"] == token["created_at"]

    def test_can_be_ended_one_by_one_and_all_at_once(self, office: Product) -> None:
        http = enter(office)
        with office.client() as second, office.client() as third:
            enter(office, second, username=OTHER)
            enter(office, third, username=OTHER)
            [other] = [one for one in http.get("/api/admin/accounts").json()["items"] if not one["is_self"]]
            path = f"/api/admin/accounts/{other['id']}"
            newest = second.get("/api/admin/account").json()["sessions"]
            mine = next(one["id"] for one in newest if one["current"])
            assert http.delete(f"{path}/sessions/{mine}").status_code == 204
            assert http.delete(f"{path}/sessions/{mine}").status_code == 404
            assert [one.get("/api/admin/me").status_code for one in (second, third)] == [401, 200]
            assert http.post(f"{path}/revocation").json() == {"ended": 1}
            assert third.get("/api/admin/me").status_code == 401
        own = http.get("/api/admin/account").json()
        assert http.post(f"/api/admin/accounts/{own['id']}/revocation").json() == {"ended": 0}
        assert http.get("/api/admin/me").status_code == 200
        assert {action for _, action, _ in actions(office)} >= {"ADMIN_SESSION_END", "ADMIN_REVOKE"}

    @sqlite_only
    def test_of_somebody_else_are_not_ended_under_another_name(self, office: Product) -> None:
        http = enter(office)
        own = http.get("/api/admin/account").json()
        [other] = [one for one in http.get("/api/admin/accounts").json()["items"] if not one["is_self"]]
        path = f"/api/admin/accounts/{other['id']}/sessions/{own['sessions'][0]['id']}"
        assert http.delete(path).status_code == 404
        assert http.get("/api/admin/me").status_code == 200

    def test_logging_in_again_ends_the_session_that_the_browser_had(self, office: Product) -> None:
        enter(office)
        former = dict(office.http.cookies)
        enter(office)
        with office.client(cookies=former) as thief:
            assert thief.get("/api/admin/me").status_code == 401
        assert len(office.http.get("/api/admin/account").json()["sessions"]) == 1

    @sqlite_only
    def test_a_wrong_password_ends_nothing(self, office: Product) -> None:
        enter(office)
        office.log_in(password="not the password")
        assert office.http.get("/api/admin/me").status_code == 200


@sqlite_only
class TestKnownDevices:
    """A device that was stolen must not stay known after its session has been ended."""

    def known(self, product: Product, *browsers: httpx2.Client, username: str = ADMIN) -> list[bool]:
        tokens = [http.cookies["tsudoi_device"] for http in browsers]
        return [product.db.read_now(queries.knows_device, username, token) for token in tokens]

    def test_are_forgotten_when_another_ends_everything(self, office: Product) -> None:
        endings = {
            "password": lambda tx: service.change_password(tx, OTHER, PASSWORD_HASH),
            "reset": lambda tx: service.change_password(tx, OTHER, PASSWORD_HASH, one_time=True),
            "revocation": lambda tx: service.revoke(tx, OTHER),
            "disabling": lambda tx: service.disable(tx, OTHER),
        }
        with office.client() as here:
            enter(office, here)
            for ending, end in endings.items():
                with office.client() as stolen:
                    enter(office, stolen, username=OTHER)
                    assert self.known(office, stolen, username=OTHER) == [True], ending
                    office.db.write_now(end)
                    if ending == "disabling":
                        office.db.write_now(service.enable, OTHER)
                    assert self.known(office, stolen, username=OTHER) == [False], ending
                # The reset password has to be changed first, so the others begin anew.
                office.db.write_now(service.change_password, OTHER, PASSWORD_HASH)
            assert self.known(office, here) == [True]

    def test_stay_where_the_own_password_is_changed_and_where_everything_else_is_ended(self, office: Product) -> None:
        http = enter(office)
        with office.client() as stolen:
            enter(office, stolen)
            assert change(http).status_code == 200
            assert self.known(office, http, stolen) == [True, False]
            http.headers["x-csrf-token"] = http.get("/api/admin/me").json()["csrf_token"]
            enter(office, stolen, password=NEW)
            assert self.known(office, http, stolen) == [True, True]
            me = http.get("/api/admin/account").json()["id"]
            assert http.post(f"/api/admin/accounts/{me}/revocation").json() == {"ended": 1}
            assert self.known(office, http, stolen) == [True, False]
            assert office.log_in(stolen, password=NEW).cookies["tsudoi_device"]

    def test_end_with_their_own_session_alone(self, office: Product) -> None:
        http = enter(office)
        with office.client() as stolen, office.client() as left:
            enter(office, stolen)
            [gone] = [one["id"] for one in http.get("/api/admin/account").json()["sessions"] if not one["current"]]
            enter(office, left)
            me = http.get("/api/admin/account").json()["id"]
            assert http.delete(f"/api/admin/accounts/{me}/sessions/{gone}").status_code == 204
            assert left.post("/api/admin/logout").status_code == 204
            # Who logs out stays known: that is what the device is for.
            assert self.known(office, http, stolen, left) == [True, False, True]


class TestWithoutUse:
    MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

    @pytest.fixture
    def office(self, make_product: ProductMaker) -> Product:
        product = make_product(admin_session_idle="2h", admin_session_longest="5h")
        product.make_admin()
        return product

    def test_a_session_ends(self, office: Product, clock: ManualClock) -> None:
        enter(office)
        clock.advance(2 * self.HOUR)
        assert office.http.get("/api/admin/me").status_code == 401

    def test_use_keeps_it_and_only_up_to_a_point(self, office: Product, clock: ManualClock) -> None:
        enter(office)
        heard = []
        for _ in range(5):
            clock.advance(self.HOUR)
            heard.append(office.http.get("/api/admin/me").status_code)
        assert heard == [200] * 4 + [401]

    def test_so_does_a_write(self, office: Product, clock: ManualClock) -> None:
        enter(office)
        for number in range(2):
            clock.advance(2 * self.HOUR - self.MINUTE)
            assert office.http.post("/api/admin/audiences", json={"name": f"会{number}"}).status_code == 201

    def test_what_a_page_asks_by_itself_is_no_use(self, office: Product, clock: ManualClock) -> None:
        enter(office)
        for header in ({"x-background": "1"}, {"accept": "text/event-stream"}):
            clock.advance(50 * self.MINUTE)
            assert office.http.get("/api/admin/me", headers=header).status_code == 200
        clock.advance(20 * self.MINUTE)
        assert office.http.get("/api/admin/me").status_code == 401

    def test_a_token_of_a_program_only_notes_it(self, office: Product, clock: ManualClock) -> None:
        token = office.db.write_now(service.create_token, ADMIN)
        bearer = {"authorization": f"Bearer {token}", "user-agent": "nightly/1"}
        clock.advance(30 * self.HOUR)
        with office.client() as program:
            assert program.get("/api/admin/me", headers=bearer).status_code == 200
            [shown] = program.get("/api/admin/account", headers=bearer).json()["sessions"]
        assert (shown["last_used_at"], shown["device"]) == ("2025-08-17T18:00:00+09:00", "プログラム（nightly）")
        assert shown["expires_at"] == "2026-08-16T12:00:00+09:00"


class TestManaging:
    def test_makes_an_administrator_who_chooses_the_password(self, office: Product) -> None:
        http = enter(office)
        made = http.post("/api/admin/accounts", json={"username": "iincho"})
        assert made.status_code == 201
        assert http.post("/api/admin/accounts", json={"username": "iincho"}).status_code == 409
        alike = http.post("/api/admin/accounts", json={"username": "Ｉincho"})
        assert (alike.status_code, "見分けがつきません" in alike.json()["message"]) == (409, True)
        for odd in ("", "a b", "a:b", "a\x00b", "a\u200bb", "a\u3164b", "x" * 101):
            assert http.post("/api/admin/accounts", json={"username": odd}).status_code == 400, odd
        with office.client() as newcomer:
            enter(office, newcomer, username="iincho", password=made.json()["password"])
            assert newcomer.get("/api/admin/me").json()["next_step"] == "password"

    def test_disables_enables_and_keeps_the_last_one(self, office: Product) -> None:
        http = enter(office)
        by_name = {one["username"]: one["id"] for one in http.get("/api/admin/accounts").json()["items"]}
        with office.client() as other:
            enter(office, other, username=OTHER)
            assert http.post(f"/api/admin/accounts/{by_name[OTHER]}/disable").json() == {"ended": 1}
            assert other.get("/api/admin/me").status_code == 401
            last = http.post(f"/api/admin/accounts/{by_name[ADMIN]}/disable")
            assert (last.status_code, "最後の管理者" in last.json()["message"]) == (409, True)
            assert http.post(f"/api/admin/accounts/{by_name[OTHER]}/enable").status_code == 204
            assert office.log_in(other, OTHER).status_code == 200
        assert actions(office)[-3:] == [
            (f"admin:{ADMIN}", "ADMIN_DISABLE", f"admin:{OTHER}"),
            (f"admin:{ADMIN}", "ADMIN_ENABLE", f"admin:{OTHER}"),
            (f"admin:{OTHER}", "LOGIN_SUCCESS", f"admin:{OTHER}"),
        ]


def test_a_password_hash_is_never_shown(office: Product) -> None:
    shown = enter(office).get("/api/admin/accounts").text + office.http.get("/api/admin/account").text
    assert PASSWORD_HASH not in shown
    assert "$2b$" not in shown
