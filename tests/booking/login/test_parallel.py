"""Parallel guesses cost five hashes, and parallel refreshes have one successor, on both databases."""

from collections import Counter
from itertools import product as pairs

import pytest

from tests.concurrency.threads import at_once
from tests.factories.booking import Person, make_staff
from tests.factories.product import Product
from tests.product_fixtures import ProductMaker
from tests.sizes import size
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog

THREADS, EACH = 20, size(5, 50)
REFRESHES = 20


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The PINs whose hash was computed."""
    pins: list[str] = []
    compute = PinHasher.compute_match

    def counted(hasher: PinHasher, pin: str, stored: str | None) -> bool:
        pins.append(pin)
        return compute(hasher, pin, stored)

    monkeypatch.setattr(PinHasher, "compute_match", counted)
    return pins


@pytest.mark.row("3.6.13")
@pytest.mark.parametrize("known", [True, False])
def test_parallel_guesses_cost_five_hashes(
    make_product: ProductMaker, db: Database, computed: list[str], known: bool
) -> None:
    """Each guess comes from another address, so that no rate limit helps."""
    product = make_product(trusted_proxies="127.0.0.1")
    person = make_staff(db) if known else Person("", "777")

    def guess(thread: int) -> list[int]:
        with product.client() as http:
            return [
                http.post(
                    "/auth/login",
                    json={"staffId": person.staff_id, "pin": "9042"},
                    headers={"x-forwarded-for": f"10.0.{thread}.{number}"},
                ).status_code
                for number in range(EACH)
            ]

    statuses = Counter(status for found in at_once(THREADS, guess) for status in found)
    assert len(computed) == 5
    assert statuses == {401: 4, 423: THREADS * EACH - 4}
    if known:
        row = product.rows(StaffAccount)[0]
        assert row["pin_retry_count"] == 5
        assert row["pin_locked_until"] is not None


@pytest.mark.row("3.6.25", "3.6.22")
def test_parallel_refreshes_have_one_successor(product: Product, db: Database) -> None:
    token = product.http.post("/auth/login", json=make_staff(db).log_in).json()["refreshToken"]

    def refresh(_thread: int) -> tuple[int, bytes]:
        with product.client() as http:
            answer = http.post("/auth/refresh", json={"refreshToken": token})
            return answer.status_code, answer.content

    answers = at_once(REFRESHES, refresh)
    assert {status for status, _ in answers} == {200}
    assert len({content for _, content in answers}) == 1
    rows = product.rows(RefreshSession)
    assert len(rows) == 2
    assert [row["revoked_at"] is None for row in rows] == [False, True]
    assert "REFRESH_REUSE" not in {row["action"] for row in product.rows(AuditLog)}


@pytest.mark.row("3.6.24")
def test_a_replay_that_races_with_refreshes_leaves_no_live_session(product: Product, db: Database) -> None:
    """Two devices, and the used token of each is replayed while the other one refreshes."""
    person = make_staff(db)
    used, fresh = [], []
    for _ in range(2):
        first = product.http.post("/auth/login", json=person.log_in).json()["refreshToken"]
        second = product.http.post("/auth/refresh", json={"refreshToken": first}).json()["refreshToken"]
        third = product.http.post("/auth/refresh", json={"refreshToken": second}).json()["refreshToken"]
        used.append(first)
        fresh.append(third)
    tokens = [token for pair in pairs(used, fresh) for token in pair]

    def send(thread: int) -> int:
        with product.client() as http:
            return http.post("/auth/refresh", json={"refreshToken": tokens[thread]}).status_code

    assert set(at_once(len(tokens), send)) <= {200, 401}
    live = [row for row in product.rows(RefreshSession) if row["revoked_at"] is None]
    replayed_last = product.http.post("/auth/refresh", json={"refreshToken": used[0]})
    assert replayed_last.status_code == 401
    assert live == []
