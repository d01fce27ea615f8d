"""`/livez`, `/readyz`, `/metrics`: what whoever watches can rely on."""

import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from tests.concurrency.threads import at_once
from tests.factories.product import Product
from tests.factories.webhooks import event
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually
from tsudoi import __version__
from tsudoi.access import health
from tsudoi.access.health import heartbeat_name
from tsudoi.contexts import CONTEXTS
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Tx
from tsudoi.core.heartbeats import beat
from tsudoi.core.models import Heartbeat
from tsudoi.core.settings import Settings


class Usage(NamedTuple):
    total: int
    used: int
    free: int


LOOPS = ("clockwork", *(sender.name for context in CONTEXTS for sender in context.senders))


def all_loops_beat(product: Product) -> None:
    for loop in LOOPS:
        product.db.write_now(beat, heartbeat_name(loop))


@pytest.fixture
def ready(product: Product) -> Product:
    all_loops_beat(product)
    return product


@pytest.fixture(autouse=True)
def always_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PROBE_AGAIN_SECONDS", 0)


def checks(product: Product) -> tuple[int, dict[str, Any]]:
    answer = product.http.get("/readyz")
    return answer.status_code, answer.json()["checks"]


def work(product: Product) -> tuple[int, dict[str, Any]]:
    answer = product.http.get("/readyz")
    return answer.status_code, answer.json()["work"]


@sqlite_only
def test_livez_needs_no_database(product: Product) -> None:
    product.db.close()
    answer = product.http.get("/livez")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "address_from": "connection"})


class TestReadyz:
    def test_is_ok_when_everything_is(self, ready: Product) -> None:
        answer = ready.http.get("/readyz")
        checks, work = ("database", "schema", "disk"), ("worker", "oldest_due_job", "alarms", "notices", "disk")
        fine = {"checks": dict.fromkeys(checks, "ok"), "work": dict.fromkeys(work, "ok")}
        assert answer.json() == {"status": "ok", **fine}
        assert answer.status_code == 200

    def test_really_writes(self, ready: Product, clock: ManualClock) -> None:
        clock.advance(timedelta(seconds=30))
        ready.http.get("/readyz")
        assert {row["name"]: row["at"] for row in ready.rows(Heartbeat)}["readyz"] == clock.now()

    @sqlite_only
    def test_tells_that_the_database_is_away(self, ready: Product) -> None:
        ready.db.close()
        assert checks(ready) == (503, {"database": "UNAVAILABLE"})

    @sqlite_only
    @pytest.mark.parametrize(
        "statement", ["UPDATE alembic_version SET version_num = '0000'", "DELETE FROM alembic_version"]
    )
    def test_tells_of_another_schema(self, ready: Product, statement: str) -> None:
        ready.db.write_now(lambda tx: tx.execute(text(statement)))
        status, found = checks(ready)
        assert status == 503
        assert found["schema"].startswith("found")

    def test_survives_a_database_without_a_schema(self, ready: Product) -> None:
        ready.db.write_now(lambda tx: tx.execute(text("DROP TABLE alembic_version")))
        answer = ready.http.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (503, "fail")

    @sqlite_only
    def test_tells_that_no_worker_is_alive(self, ready: Product, clock: ManualClock) -> None:
        """Another web process would not help, so this one stays in the load balancer."""
        clock.advance(timedelta(minutes=2))
        status, found = work(ready)
        assert (status, found["worker"]) == (200, f"no heartbeat: {', '.join(LOOPS)}")

    @sqlite_only
    def test_names_the_loop_that_is_not_alive(self, ready: Product, clock: ManualClock) -> None:
        clock.advance(timedelta(minutes=2))
        for loop in set(LOOPS) - {"event_broadcasts"}:
            ready.db.write_now(beat, heartbeat_name(loop))
        assert work(ready)[1]["worker"] == "no heartbeat: event_broadcasts"

    @sqlite_only
    def test_tells_that_work_waits_too_long(self, ready: Product, clock: ManualClock) -> None:
        ready.post_webhook(event())
        assert checks(ready)[0] == 200
        clock.advance(timedelta(minutes=5))
        all_loops_beat(ready)
        status, found = work(ready)
        assert status == 200
        assert found["oldest_due_job"].startswith("waiting since")

    @sqlite_only
    def test_tells_that_the_disk_is_nearly_full(self, ready: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**9, 10**9 - 5 * 1024**2, 5 * 1024**2))
        assert checks(ready) == (503, {"database": "ok", "schema": "ok", "disk": "5 MiB left"})

    @pytest.mark.found("24.D5")
    @pytest.mark.row("8.D.18")
    def test_stays_in_service_while_writes_succeed(self, ready: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        """Below 100 MiB it left, although each write succeeded and no other process had another disk."""
        monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**9, 10**9 - 50 * 1024**2, 50 * 1024**2))
        assert checks(ready)[0] == 200
        assert "data: 50 MiB left" in work(ready)[1]["disk"]
        lines = ready.http.get("/metrics").text.splitlines()
        assert f'tsudoi_disk_free_bytes{{place="data"}} {50 * 1024**2}' in lines

    @pytest.mark.found("24.D5")
    @pytest.mark.row("8.D.18")
    def test_looks_at_the_folder_that_is_used(self, ready: Product, tmp_path: Path) -> None:
        folder = ready.settings.data_dir
        folder.rename(tmp_path / "unmounted")
        assert checks(ready) == (503, {"database": "ok", "schema": "ok", "disk": "no such folder"})
        (tmp_path / "unmounted").rename(folder)
        assert checks(ready)[0] == 200
        assert not list(folder.glob(".probe*")), "nothing is left behind"

    def test_parallel_requests_share_one_probe(self, ready: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        """Anybody may ask, and each probe writes to the disk."""
        monkeypatch.setattr(health, "PROBE_AGAIN_SECONDS", 3600)
        probes: list[int] = []
        probe = health._write_and_look

        def counted(tx: Tx) -> dict[str, str]:
            probes.append(1)
            return probe(tx)

        monkeypatch.setattr(health, "_write_and_look", counted)

        def ask(_number: int) -> set[int]:
            with ready.client() as http:
                return {http.get("/readyz").status_code for _ in range(10)}

        assert at_once(8, ask) == [{200}] * 8
        assert len(probes) == 1

    @sqlite_only
    def test_a_failure_is_found_again_after_a_moment(self, ready: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(health, "PROBE_AGAIN_SECONDS", 0.2)
        assert checks(ready)[0] == 200
        ready.db.close()
        eventually(lambda: checks(ready) == (503, {"database": "UNAVAILABLE"}))


class TestMetrics:
    def test_count_requests_by_route_and_waiting_work(self, product: Product) -> None:
        product.post_webhook(event())
        product.http.get("/api/admin/me")
        product.http.get("/api/secret-token-in-a-path")
        told = product.http.get("/metrics").text
        assert 'tsudoi_http_requests_total{method="POST",route="/api/line/webhook",status="200"} 1.0' in told
        assert 'route="/api/admin/me",status="401"' in told
        assert 'tsudoi_outbox_rows{outbox="line_events",status="PENDING"} 1' in told
        assert "secret-token" not in told

    @sqlite_only
    def test_tell_how_old_the_work_and_the_heartbeats_are(self, ready: Product, clock: ManualClock) -> None:
        ready.post_webhook(event())
        clock.advance(timedelta(seconds=90))
        ready.db.write_now(beat, heartbeat_name("clockwork"))
        told = ready.http.get("/metrics").text.splitlines()
        assert 'tsudoi_outbox_oldest_due_age_seconds{outbox="line_events"} 90' in told
        assert 'tsudoi_heartbeat_age_seconds{loop="clockwork"} 0' in told
        assert 'tsudoi_heartbeat_age_seconds{loop="line_inbox"} 90' in told

    @sqlite_only
    def test_unknown_methods_do_not_become_labels(self, product: Product) -> None:
        for number in range(3):
            product.http.request(f"METHOD{number}", "/livez")
        assert "METHOD" not in product.http.get("/metrics").text

    @pytest.mark.found("24.D3")
    @pytest.mark.row("8.A.24")
    def test_say_which_program_answers(self, product: Product) -> None:
        told = product.http.get("/metrics").text
        [line] = [line for line in told.splitlines() if line.startswith("tsudoi_build_info{")]
        database = "sqlite" if product.settings.on_sqlite else "postgresql"
        for label in (f'version="{__version__}"', f'database="{database}"', 'python="3.', 'commit="'):
            assert label in line
        assert line.endswith("} 1.0")

    @sqlite_only
    def test_ask_for_their_token_when_one_is_set(self, make_product: ProductMaker) -> None:
        product = make_product(metrics_token="metrics-token-of-the-tests")
        for given in (None, "", "Bearer wrong", "metrics-token-of-the-tests", "Bearer é"):
            headers = {} if given is None else {b"authorization": given.encode()}
            assert product.http.get("/metrics", headers=headers).status_code == 401
        good = {"authorization": "Bearer metrics-token-of-the-tests"}
        assert product.http.get("/metrics", headers=good).status_code == 200

    @sqlite_only
    def test_still_tell_what_the_process_knows_when_the_database_is_away(self, product: Product) -> None:
        product.db.close()
        answer = product.http.get("/metrics")
        assert answer.status_code == 200
        assert "tsudoi_http_requests_total" in answer.text


@pytest.mark.found("24.D5")
@pytest.mark.row("8.D.18")
class TestDisk:
    def test_a_folder_that_nobody_may_write_to_is_said(self, tmp_path: Path) -> None:
        """In a process without the rights of root, which may write everywhere."""
        settings = Settings(_env_file=None, data_dir=tmp_path)
        assert health.disk_fault(settings) is None
        program = (
            "import os, sys; from pathlib import Path; from types import SimpleNamespace\n"
            "from tsudoi.access import health; os.setuid(65534) if os.getuid() == 0 else None\n"
            "print(health.disk_fault(SimpleNamespace(data_dir=Path(sys.argv[1]))))"
        )
        for folder in (tmp_path, *tmp_path.parents[:-2]):
            folder.chmod(0o755)
        tmp_path.chmod(0o500)
        done = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=False)
        assert done.stdout.strip() == "cannot be written: Permission denied", done.stderr

    def test_a_folder_that_is_not_there_yet_counts_as_its_parent(self, tmp_path: Path) -> None:
        settings = Settings(_env_file=None, data_dir=tmp_path / "not" / "yet")
        assert set(health.free_bytes(settings)) == {"data", "database", "backup"}
        assert health.disk_fault(settings) == "no such folder"
