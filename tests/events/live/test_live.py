"""The office follows the answers as they come."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert, update

from tests.access.listening import Listener, listening
from tests.events.overview.events import URL, answer, answers, event, people, pushed
from tests.factories.product import ADMIN, PASSWORD, Product
from tests.product_fixtures import postgresql_only, sqlite_only
from tests.roster.members.people import code, office
from tests.sizes import size
from tsudoi.access import event_stream
from tsudoi.core import sessions
from tsudoi.core.db.interface import Database
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.event.models import Event
from tsudoi.events.live import queries
from tsudoi.events.live.schemas import LiveUpdate

Open = Callable[..., AbstractContextManager[Listener]]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.3)


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


@pytest.fixture
def follow(product: Product, http: httpx2.Client) -> Open:
    def start(event_id: int, last_id: str | None = None) -> AbstractContextManager[Listener]:
        headers = {"authorization": http.headers["authorization"]}
        return listening(f"{product.url}{URL}/{event_id}/live", headers, last_id)

    return start


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The id of the event, each time that an event was read."""
    seen: list[int] = []
    real = queries.read_event

    def counted(tx: Any, event_id: int, *more: Any) -> Any:
        seen.append(event_id)
        return real(tx, event_id, *more)

    monkeypatch.setattr(queries, "read_event", counted)
    return seen


def started(listener: Listener) -> bool:
    return bool(listener.messages)


class TestStream:
    def test_begins_with_how_things_stand_and_goes_on_with_what_comes(self, product: Product, follow: Open) -> None:
        members = people(product.db, "山田太郎", "佐藤花子")
        made = event(product.db, members)
        answer(product.db, made, 101, "attend")
        with follow(made) as listener:
            listener.until(started)
            assert listener.status == 200
            assert listener.answer_headers["content-type"].startswith("text/event-stream")
            assert listener.answer_headers["cache-control"] == "no-store"
            assert listener.answer_headers["x-accel-buffering"] == "no"
            first = listener.messages[0]
            assert (first.kind, first.body["reload"]) == ("snapshot", True)
            assert first.body["counts"] == {"attend": 1, "absent": 0, "pending": 1}
            assert (first.body["push"], first.body["push_stats"], first.body["answers"]) == (None, None, [])
            given = answer(product.db, made, 102, "absent", "出張\nのため", via="admin")
            listener.until(lambda seen: given in seen.answer_ids())
            last = listener.messages[-1]
            assert last.kind == "answers"
            assert last.body["counts"] == {"attend": 1, "absent": 1, "pending": 0}
            assert last.body["answers"] == [
                {
                    "id": given,
                    "member_id": 102,
                    "status": "absent",
                    "extra_text": "出張\nのため",
                    "responded_at": "2025-08-16T12:00:00+09:00",
                    "via": "admin",
                }
            ]
        for message in listener.messages:
            LiveUpdate.model_validate(message.body, strict=True)

    def test_tells_when_the_event_or_the_sending_changed(self, product: Product, follow: Open) -> None:
        made = event(product.db)
        with follow(made) as listener:
            listener.until(started)
            _change(product.db, made, title="理事会（変更）", sequence=1)
            listener.until(lambda seen: seen.messages[-1].body["event"]["title"] == "理事会（変更）")
            _change(product.db, made, cancelled_at=product.db.clock.now())
            listener.until(lambda seen: seen.messages[-1].body["event"]["cancelled"])
            pushed(product.db, made, 3, 1)
            listener.until(lambda seen: seen.messages[-1].body["push_stats"])
            assert listener.messages[-1].body["push_stats"]["success"] == 3
            assert listener.answer_ids() == []
            count = len(listener.messages)
            listener.until(lambda seen: seen.beats > 6)
            assert len(listener.messages) == count, "nothing changed, nothing told"

    def test_of_no_event_or_for_nobody_is_refused_before_it_begins(self, product: Product, http: httpx2.Client) -> None:
        assert code(http.get(f"{URL}/999/live")) == (404, "NOT_FOUND")
        made = event(product.db)
        with product.client() as stranger:
            assert code(stranger.get(f"{URL}/{made}/live")) == (401, "UNAUTHENTICATED")

    @sqlite_only
    def test_ends_by_itself_when_its_time_is_over(
        self, product: Product, follow: Open, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(event_stream, "LIFETIME", 0.5)
        with follow(event(product.db)) as listener:
            assert listener.ended.wait(60)
            assert listener.messages

    def test_ends_when_the_session_is_gone(self, product: Product) -> None:
        made = event(product.db)
        with product.client() as other:
            product.log_in(other, ADMIN, PASSWORD).raise_for_status()
            cookie = "; ".join(f"{name}={value}" for name, value in other.cookies.items())
            with listening(f"{product.url}{URL}/{made}/live", {"cookie": cookie}) as listener:
                listener.until(lambda seen: seen.beats > 1)
                product.db.write_now(lambda tx: sessions.revoke_all(tx, "admin", "1"))
                assert listener.ended.wait(60)


class TestReconnect:
    def test_goes_on_without_a_loss(self, product: Product, follow: Open) -> None:
        members = people(product.db, *(f"会員{number}" for number in range(30)))
        made = event(product.db, members)
        given = [answer(product.db, made, members[0])]
        heard: set[int] = set()
        last_id: str | None = None
        for number in range(3):
            with follow(made, last_id) as listener:
                listener.until(started)
                assert listener.messages[0].body["reload"] is (number == 0)
                given.append(answer(product.db, made, members[number]))
                listener.until(lambda seen: given[-1] in seen.answer_ids())
                heard.update(listener.answer_ids())
                assert listener.messages[-1].body["counts"]["attend"] == number + 1
            last_id = listener.last_id
            given.append(answer(product.db, made, members[number], "attend"))
        with follow(made, last_id) as listener:
            listener.until(lambda seen: given[-1] in seen.answer_ids())
            heard.update(listener.answer_ids())
        assert heard >= set(given[1:]), "the first was there before anybody looked"

    @sqlite_only
    def test_is_told_to_fetch_all_anew_after_too_much_or_from_nowhere(self, product: Product, follow: Open) -> None:
        members = people(product.db, *(f"会員{number}" for number in range(event_stream.MOST_MISSED + 1)))
        made = event(product.db, members)
        answers(product.db, made, [(member_id, "attend", None, None, "liff") for member_id in members])
        for last_id, reload in {"0": True, "1": False, "99999999": True, "x": True, "-1": True, "9" * 30: True}.items():
            with follow(made, last_id) as listener:
                listener.until(started)
                assert listener.messages[0].body["reload"] is reload, last_id
                assert listener.messages[0].body["counts"]["attend"] == event_stream.MOST_MISSED + 1
                if not reload:
                    listener.until(lambda seen: len(seen.answer_ids()) == event_stream.MOST_MISSED)

    @postgresql_only
    def test_finds_an_answer_that_was_committed_after_a_later_one(self, product: Product, follow: Open) -> None:
        """The ids are given out before the commit; the answer with the smaller one may appear last."""
        members = people(product.db, "山田太郎", "佐藤花子")
        made = event(product.db, members)
        numbers = answer(product.db, made, 101)
        with follow(made) as listener:
            listener.until(started)
            _answer_with_id(product.db, made, 102, numbers + 10)
            listener.until(lambda seen: numbers + 10 in seen.answer_ids())
            _answer_with_id(product.db, made, 101, numbers + 5)
            listener.until(lambda seen: numbers + 5 in seen.answer_ids())


class TestManyListeners:
    def test_cause_as_many_reads_as_one(self, product: Product, follow: Open, reads: list[int]) -> None:
        members = people(product.db, "山田太郎")
        made = event(product.db, members)
        with ExitStack() as stack:
            listeners = [stack.enter_context(follow(made)) for _ in range(size(20, 50))]
            for listener in listeners:
                listener.until(started)
            reads.clear()
            given = [answer(product.db, made, 101, status) for status in ("attend", "absent", "attend")]
            for listener in listeners:
                listener.until(lambda seen: given[-1] in seen.answer_ids())
            listeners[0].until(lambda _seen: len(reads) >= 5)
            count_before = len(reads)
            beats = listeners[0].beats
            listeners[0].until(lambda seen: seen.beats >= beats + 7)
            # Seven beats of 0.3 s are two intervals, or somewhat more when the machine is busy.
            assert len(reads) - count_before <= 8
            for listener in listeners:
                listener.leaving.set()
        assert all(listener.answer_ids() == given for listener in listeners)

    @sqlite_only
    def test_that_have_all_left_cause_no_reads(self, product: Product, follow: Open, reads: list[int]) -> None:
        made = event(product.db)
        with follow(made) as listener:
            listener.until(started)
        with follow(event(product.db)) as other:
            other.until(lambda seen: seen.beats > 2)
            reads.clear()
            other.until(lambda seen: seen.beats > 8)
            assert made not in reads


def _change(db: Database, event_id: int, **values: Any) -> None:
    db.write_now(lambda tx: tx.execute(update(Event).where(Event.id == event_id).values(values)))


def _answer_with_id(db: Database, event_id: int, member_id: int, number: int) -> None:
    def write(tx: Any) -> None:
        row = {"id": number, "event_id": event_id, "member_id": member_id, "status": "attend", "via": "liff"}
        tx.execute(insert(EventResponse).values({**row, "responded_at": tx.now}))

    db.write_now(write)
