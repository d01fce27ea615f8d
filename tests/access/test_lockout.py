"""Guessing passwords: five in a row, then ten minutes of silence, counted before anything slow is computed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import bcrypt
import pytest

from tests.factories.product import ADMIN, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.sizes import size
from tsudoi.access.admins import service
from tsudoi.access.password_hasher import LIMITS, PasswordHasher
from tsudoi.core.clock import ManualClock
from tsudoi.core.hash_queue import QueueLimits
from tsudoi.core.models import AuditLog, Lockout, RateLimit
from tsudoi.core.rate_limit import Limit

WRONG = "not the password"


@pytest.fixture
def office(product: Product) -> Product:
    product.make_admin()
    return product


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was hashed; the hash itself is left out, because only its number counts here."""
    computed: list[bytes] = []

    def wrong(password: bytes, hashed: bytes) -> bool:
        computed.append(password)
        return False

    monkeypatch.setattr(bcrypt, "checkpw", wrong)
    return computed


def fail(product: Product, times: int, username: str = ADMIN) -> list[int]:
    return [product.log_in(username=username, password=WRONG).status_code for _ in range(times)]


def test_five_failures_lock_for_ten_minutes(office: Product, clock: ManualClock) -> None:
    assert fail(office, 4) == [401] * 4
    fifth = office.log_in(password=WRONG)
    assert (fifth.status_code, fifth.json()["code"]) == (429, "LOCKED")
    assert fifth.headers["retry-after"] == "600"
    assert "12:10" in fifth.json()["message"]
    assert office.log_in().status_code == 429
    clock.advance(timedelta(minutes=9, seconds=59))
    late = office.log_in()
    assert (late.status_code, late.headers["retry-after"]) == (429, "1")
    clock.advance(timedelta(seconds=1))
    assert office.log_in().status_code == 200


@sqlite_only
def test_knocking_while_locked_does_not_lengthen_the_lock(office: Product, clock: ManualClock) -> None:
    fail(office, 10)
    clock.advance(timedelta(minutes=10))
    assert fail(office, 4) == [401] * 4
    assert office.log_in().status_code == 200


@sqlite_only
def test_a_success_begins_the_count_anew(office: Product) -> None:
    for _ in range(3):
        assert fail(office, 4) == [401] * 4
        with office.client() as strange_browser:
            assert office.log_in(strange_browser).status_code == 200


@sqlite_only
def test_the_fifth_try_still_counts_when_it_is_right(office: Product) -> None:
    fail(office, 4)
    assert office.log_in().status_code == 200


@sqlite_only
def test_a_name_that_does_not_exist_locks_alike(office: Product) -> None:
    known = [office.log_in(password=WRONG) for _ in range(6)]
    unknown = [office.log_in(username="nobody-here", password=WRONG) for _ in range(6)]
    assert [answer.status_code for answer in known] == [answer.status_code for answer in unknown]
    assert [answer.json() for answer in known] == [answer.json() for answer in unknown]


@sqlite_only
@pytest.mark.found("24.C9")
@pytest.mark.parametrize("name", [ADMIN, "nobody-here"])
def test_ways_to_write_one_name_count_together(office: Product, name: str) -> None:
    spellings = [name, name.upper(), f" {name}", name.capitalize(), f"{name}　"]
    assert [fail(office, 1, username=typed) for typed in spellings] == [[401]] * 4 + [[429]]


@sqlite_only
def test_one_name_does_not_lock_another(office: Product) -> None:
    fail(office, 6, username="somebody-else")
    assert office.log_in().status_code == 200


@sqlite_only
def test_strangers_do_not_lock_out_the_browser_that_is_known(office: Product) -> None:
    """Otherwise anybody could keep the office out by typing five wrong passwords every ten minutes."""
    office.log_in()
    with office.client() as stranger:
        for _ in range(6):
            office.log_in(stranger, password=WRONG)
        assert office.log_in(stranger).status_code == 429
    assert office.log_in().status_code == 200


@sqlite_only
def test_the_known_browser_is_locked_by_its_own_failures(office: Product) -> None:
    office.log_in()
    assert fail(office, 5) == [401, 401, 401, 401, 429]
    assert office.log_in().status_code == 429


@sqlite_only
def test_a_browser_known_to_one_administrator_is_a_stranger_to_another(office: Product) -> None:
    office.make_admin("iincho")
    office.log_in()
    with office.client() as stranger:
        for _ in range(5):
            office.log_in(stranger, username="iincho", password=WRONG)
    assert office.log_in(username="iincho").status_code == 429


def test_a_hundred_parallel_guesses_get_five_hashes(
    office: Product, hashes: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LOGINS_PER_CLIENT", Limit("login", 1000, timedelta(minutes=1)))
    with ThreadPoolExecutor(16) as crowd:
        answers = list(crowd.map(lambda n: office.log_in(password=f"guess {n}"), range(size(100, 1000))))
    assert len(hashes) == 5
    codes = [answer.status_code for answer in answers]
    assert codes.count(429) >= 95
    assert set(codes) <= {401, 429}
    failures = [row for row in office.rows(AuditLog) if row["action"] == "LOGIN_FAIL"]
    assert len(failures) == 5


@sqlite_only
def test_one_client_trying_many_names_is_slowed_down(office: Product, hashes: list[bytes], clock: ManualClock) -> None:
    answers = [office.log_in(username=f"name{n}", password=WRONG) for n in range(62)]
    assert [answer.status_code for answer in answers] == [401] * 60 + [429] * 2
    assert answers[-1].json()["code"] == "RATE_LIMITED"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert len(hashes) == 60
    clock.advance(timedelta(minutes=1))
    assert office.log_in(username="another", password=WRONG).status_code == 401


@sqlite_only
def test_the_limit_counts_the_address_that_a_trusted_proxy_reports(
    make_product: ProductMaker, hashes: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LOGINS_PER_CLIENT", Limit("login", 2, timedelta(minutes=1)))
    body = {"username": ADMIN, "password": WRONG}
    behind_proxy, direct = make_product(trusted_proxies="127.0.0.1"), make_product()

    def tries(product: Product, *chains: str) -> list[int]:
        return [
            product.http.post(
                "/api/admin/login", json=body | {"username": chain}, headers={"x-forwarded-for": chain}
            ).status_code
            for chain in chains
        ]

    assert tries(direct, "203.0.113.1", "203.0.113.2", "203.0.113.3") == [401, 401, 429]
    assert tries(behind_proxy, "198.51.100.1", "198.51.100.2", "198.51.100.3") == [401] * 3
    # What stands before the proxy's own entry was written by the caller.
    forged = [f"192.0.2.{n}, 198.51.100.9" for n in range(4)]
    assert tries(behind_proxy, *forged) == [401, 401, 429, 429]


@sqlite_only
class TestTheQueue:
    def test_when_it_is_full_nothing_is_counted(self, office: Product, hashes: list[bytes]) -> None:
        queue = office.runtime.part(PasswordHasher).queue
        queue.limits = QueueLimits(strangers=0, all=0)
        answers = [office.log_in(password=WRONG) for _ in range(6)]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(503, "UNAVAILABLE")}
        assert answers[0].headers["retry-after"] == "5"
        assert "混み合っています" in answers[0].json()["message"]
        assert hashes == []
        assert office.rows(Lockout) == []
        assert office.rows(RateLimit) == []
        queue.limits = LIMITS
        assert office.log_in(password=WRONG).status_code == 401
        assert len(hashes) == 1

    def test_a_known_device_gets_in_while_strangers_fill_it(self, office: Product) -> None:
        assert office.log_in().status_code == 200
        office.runtime.part(PasswordHasher).queue.limits = QueueLimits(strangers=0, all=1)
        assert office.log_in().status_code == 200
        with office.client() as stranger:
            assert office.log_in(stranger).status_code == 503
            stranger.cookies.set("tsudoi_device", "made-up")
            assert office.log_in(stranger).status_code == 503
