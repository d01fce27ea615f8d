"""What the clockwork removes: a few rows at a time, nothing young, nothing that waits, and no documented history."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select, update

from tests.factories.product import Product
from tests.factories.webhooks import event, user_id
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box, sqlite_only
from tsudoi.access.admins.models import AdminUser, TrustedDevice
from tsudoi.access.registration import in_batches
from tsudoi.contexts import CONTEXTS
from tsudoi.core import forgetting, heartbeats, sessions
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.heartbeats import BACKUP, beat
from tsudoi.core.log_files import delete_old_logs
from tsudoi.core.models import AuditLog, Heartbeat, Session
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.models import ApiCallLog
from tsudoi.line.inbox.models import LineEvent
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.rules.drafts import MailDraft
from tsudoi.notifications.mails.service import enqueue

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

JOBS = {job.name: job for context in CONTEXTS for job in context.clockwork}


def run_clockwork(runtime: Runtime) -> None:
    """Everything that the worker does by the clock to remove something."""
    for name, job in JOBS.items():
        if name.startswith(("forget_", "delete_")):
            job.job(runtime)


def number(db: Database, model: type[Base], *conditions: Any) -> int:
    return int(db.read_now(lambda tx: tx.scalar(select(func.count()).select_from(model).where(*conditions))))


class TestInBatches:
    def test_removes_all_in_transactions_of_a_few(self, db: Database, clock: ManualClock, product: Product) -> None:
        for who in range(7):
            db.write_now(sessions.open_session, "liff", user_id(who), {}, timedelta(hours=1))
        clock.advance(timedelta(days=40))
        db.write_now(sessions.open_session, "liff", user_id(9), {}, timedelta(hours=1))
        sizes: list[int] = []

        def some(tx: Tx, kept_for: timedelta) -> int:
            removed = forgetting.delete_some(tx, Session, Session.expires_at < tx.now - kept_for, most=3)
            sizes.append(removed)
            return removed

        assert in_batches(some, lambda settings: settings.keep_sessions_days)(product.runtime) == 7
        assert sizes == [3, 3, 1, 0]
        assert number(db, Session) == 1

    @sqlite_only
    def test_stops_with_the_worker(self, product: Product) -> None:
        product.runtime.stopping.set()
        tried = threading.Event()

        def never(_tx: Tx) -> int:
            tried.set()
            return 1

        in_batches(never)(product.runtime)
        assert not tried.is_set()


class TestWhatIsRemoved:
    def test_in_time_and_not_before(self, product: Product, clock: ManualClock) -> None:
        db = product.db
        fill(product)
        audit = number(db, AuditLog)
        run_clockwork(product.runtime)
        assert (number(db, LineEvent), number(db, ApiCallLog), number(db, TrustedDevice)) == (2, 1, 1)
        assert number(db, MailMessage, MailMessage.text != "") == 2
        clock.advance(timedelta(days=401))
        db.write_now(beat, "worker:new")
        run_clockwork(product.runtime)
        # The follow event was never handled: what waits is not removed.
        assert number(db, LineEvent) == number(db, LineEvent, LineEvent.status == "PENDING") == 1
        assert (number(db, ApiCallLog), number(db, TrustedDevice), number(db, Session)) == (0, 0, 0)
        # That a mail was sent stays on record, and one that waits keeps its text.
        assert number(db, MailMessage) == 2
        assert number(db, MailMessage, MailMessage.text != "", MailMessage.status == "PENDING") == 1
        assert number(db, MailMessage, MailMessage.text == "", MailMessage.to_address != "") == 1
        assert {row["name"] for row in product.rows(Heartbeat)} == {BACKUP, "worker:new"}
        assert number(db, AuditLog) == audit

    def test_heartbeats_of_living_loops_stay(self, db: Database, clock: ManualClock) -> None:
        db.write_now(beat, "worker:old")
        clock.advance(timedelta(days=91))
        db.write_now(beat, "worker:new")
        assert db.write_now(heartbeats.forget_old) == 1
        assert number(db, Heartbeat, Heartbeat.name == "worker:new") == 1


def fill(product: Product) -> None:
    product.post_webhook(event("message", message={"type": "text", "id": "1", "text": "秘密の話"})).raise_for_status()
    product.post_webhook(event()).raise_for_status()
    product.db.write_now(_fill)


def _fill(tx: Tx) -> None:
    beat(tx, BACKUP)
    beat(tx, "worker:old")
    call = {"target": "line", "operation": "push", "method": "POST", "url": "/", "attempt": 1, "latency_ms": 1}
    tx.execute(insert(ApiCallLog).values(**call, created_at_utc=tx.now))
    times = {"created_at": tx.now, "updated_at": tx.now}
    admin = insert(AdminUser).values(username="office", password_hash="x", **times).returning(AdminUser.id)
    device = {"token_hash": "h", "admin_id": tx.execute(admin).scalar_one(), "created_at": tx.now}
    tx.execute(insert(TrustedDevice).values(**device))
    sessions.open_session(tx, "admin", "1", {}, timedelta(hours=1))
    for one in (1, 2):
        words: dict[str, Any] = {"to_address": "taro@example.jp", "subject": "件名", "text": "本文"}
        enqueue(tx, MailDraft(purpose="TEST", subject_kind="test", subject_id=str(one), host="example.jp", **words))
    tx.execute(update(MailMessage).where(MailMessage.subject_id == "1").values(status="DONE"))


class TestChatTexts:
    @sqlite_only
    def test_are_not_stored(self, product: Product) -> None:
        fill(product)
        kept = {row["type"]: row["payload"] for row in product.rows(LineEvent)}
        assert kept["message"] == {}
        assert kept["follow"]["type"] == "follow"

    @sqlite_only
    def test_nor_is_the_content_of_what_is_done(self, product: Product) -> None:
        product.post_webhook(event("unfollow", who=user_id(5))).raise_for_status()
        [before] = product.rows(LineEvent)
        assert before["payload"]["source"]["userId"] == user_id(5)
        product.drain()
        [after] = product.rows(LineEvent)
        assert (after["status"], after["payload"]) == ("DONE", {})


class TestLogFiles:
    def test_go_by_the_day_in_their_name(self, tmp_path: Path, clock: ManualClock) -> None:
        folder = tmp_path / "line"
        folder.mkdir()
        names = (
            "WEBHOOK-2025-08-01.ndjson",
            "WEBHOOK-2025-08-15.ndjson",
            "2025-07-31.ndjson",
            "WEBHOOK-2025-08-01.2.ndjson",
        )
        for name in (*names, "notes.txt", "undated.ndjson"):
            (folder / name).touch()
        assert delete_old_logs(tmp_path, clock.now(), timedelta(days=10)) == 3
        assert sorted(path.name for path in folder.iterdir()) == [
            "WEBHOOK-2025-08-15.ndjson",
            "notes.txt",
            "undated.ndjson",
        ]
        assert delete_old_logs(tmp_path / "none", clock.now(), timedelta(days=10)) == 0
