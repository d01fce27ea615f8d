"""G4 for answers: many keys, ten parallel copies of each, on a clock that never shows the same second twice."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from tests.concurrency.threads import at_once
from tests.conftest import NOON
from tests.factories.events import liff_cookie, make_event, make_members
from tests.factories.product import Product, running_product
from tests.factories.webhooks import user_id
from tests.product_fixtures import postgresql_only
from tests.servers import nobody_there
from tests.sizes import size
from tsudoi.core import idempotency
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import KeyScope, KeyTaken, Reply
from tsudoi.core.models import IdempotencyKey
from tsudoi.events.answers.models import EventResponse

KEYS, COPIES, THREADS = size(40, 1000), 10, 12
MEMBERS = (101, 102, 103, 104)
# Who sends, under which key, what.
Request = tuple[int, str | None, str]


class TickingClock:
    """A second later at every look: an answer that was made twice cannot look like the first."""

    def __init__(self) -> None:
        self._ticks = count()

    def now(self) -> datetime:
        return NOON + timedelta(seconds=next(self._ticks))


@pytest.fixture
def product(database_url: str, tmp_path: Path) -> Iterator[Product]:
    db = open_database(database_url, TickingClock())
    try:
        with running_product(db, tmp_path / "data", box_url=nobody_there()) as found:
            yield found
    finally:
        db.close()


class Phones:
    """One event, four members; each thread has a connection of its own and sends for any of them."""

    def __init__(self, product: Product) -> None:
        db = product.db
        self._product = product
        self._url = f"/api/liff/events/{make_event(db, make_members(db, *MEMBERS), extra_text_enabled=1)}/respond"
        self._cookies = {number: f"tsudoi_liff={liff_cookie(db, user_id(number))}" for number in MEMBERS}

    def send(self, http: httpx2.Client, member_id: int, key: str | None, text: str) -> httpx2.Response:
        headers = {"cookie": self._cookies[member_id], **({"idempotency-key": key} if key else {})}
        return http.post(self._url, json={"status": "attend", "extra_text": text}, headers=headers)

    def send_all(self, requests: list[Request]) -> list[tuple[Request, httpx2.Response]]:
        def work(number: int) -> list[tuple[Request, httpx2.Response]]:
            with self._product.client() as http:
                return [(request, self.send(http, *request)) for request in requests[number::THREADS]]

        return [pair for pairs in at_once(THREADS, work) for pair in pairs]

    def stored(self) -> Counter[tuple[int, str]]:
        return Counter((row["member_id"], row["extra_text"]) for row in self._product.rows(EventResponse))


@pytest.fixture
def phones(product: Product) -> Phones:
    return Phones(product)


def copies(keys: int = KEYS) -> list[Request]:
    """Every second key is also used by another member, who says something else."""
    asked: list[Request] = []
    for number in range(keys):
        member_id, key = MEMBERS[number % 4], f"key-{number // 2}"
        asked += [(member_id, key, f"{key} of {member_id}")] * COPIES
    Random(4).shuffle(asked)
    return asked


class TestParallelCopies:
    def test_make_one_row_and_get_the_same_bytes(self, phones: Phones) -> None:
        asked = copies()
        bodies: dict[Any, set[bytes]] = defaultdict(set)
        fresh: Counter[Any] = Counter()
        for request, answer in phones.send_all(asked):
            assert answer.status_code == 201, answer.text
            assert answer.json()["extra_text"] == request[2]
            bodies[request].add(answer.content)
            fresh[request] += "idempotent-replayed" not in answer.headers
        assert phones.stored() == Counter((member_id, text) for member_id, _, text in set(asked))
        assert len(bodies) == KEYS
        assert all(len(seen) == 1 for seen in bodies.values())
        assert set(fresh.values()) == {1}

    def test_with_different_bodies_one_body_wins(self, phones: Phones) -> None:
        keys = KEYS // 8
        # Each key has one sender. There are several of them, because nobody may answer more than 30 times a minute.
        numbers = [(n, n % keys) for n in range(keys * COPIES)]
        asked: list[Request] = [(MEMBERS[key % 4], f"key-{key}", f"text {n}") for n, key in numbers]
        outcomes: dict[str | None, list[int]] = defaultdict(list)
        for (_, key, _), answer in phones.send_all(asked):
            outcomes[key].append(answer.status_code)
        assert all(Counter(codes) == {201: 1, 422: COPIES - 1} for codes in outcomes.values())
        assert sum(phones.stored().values()) == keys


class TestControls:
    def test_without_a_key_every_copy_is_an_answer(self, phones: Phones) -> None:
        asked: list[Request] = [(member_id, None, text) for member_id, _, text in copies(4)]
        assert {answer.status_code for _, answer in phones.send_all(asked)} == {201}
        assert set(phones.stored().values()) == {COPIES}

    @postgresql_only
    def test_a_key_that_is_only_looked_up_lets_copies_through(
        self, phones: Phones, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def naive(tx: Tx, scope: KeyScope, _reply: Reply) -> None:
            if tx.scalar(select(IdempotencyKey.key).where(IdempotencyKey.key == scope.key)) is not None:
                raise KeyTaken
            time.sleep(0.2)

        monkeypatch.setattr(idempotency, "keep_new", naive)
        phones.send_all(sorted(copies(4)))
        assert max(phones.stored().values()) > 1
