"""TOTP: set up on the account page, asked for after the password, with recovery codes."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from tests.access.test_own_account import OTHER, actions, enter
from tests.factories.product import ADMIN, PASSWORD, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.access.admins import service
from tsudoi.access.second_factor import service as second_factor
from tsudoi.access.second_factor.models import RecoveryCode
from tsudoi.access.second_factor.rules import code_at, matching_step, normalised, set_up_uri, step_of
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog

STEP = timedelta(seconds=30)
PROOF = {"current_password": PASSWORD}


@pytest.fixture
def office(product: Product) -> Product:
    product.make_admin()
    product.make_admin(OTHER)
    return product


def set_up(http: httpx2.Client, clock: ManualClock) -> tuple[str, list[str]]:
    """The secret, and the recovery codes."""
    draft = http.post("/api/admin/account/totp", json=PROOF).raise_for_status().json()
    secret = draft["secret"].replace(" ", "")
    assert secret in draft["uri"]
    code = code_at(secret, step_of(clock.now()))
    answer = http.post("/api/admin/account/totp/confirmation", json={"code": code}).raise_for_status()
    return secret, answer.json()["codes"]


def log_in(product: Product, code: str | None = None, password: str = PASSWORD) -> httpx2.Response:
    """In a browser that nobody knows."""
    body = {"username": ADMIN, "password": password} | ({} if code is None else {"code": code})
    with product.client() as http:
        return http.post("/api/admin/login", json=body)


def heard(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


class TestRules:
    @pytest.mark.parametrize(
        ("seconds", "code"),
        [(59, "94287082"), (1111111109, "07081804"), (1111111111, "14050471"), (20000000000, "65353130")],
    )
    def test_are_those_of_the_rfc(self, seconds: int, code: str) -> None:
        """RFC 6238, appendix B, SHA-1: the last six of its eight digits."""
        secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        now = datetime.fromtimestamp(seconds, UTC)
        assert code_at(secret, step_of(now)) == code[2:]
        assert matching_step(secret, f"{code[2:5]} {code[5:]}", now) == seconds // 30

    def test_allow_a_clock_that_is_one_step_off(self) -> None:
        secret, now = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", datetime(2025, 8, 16, tzinfo=UTC)
        present = step_of(now)
        found = [matching_step(secret, code_at(secret, present + off), now) for off in (-2, -1, 0, 1, 2)]
        assert found == [None, present - 1, present, present + 1, None]

    def test_take_what_people_type(self) -> None:
        assert normalised("１２３ ４５６") == "123456"
        assert normalised(" ABCD-efgh ") == "abcdefgh"
        assert matching_step("GEZDGNBVGY3TQOJQ", "\ud800", datetime(2025, 8, 16, tzinfo=UTC)) is None

    def test_name_the_office_to_the_app(self) -> None:
        assert set_up_uri("ABCD", "事務 局", "集い & 会") == (
            "otpauth://totp/%E9%9B%86%E3%81%84%20%26%20%E4%BC%9A%3A%E4%BA%8B%E5%8B%99%20%E5%B1%80"
            "?secret=ABCD&issuer=%E9%9B%86%E3%81%84%20%26%20%E4%BC%9A&digits=6&period=30"
        )


class TestLogIn:
    def test_asks_for_the_code_after_the_password(self, office: Product, clock: ManualClock) -> None:
        secret, _ = set_up(enter(office), clock)
        clock.advance(STEP)
        code = code_at(secret, step_of(clock.now()))
        assert heard(log_in(office, code, password="wrong")) == (401, "UNAUTHENTICATED")
        assert heard(log_in(office)) == (401, "TOTP_REQUIRED")
        assert heard(log_in(office, code)) == (200, "")
        assert heard(log_in(office, code)) == (401, "TOTP_WRONG"), "a code works once"
        clock.advance(STEP)
        assert heard(log_in(office, code_at(secret, step_of(clock.now())))) == (200, "")

    def test_the_code_of_the_set_up_does_not_open_it(self, office: Product, clock: ManualClock) -> None:
        secret, _ = set_up(enter(office), clock)
        assert heard(log_in(office, code_at(secret, step_of(clock.now())))) == (401, "TOTP_WRONG")

    def test_wrong_codes_lock_the_name(self, office: Product, clock: ManualClock) -> None:
        set_up(enter(office), clock)
        answers = []
        for guess in range(4):
            # Whoever knows the password must not begin anew by leaving the code out.
            answers += [heard(log_in(office)), heard(log_in(office, f"00000{guess}"))]
        assert answers[:5] == [
            (401, "TOTP_REQUIRED"),
            (401, "TOTP_WRONG"),
            (401, "TOTP_REQUIRED"),
            (401, "TOTP_WRONG"),
            (401, "TOTP_REQUIRED"),
        ]
        assert set(answers[5:]) == {(429, "LOCKED")}
        assert ("nobody", "LOGIN_FAIL", f"admin:{ADMIN}") in actions(office)

    def test_of_parallel_log_ins_with_one_code_one_gets_in(self, office: Product, clock: ManualClock) -> None:
        secret, _ = set_up(enter(office), clock)
        clock.advance(STEP)
        code = code_at(secret, step_of(clock.now()))
        with ThreadPoolExecutor(4) as threads:
            answers = [answer.status_code for answer in threads.map(lambda _: log_in(office, code), range(4))]
        assert sorted(answers) == [200, 401, 401, 401]

    def test_a_recovery_code_works_once(self, office: Product, clock: ManualClock) -> None:
        _, codes = set_up(enter(office), clock)
        assert len(set(codes)) == 10
        stored = [row["code_hash"] for row in office.rows(RecoveryCode)]
        assert not set(codes) & set(stored)
        assert heard(log_in(office, codes[3].upper().replace("-", " "))) == (200, "")
        assert heard(log_in(office, codes[3])) == (401, "TOTP_WRONG")
        assert heard(log_in(office, codes[4])) == (200, "")
        assert office.http.get("/api/admin/account").json()["recovery_codes_left"] == 8
        assert [row["new"] for row in office.rows(AuditLog) if row["action"] == "ADMIN_RECOVERY_USE"] == [
            '{"codes_left":9}',
            '{"codes_left":8}',
        ]

    @sqlite_only
    def test_a_code_for_an_account_without_one_is_ignored(self, office: Product) -> None:
        assert heard(log_in(office, "123456")) == (200, "")


class TestSettingUp:
    @sqlite_only
    def test_needs_the_password_and_a_right_code(self, office: Product) -> None:
        http = enter(office)
        assert http.post("/api/admin/account/totp", json={"current_password": "wrong"}).status_code == 400
        assert http.post("/api/admin/account/totp/confirmation", json={"code": "123456"}).status_code == 409
        http.post("/api/admin/account/totp", json=PROOF).raise_for_status()
        wrong = http.post("/api/admin/account/totp/confirmation", json={"code": "abc"})
        assert (wrong.status_code, wrong.json()["details"]) == (400, [{"field": "code", "reason": "WRONG_CODE"}])
        assert http.get("/api/admin/account").json()["totp_since"] is None
        assert heard(log_in(office)) == (200, "")

    @sqlite_only
    def test_a_second_time_keeps_the_first_until_it_is_confirmed(self, office: Product, clock: ManualClock) -> None:
        http = enter(office)
        first, codes = set_up(http, clock)
        http.post("/api/admin/account/totp", json=PROOF).raise_for_status()
        clock.advance(2 * STEP)
        assert heard(log_in(office, code_at(first, step_of(clock.now())))) == (200, "")
        second, _ = set_up(http, clock)
        clock.advance(2 * STEP)
        for old in (code_at(first, step_of(clock.now())), codes[0]):
            assert heard(log_in(office, old)) == (401, "TOTP_WRONG")
        assert heard(log_in(office, code_at(second, step_of(clock.now())))) == (200, "")

    def test_can_be_undone_by_oneself_a_colleague_and_a_command(self, office: Product, clock: ManualClock) -> None:
        http = enter(office)
        for remove in ("own", "colleague", "command"):
            set_up(http, clock)
            assert heard(log_in(office)) == (401, "TOTP_REQUIRED"), remove
            own = http.get("/api/admin/account").json()
            if remove == "own":
                assert http.post("/api/admin/account/totp/removal", json={"current_password": "no"}).status_code == 400
                assert http.post("/api/admin/account/totp/removal", json=PROOF).status_code == 204
            elif remove == "colleague":
                with office.client() as colleague:
                    path = f"/api/admin/accounts/{own['id']}/totp-removal"
                    enter(office, colleague, username=OTHER)
                    assert [colleague.post(path).status_code for _ in range(2)] == [204, 409]
            else:
                office.db.write_now(second_factor.remove, own["id"], ADMIN, "cli")
            assert office.rows(RecoveryCode) == []
            assert heard(log_in(office)) == (200, ""), remove
            clock.advance(timedelta(hours=1))
        removed = [actor for actor, action, _ in actions(office) if action == "ADMIN_TOTP_OFF"]
        assert removed == [f"admin:{ADMIN}", f"admin:{OTHER}", "cli"]

    @sqlite_only
    def test_new_recovery_codes_void_the_old_ones(self, office: Product, clock: ManualClock) -> None:
        http = enter(office)
        assert http.post("/api/admin/account/recovery-codes", json=PROOF).status_code == 409
        _, old = set_up(http, clock)
        new = http.post("/api/admin/account/recovery-codes", json=PROOF).raise_for_status().json()["codes"]
        assert heard(log_in(office, old[0])) == (401, "TOTP_WRONG")
        assert heard(log_in(office, new[0])) == (200, "")


class TestRequired:
    @pytest.fixture
    def office(self, make_product: ProductMaker) -> Product:
        product = make_product(admin_totp="required")
        product.make_admin()
        return product

    def test_leads_to_the_set_up_and_to_nothing_else(self, office: Product, clock: ManualClock) -> None:
        http = enter(office)
        assert http.get("/api/admin/me").json()["next_step"] == "totp"
        for path in ("/api/admin/audit", "/api/admin/accounts", "/api/admin/events", "/api/threads"):
            refused = http.get(path)
            assert heard(refused) == (403, "TOTP_SETUP_REQUIRED"), path
        assert heard(http.post("/api/admin/audiences", json={"name": "理事会"})) == (403, "TOTP_SETUP_REQUIRED")
        set_up(http, clock)
        assert http.get("/api/admin/me").json()["next_step"] is None
        assert http.get("/api/admin/audit").status_code == 200
        off = http.post("/api/admin/account/totp/removal", json=PROOF)
        assert off.status_code == 409

    @sqlite_only
    def test_does_not_stop_programs(self, office: Product) -> None:
        bearer = {"authorization": f"Bearer {office.db.write_now(service.create_token, ADMIN)}"}
        with office.client(headers=bearer) as program:
            assert program.get("/api/admin/audit").status_code == 200


@sqlite_only
@pytest.mark.found("24.E8")
class TestLimitsOfSettingUp:
    def test_a_key_that_was_left_open_does_not_count_later(self, office: Product, clock: ManualClock) -> None:
        http = enter(office)
        draft = http.post("/api/admin/account/totp", json=PROOF).json()
        clock.advance(second_factor.SET_UP_WITHIN)
        code = code_at(draft["secret"].replace(" ", ""), step_of(clock.now()))
        answer = http.post("/api/admin/account/totp/confirmation", json={"code": code})
        assert heard(answer)[0] in (404, 409)
        set_up(http, clock)

    def test_ten_codes_can_be_tried(self, office: Product, clock: ManualClock) -> None:
        http = enter(office)
        secret = http.post("/api/admin/account/totp", json=PROOF).json()["secret"].replace(" ", "")
        code = code_at(secret, step_of(clock.now()))
        wrong = "000000" if code != "000000" else "111111"
        confirm = "/api/admin/account/totp/confirmation"
        told = [http.post(confirm, json={"code": wrong}).status_code for _ in range(12)]
        assert told[:10] == [told[0]] * 10
        assert told[10:] == [429, 429]
        assert http.post(confirm, json={"code": code}).status_code == 429
