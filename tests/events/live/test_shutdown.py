"""The server stops at once, although somebody follows an event."""

import time
from contextlib import ExitStack
from pathlib import Path

from tests.access.listening import listening
from tests.events.overview.events import URL, event
from tests.factories.processes import started
from tests.factories.product import ADMIN, PASSWORD
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database


def test_sigterm_ends_the_streams_instead_of_waiting_for_them(tmp_path: Path, migrated_sqlite: Path) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "tsudoi.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    db = open_database(f"sqlite:///{path}", SystemClock())
    made = event(db)
    db.close()
    with started(tmp_path, "serve") as server, ExitStack() as stack:
        with server.client() as http:
            answer = http.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD})
            assert answer.status_code < 300, answer.text
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        url = f"{server.url}{URL}/{made}/live"
        listeners = [stack.enter_context(listening(url, {"cookie": cookie})) for _ in range(5)]
        for listener in listeners:
            listener.until(lambda seen: seen.messages)
        began = time.monotonic()
        assert server.stop() == 0
        # The server gives requests eight seconds to end by themselves; waiting for these would take them all.
        assert time.monotonic() - began < 7
        assert all(listener.ended.wait(60) for listener in listeners)
