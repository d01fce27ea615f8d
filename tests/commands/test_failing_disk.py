"""A server whose disk is full, or whose database file is gone: 503 with the reason, and never a false success."""

import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx2

from tests.commands.test_serve import fresh, post
from tests.factories.processes import started
from tests.servers import eventually, nobody_there

# No file of the server grows beyond this, as on a full disk. Its log on disk is shorter, the database is longer.
SMALL = 200_000
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def test_full_then_free_then_deleted(folder: Path) -> None:
    kept: list[str] = []
    file = folder / "data" / "tsudoi.sqlite3"

    def tell(number: int) -> httpx2.Response:
        told = fresh("message", number)
        answer = post(http, told)
        if answer.status_code == 200:
            kept.append(str(told["webhookEventId"]))
        else:
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "5"
            assert set(answer.json()) == {"code", "message", "details"}
        return answer

    with started(folder, "serve", LINE_API_BASE=nobody_there()) as server, server.client() as http:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (SMALL, resource.RLIM_INFINITY))
        refused = next(answer for answer in map(tell, range(1, 1_000)) if answer.status_code != 200)
        assert "データは変更されていません" in refused.json()["message"]
        assert eventually(lambda: http.get("/readyz").json()["checks"]["database"] == "UNAVAILABLE")
        assert http.get("/livez").status_code == 200
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, UNLIMITED)
        assert eventually(lambda: tell(2_000 + len(kept))).status_code == 200
        with closing(sqlite3.connect(file)) as database:
            stored = [key for (key,) in database.execute("SELECT event_key FROM line_events")]
        assert sorted(stored) == sorted(kept)

        file.rename(file.with_name("elsewhere"))
        gone = tell(5_000)
        assert gone.json()["code"] == "DATABASE_FILE_GONE"
        assert "再起動" in gone.json()["message"]
        assert eventually(lambda: http.get("/readyz").json()["checks"]["database"] == "DATABASE_FILE_GONE")
        assert http.get("/readyz").status_code == 503
        file.with_name("elsewhere").rename(file)
        assert tell(6_000).status_code == 200
        assert server.stop() == 0
    with closing(sqlite3.connect(file)) as database:
        assert sorted(key for (key,) in database.execute("SELECT event_key FROM line_events")) == sorted(kept)
