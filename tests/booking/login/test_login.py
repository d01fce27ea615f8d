from datetime import timedelta

import jwt
import pytest
from argon2 import PasswordHasher
from sqlalchemy import update

from tests.booking.office import office
from tests.factories.booking import (
    PIN,
    Person,
    bearer,
    hash_of,
    make_locked_staff,
    make_new_staff,
    make_staff,
)
from tests.factories.product import JWT_SECRET, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.rules import INITIAL_PIN, PIN_VERSION
from tsudoi.booking.staffs.models import StaffAccount, StaffDevice
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.hash_queue import QueueLimits
from tsudoi.core.models import AuditLog, Lockout

OTHER_PIN = "9042"
DEARER = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)


def _wrong(product: Product, person: Person, times: int = 1) -> list[tuple[int, str]]:
    body = {**person.log_in, "pin": OTHER_PIN}
    answers = [product.http.post("/auth/login", json=body) for _ in range(times)]
    return [(answer.status_code, answer.json()["code"]) for answer in answers]


def _audit(product: Product) -> list[tuple[str, str, str | None]]:
    return [(row["action"], row["actor"], row["reason"]) for row in product.rows(AuditLog)]


@sqlite_only
class TestTokens:
    @pytest.mark.row("3.6.8", "3.6.28", "3.6.29")
    def test_a_log_in_gives_both_tokens(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        answer = product.http.post("/auth/login", json=person.log_in)
        assert answer.status_code == 200
        body = answer.json()
        assert {key: body[key] for key in ("tokenType", "expiresIn", "pinMustChange", "profileComplete")} == {
            "tokenType": "Bearer",
            "expiresIn": 900,
            "pinMustChange": False,
            "profileComplete": True,
        }
        assert set(body) == {
            "accessToken",
            "refreshToken",
            "tokenType",
            "expiresIn",
            "pinMustChange",
            "profileComplete",
        }
        assert not answer.cookies
        header = jwt.get_unverified_header(body["accessToken"])
        claims = jwt.decode(
            body["accessToken"], JWT_SECRET, ["HS256"], audience="tsudoi:staff", options={"verify_exp": False}
        )
        assert header["alg"] == "HS256"
        assert set(claims) == {"sub", "staffUid", "sid", "typ", "aud", "iss", "iat", "exp"}
        assert claims["sub"] == claims["staffUid"] == person.staff_uid
        assert (claims["typ"], claims["exp"] - claims["iat"]) == ("access", 900)

    @pytest.mark.row("3.6.28")
    @pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("2h", 7200), ("1d", 86400)])
    def test_the_lifetimes_are_settings(
        self, make_product: ProductMaker, db: Database, text: str, seconds: int
    ) -> None:
        product = make_product(jwt_expires_in=text, refresh_expires_in=text)
        body = product.http.post("/auth/login", json=make_staff(db).log_in).json()
        for name in ("accessToken", "refreshToken"):
            claims = jwt.decode(body[name], options={"verify_signature": False})
            assert claims["exp"] - claims["iat"] == seconds

    @pytest.mark.row("3.6.30", "3.6.23", "3.3.13")
    def test_the_session_is_stored_without_the_token(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        headers = {"user-agent": "Ward PC"}
        token = product.http.post("/auth/login", json=person.log_in, headers=headers).json()["refreshToken"]
        (row,) = product.rows(RefreshSession)
        assert (row["staff_uid"], row["staff_id_snapshot"]) == (person.staff_uid, person.staff_id)
        assert (row["user_agent"], row["ip_address"], row["transport"]) == ("Ward PC", "127.0.0.1", "body")
        assert (row["revoked_at"], row["last_used_at"]) == (None, None)
        assert row["expires_at"] == db.clock.now() + timedelta(days=7)
        assert token not in str(row)
        assert jwt.decode(token, options={"verify_signature": False})["jti"] not in str(row)
        assert product.rows(StaffAccount)[0]["last_login_at"] == db.clock.now()

    @pytest.mark.row("3.6.34")
    def test_nothing_is_cached_and_only_json_is_taken(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        for answer in (
            product.http.post("/auth/login", json=person.log_in),
            product.http.post("/auth/refresh", json={}),
            product.http.get("/auth/options"),
        ):
            assert answer.headers["cache-control"] == "no-store"
        assert product.http.post("/auth/login", data=person.log_in).status_code == 415
        assert product.http.get("/auth/options").json() == {"selfRegistration": "open"}

    @pytest.mark.row("3.6.3", "3.3.2")
    @pytest.mark.parametrize(
        "wrong",
        [
            {"pin": "123"},
            {"pin": "12345"},
            {"pin": "１２３４"},
            {"pin": "1234\n"},
            {"pin": 1234},
            {"pin": None},
            {"staffId": "12a"},
            {"staffId": 12},
            {"staffId": ""},
            {"staffId": "1" * 21},
            {"role": "ADMIN"},
            {"transport": "smoke signals"},
        ],
    )
    def test_bad_input_is_refused_and_not_counted(
        self, product: Product, db: Database, wrong: dict[str, object]
    ) -> None:
        person = make_staff(db)
        answer = product.http.post("/auth/login", json={**person.log_in, **wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_INPUT")
        assert [detail["field"] for detail in answer.json()["details"]] == list(wrong)
        assert product.rows(StaffAccount)[0]["pin_retry_count"] == 0

    def test_a_known_device_gets_in_while_strangers_fill_the_queue(self, product: Product, db: Database) -> None:
        body = {**make_staff(db).log_in, "transport": "cookie"}
        assert product.http.post("/auth/login", json=body).status_code == 200
        product.runtime.part(PinHasher).queue.limits = QueueLimits(strangers=0, all=1)
        assert product.http.post("/auth/login", json=body).status_code == 200
        with product.client() as stranger:
            assert stranger.post("/auth/login", json=body).status_code == 503


class TestCounting:
    @pytest.mark.row("3.6.10", "3.6.32")
    def test_failures_are_counted_and_a_success_takes_them_back(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        assert _wrong(product, person, 4) == [(401, "WRONG_PIN")] * 4
        assert product.rows(StaffAccount)[0]["pin_retry_count"] == 4
        assert product.http.post("/auth/login", json=person.log_in).status_code == 200
        assert (
            product.rows(StaffAccount)[0]["pin_retry_count"],
            product.rows(StaffAccount)[0]["pin_locked_until"],
        ) == (0, None)
        who = f"staff:{person.staff_uid}"
        assert _audit(product) == [("LOGIN_FAIL", who, "ログイン")] * 4 + [("LOGIN_SUCCESS", who, None)]

    @pytest.mark.row("3.6.11")
    def test_the_fifth_failure_locks_until_the_office_unlocks(
        self, product: Product, db: Database, clock: ManualClock
    ) -> None:
        person = make_staff(db)
        assert _wrong(product, person, 5) == [(401, "WRONG_PIN")] * 4 + [(423, "PIN_LOCKED")]
        for _ in range(2):
            answer = product.http.post("/auth/login", json=person.log_in)
            assert (answer.status_code, answer.json()["code"]) == (423, "PIN_LOCKED")
            assert "retry-after" not in answer.headers
            clock.advance(timedelta(days=400))
        past = update(StaffAccount).values(pin_locked_until=db.clock.now() - timedelta(days=900))
        db.write_now(lambda tx: tx.execute(past))
        assert product.http.post("/auth/login", json=person.log_in).status_code == 423
        assert [action for action, _, _ in _audit(product)].count("PIN_LOCKED") == 1
        db.write_now(lambda tx: tx.execute(update(StaffAccount).values(pin_locked_until=None, pin_retry_count=0)))
        assert product.http.post("/auth/login", json=person.log_in).status_code == 200

    @pytest.mark.row("3.6.11")
    def test_the_right_pin_at_the_fifth_attempt_is_let_in(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        _wrong(product, person, 4)
        assert product.http.post("/auth/login", json=person.log_in).status_code == 200
        assert product.rows(StaffAccount)[0]["pin_locked_until"] is None

    @pytest.mark.row("3.6.9")
    def test_a_number_that_nobody_has_looks_the_same(
        self, product: Product, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Too long a number to stand by chance in one of the audit rows' hashes.
        known, nobody = make_staff(db, "5001"), Person("", "5002500250025002")
        computed: list[str | None] = []
        compute = PinHasher.compute_match

        def counted(hasher: PinHasher, pin: str, stored: str | None) -> bool:
            computed.append(stored)
            return compute(hasher, pin, stored)

        monkeypatch.setattr(PinHasher, "compute_match", counted)
        answers = {
            person.staff_id: [
                product.http.post("/auth/login", json={**person.log_in, "pin": OTHER_PIN}) for _ in range(7)
            ]
            for person in (known, nobody)
        }
        shown = {
            staff_id: [(answer.status_code, answer.content, set(answer.headers)) for answer in found]
            for staff_id, found in answers.items()
        }
        assert shown[known.staff_id] == shown[nobody.staff_id]
        assert [status for status, _, _ in shown[nobody.staff_id]] == [401] * 4 + [423] * 3
        # The same work: one hash for each admitted attempt.
        assert len(computed) == 10
        assert {actor for _, actor, _ in _audit(product)} == {f"staff:{known.staff_uid}", "staff:?"}
        assert nobody.staff_id not in str(product.rows(AuditLog))
        assert nobody.staff_id not in str(product.rows(Lockout))

    @pytest.mark.row("3.6.17")
    @pytest.mark.parametrize("stored", [None, "another parameter"])
    def test_an_older_hash_is_replaced_at_log_in(self, product: Product, db: Database, stored: str | None) -> None:
        person = (
            make_staff(db, pin_version=0) if stored is None else make_staff(db, pin_hash=hash_of(PIN, argon2=DEARER))
        )
        before = product.rows(StaffAccount)[0]["pin_hash"]
        assert product.http.post("/auth/login", json=person.log_in).status_code == 200
        row = product.rows(StaffAccount)[0]
        assert row["pin_version"] == PIN_VERSION
        assert row["pin_hash"] != before
        assert product.http.post("/auth/login", json=person.log_in).status_code == 200
        assert product.rows(StaffAccount)[0]["pin_hash"] == row["pin_hash"]

    @pytest.mark.row("3.6.16")
    def test_with_another_pepper_the_right_pin_fails(self, make_product: ProductMaker, db: Database) -> None:
        product = make_product(security_pin_pepper="another-pepper-0123456789abcdefghij")
        assert product.http.post("/auth/login", json=make_staff(db).log_in).status_code == 401


@sqlite_only
class TestRefused:
    @pytest.mark.row("3.5.23")
    @pytest.mark.parametrize("status", ["left", "suspended"])
    def test_who_is_not_active_is_told_so_only_with_the_right_pin(
        self, product: Product, db: Database, status: str
    ) -> None:
        person = make_staff(db, status=status)
        for _ in range(6):
            answer = product.http.post("/auth/login", json=person.log_in)
            assert (answer.status_code, answer.json()["code"]) == (403, "STAFF_NOT_ACTIVE")
        assert product.rows(StaffAccount)[0]["pin_retry_count"] == 0
        assert _wrong(product, person) == [(401, "WRONG_PIN")]
        assert product.rows(RefreshSession) == []

    def test_the_initial_pin_works_for_a_limited_time(self, product: Product, db: Database, clock: ManualClock) -> None:
        person = make_new_staff(db, activate_until=db.clock.now() + timedelta(days=30))
        assert product.http.post("/auth/login", json=person.log_in).json()["pinMustChange"] is True
        clock.advance(timedelta(days=30))
        answer = product.http.post("/auth/login", json=person.log_in)
        assert (answer.status_code, answer.json()["code"]) == (403, "ACTIVATION_EXPIRED")

    def test_only_from_the_networks_of_the_house(self, make_product: ProductMaker, db: Database) -> None:
        person = make_staff(db)
        outside = make_product(staff_login_networks="10.0.0.0/8, 2001:db8::/32")
        answer = outside.http.post("/auth/login", json=person.log_in)
        assert (answer.status_code, answer.json()["code"]) == (403, "NETWORK_NOT_ALLOWED")
        inside = make_product(staff_login_networks="127.0.0.0/8")
        assert inside.http.post("/auth/login", json=person.log_in).status_code == 200
        proxied = make_product(staff_login_networks="10.0.0.0/8", trusted_proxies="127.0.0.1")
        forwarded = {"x-forwarded-for": "10.1.2.3"}
        assert proxied.http.post("/auth/login", json=person.log_in, headers=forwarded).status_code == 200

    def test_a_page_of_another_site_is_refused(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        headers = {"origin": "https://evil.example"}
        body = {**person.log_in, "transport": "cookie"}
        assert product.http.post("/auth/login", json=body, headers=headers).status_code == 403

    def test_a_full_queue_costs_nobody_an_attempt(self, product: Product, db: Database) -> None:
        product.runtime.part(PinHasher).queue.limits = QueueLimits(strangers=0, all=0)
        answer = product.http.post("/auth/login", json=make_staff(db).log_in)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert product.rows(StaffAccount)[0]["pin_retry_count"] == 0


@sqlite_only
class TestRateLimits:
    @pytest.mark.row("3.6.33")
    def test_thirty_failures_from_one_address_stop_it_for_a_minute(
        self, product: Product, db: Database, clock: ManualClock
    ) -> None:
        person = make_staff(db)
        for number in range(30):
            body = {"staffId": str(800000 + number), "pin": OTHER_PIN}
            assert product.http.post("/auth/login", json=body).status_code == 401
        answer = product.http.post("/auth/login", json=person.log_in)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
        clock.advance(timedelta(minutes=1))
        assert product.http.post("/auth/login", json=person.log_in).status_code == 200

    @pytest.mark.row("3.6.33")
    def test_a_hospital_behind_one_address_gets_in_at_nine(self, product: Product, db: Database) -> None:
        people = [make_staff(db) for _ in range(300)]
        assert {product.http.post("/auth/login", json=person.log_in).status_code for person in people} == {200}


class TestDevices:
    def _at(self, product: Product, person: Person) -> dict[str, str]:
        """A log-in in a browser; gives its device cookie."""
        with product.client() as browser:
            answer = browser.post("/auth/login", json={**person.log_in, "transport": "cookie"})
            assert answer.status_code == 200
            return {"cookie": f"tsudoi_staff_device={answer.cookies['tsudoi_staff_device']}"}

    def test_strangers_cannot_lock_out_a_known_device(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        device = self._at(product, person)
        _wrong(product, person, 6)
        assert product.http.post("/auth/login", json=person.log_in).status_code == 423
        assert product.http.post("/auth/login", json=person.log_in, headers=device).status_code == 200
        # The lock that strangers caused stays for strangers.
        assert product.http.post("/auth/login", json=person.log_in).status_code == 423

    def test_five_failures_on_the_device_lock_the_account_and_the_device(self, product: Product, db: Database) -> None:
        person = make_staff(db)
        device = self._at(product, person)
        wrong = {**person.log_in, "pin": OTHER_PIN}
        statuses = [product.http.post("/auth/login", json=wrong, headers=device).status_code for _ in range(5)]
        assert statuses == [401] * 4 + [423]
        for headers in (device, {}):
            assert product.http.post("/auth/login", json=person.log_in, headers=headers).status_code == 423
        db.write_now(lambda tx: tx.execute(update(StaffAccount).values(pin_locked_until=None, pin_retry_count=0)))
        assert product.http.post("/auth/login", json=person.log_in, headers=device).status_code == 200

    def test_a_reset_pin_forgets_the_devices(self, product: Product, db: Database) -> None:
        person, other = make_staff(db), make_staff(db)
        lost, kept = self._at(product, person), self._at(product, other)
        with office(product) as http:
            http.post(f"/api/admin/staffs/{person.staff_uid}/pin-reset", json={"reason": "紛失"}).raise_for_status()
        for one in (person, other):
            _wrong(product, one, 6)
        initial = {**person.log_in, "pin": INITIAL_PIN}
        assert product.http.post("/auth/login", json=initial, headers=lost).status_code == 423
        assert product.http.post("/auth/login", json=other.log_in, headers=kept).status_code == 200

    def test_so_do_another_status_and_a_token_that_was_copied(
        self, product: Product, db: Database, clock: ManualClock
    ) -> None:
        left, robbed, other = (make_staff(db) for _ in range(3))
        for person in (left, robbed, other):
            self._at(product, person)
        with office(product) as http:
            suspended = {"version": 1, "reason": "休職", "status": "suspended"}
            http.patch(f"/api/admin/staffs/{left.staff_uid}", json=suspended).raise_for_status()
        copied = {"refreshToken": product.http.post("/auth/login", json=robbed.log_in).json()["refreshToken"]}
        product.http.post("/auth/refresh", json=copied).raise_for_status()
        clock.advance(timedelta(minutes=1))
        assert product.http.post("/auth/refresh", json=copied).status_code == 401
        assert [row["staff_uid"] for row in product.rows(StaffDevice)] == [other.staff_uid]

    def test_others_on_the_same_pc_do_not_help_a_stranger(self, product: Product, db: Database) -> None:
        one, other = make_staff(db), make_locked_staff(db)
        device = self._at(product, one)
        assert product.http.post("/auth/login", json=other.log_in, headers=device).status_code == 423

    def test_api_clients_get_no_device(self, product: Product, db: Database) -> None:
        product.http.post("/auth/login", json=make_staff(db).log_in)
        assert product.rows(StaffDevice) == []

    def test_a_shared_pc_keeps_one_device_for_several_people(self, product: Product, db: Database) -> None:
        with product.client() as browser:
            for _ in range(2):
                browser.post("/auth/login", json={**make_staff(db).log_in, "transport": "cookie"}).raise_for_status()
        devices = product.rows(StaffDevice)
        assert len(devices) == 2
        assert len({row["token_hash"] for row in devices}) == 1


@sqlite_only
@pytest.mark.row("3.1.7", "3.6.23")
def test_no_column_holds_a_pin(product: Product, db: Database) -> None:
    person = make_staff(db)
    product.http.post("/auth/login", json=person.log_in, headers=bearer(db, person))
    row = product.rows(StaffAccount)[0]
    assert row["pin_hash"].startswith("$argon2id$")
    assert PIN not in row.values()
