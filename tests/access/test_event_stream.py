"""The event stream serves any subject: here an invented kind, the shelf, beside the events of the product."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import pytest
from fastapi import APIRouter

from tests.access.listening import Listener, listening
from tests.events.overview.events import answer, event, people
from tests.factories.product import ADMIN, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import office
from tsudoi.access import event_stream
from tsudoi.access.admins import service as admins
from tsudoi.access.event_stream import EventStream, LastEventId, LiveSource
from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep
from tsudoi.access.principals import still_allowed
from tsudoi.core.feed import Snapshot
from tsudoi.events.live import endpoints as events_live

Follow = Callable[..., AbstractContextManager[Listener]]


class Shelf:
    """A subject with a number of books, to which new ones are added."""

    def __init__(self) -> None:
        self.books: list[str] = []
        self.reads: list[int] = []

    async def stream(
        self, shelf_id: int, admin: AdminDep, db: DatabaseDep, runtime: RuntimeDep, last_event_id: LastEventId = None
    ) -> EventStream:
        known = len(self.books)

        async def read() -> Snapshot[int, str]:
            nonlocal known
            self.reads.append(shelf_id)
            new, known = self.books[known:], len(self.books)
            return Snapshot(known, new, known)

        async def after(mark: int, limit: int) -> list[str]:
            return self.books[mark:][:limit]

        def render(state: int, items: Sequence[str]) -> dict[str, object]:
            return {"total": state, "books": items}

        source = LiveSource(("shelf", shelf_id), lambda: read, after, render)
        return event_stream.event_stream(runtime.feeds, source, last_event_id, lambda: db.read(still_allowed, admin))


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def product(make_product: ProductMaker, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Product:
    """The product with one more route, `/api/admin/shelves/{shelf_id}/live`."""
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.3)
    more = APIRouter(tags=["shelves"])
    more.add_api_route("/api/admin/shelves/{shelf_id}/live", shelf.stream, response_model=None)
    monkeypatch.setattr(events_live.router, "routes", [*events_live.router.routes, *more.routes])
    return make_product()


@pytest.fixture
def follow(product: Product) -> Follow:
    headers = {"authorization": office(product).headers["authorization"]}

    def start(path: str, last_id: str | None = None) -> AbstractContextManager[Listener]:
        return listening(f"{product.url}/api/admin/{path}/live", headers, last_id)

    return start


def started(listener: Listener) -> bool:
    return bool(listener.messages)


def books(listener: Listener) -> list[str]:
    return [title for message in listener.messages for title in message.body["books"]]


@sqlite_only
class TestAnySubject:
    def test_never_mixes_with_an_event_of_the_same_number(self, product: Product, follow: Follow, shelf: Shelf) -> None:
        members = people(product.db, "山田太郎")
        made = event(product.db, members)
        with follow(f"events/{made}") as at_event, follow(f"shelves/{made}") as at_shelf:
            at_event.until(started)
            at_shelf.until(started)
            given = answer(product.db, made, members[0])
            product.runtime.feeds.nudge(("event", made))
            at_event.until(lambda seen: given in seen.answer_ids())
            shelf.books.append("枕草子")
            product.runtime.feeds.nudge(("shelf", made))
            at_shelf.until(books)
            beats = at_event.beats, at_shelf.beats
            at_event.until(lambda seen: seen.beats > beats[0] + 4)
            at_shelf.until(lambda seen: seen.beats > beats[1] + 4)
        assert at_event.answer_ids() == [given]
        assert [message.kind for message in at_event.messages] == ["snapshot", "answers"]
        assert books(at_shelf) == ["枕草子"]
        assert [(message.kind, message.body["total"]) for message in at_shelf.messages] == [
            ("snapshot", 0),
            ("update", 1),
        ]

    def test_resumes_where_the_client_was(self, follow: Follow, shelf: Shelf) -> None:
        shelf.books += ["枕草子", "徒然草", "方丈記"]
        with follow("shelves/1", "1") as listener:
            listener.until(books)
            assert listener.answer_headers["content-type"].startswith("text/event-stream")
            assert "content-encoding" not in listener.answer_headers
        assert [message.body.get("reload") for message in listener.messages] == [False, None]
        assert books(listener) == ["徒然草", "方丈記"]
        assert listener.last_id == "3"

    def test_is_read_only_while_it_is_followed(self, follow: Follow, shelf: Shelf) -> None:
        with follow("shelves/1") as listener:
            listener.until(started)
        with follow("shelves/2") as other:
            other.until(lambda seen: seen.beats > 2)
            shelf.reads.clear()
            other.until(lambda _seen: len(shelf.reads) > 1)
            assert set(shelf.reads) == {2}


ENDINGS: dict[str, Callable[[Product, dict[str, str]], object]] = {
    "log-out": lambda product, headers: product.http.post("/api/admin/logout", headers=headers).raise_for_status(),
    "disabling": lambda product, _: product.db.write_now(admins.disable, ADMIN),
    "revoking": lambda product, _: product.db.write_now(admins.revoke, ADMIN),
}


@sqlite_only
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_stream_ends_soon_after_its_session(
    product: Product, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """Much sooner than at the next heartbeat."""
    monkeypatch.setattr(event_stream, "HEARTBEAT", 600.0)
    monkeypatch.setattr(event_stream, "CHECKED_EVERY", 0.2)
    product.make_admin()
    product.make_admin("somebody-else")
    csrf = product.log_in().json()["csrf_token"]
    cookies = "; ".join(f"{name}={value}" for name, value in product.http.cookies.items())
    with listening(f"{product.url}/api/admin/shelves/1/live", {"cookie": cookies}) as listener:
        listener.until(started)
        ENDINGS[ending](product, {"x-csrf-token": csrf})
        assert listener.ended.wait(20)
