"""Mails that really go out: over SMTP to the sandbox, by the worker's step."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.factories.product import Product
from tests.notifications.mails.post import FROM, PostOffice, draft, mail_runtime, rows
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually, free_port
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.gateway.clients.mail import MailClient
from tsudoi.gateway.models import ApiCallLog
from tsudoi.notifications.mails import jobs, service
from tsudoi.notifications.mails.rules.messages import message_bytes


class TestDrain:
    def test_a_mail_arrives_once_with_its_japanese_text(self, post: PostOffice) -> None:
        post.enqueue(draft())
        assert post.drain() > 0
        assert post.drain() == 0
        (mail,) = post.box.mails()
        row = post.row()
        assert (row["status"], row["attempt_count"], row["last_error"]) == ("DONE", 1, None)
        assert mail["to"] == ["staff1@example.jp"]
        assert mail["from"] == "office@tsudoi.example.jp"
        assert mail["headers"]["From"] == FROM
        assert (mail["subject"], mail["message_id"]) == (row["subject"], row["message_id"])
        assert mail["text"].splitlines() == row["text"].splitlines()
        assert mail["headers"]["Auto-Submitted"] == "auto-generated"

    def test_addresses_of_carriers_and_of_japanese_domains_are_reached(self, post: PostOffice) -> None:
        post.enqueue(draft(1, to_address="a..b@docomo.ne.jp"), draft(2, to_address="taro@日本語.jp"))
        post.drain()
        assert sorted(mail["to"][0] for mail in post.box.mails()) == ["a..b@docomo.ne.jp", "taro@xn--wgv71a119e.jp"]

    def test_more_mails_than_threads(self, post: PostOffice) -> None:
        post.enqueue(*map(draft, range(1, 3 * jobs.THREADS + 2)))
        post.drain()
        assert {row["status"] for row in post.rows()} == {"DONE"}
        assert len(post.box.mails()) == 3 * jobs.THREADS + 1

    def test_a_postponed_mail_keeps_its_message_id(self, post: PostOffice) -> None:
        post.box.breaks("smtp_450", "smtp", times=2)
        post.enqueue(draft())
        post.until_settled()
        row = post.row()
        assert (row["status"], row["attempt_count"]) == ("DONE", 3)
        assert [mail["message_id"] for mail in post.box.mails()] == [row["message_id"]]

    def test_a_refused_mail_is_not_tried_again(self, post: PostOffice) -> None:
        post.box.breaks("smtp_550", "smtp", times=1)
        post.enqueue(draft())
        post.until_settled()
        assert (post.row()["status"], post.row()["last_error"]) == ("FAILED", "550 5.1.1 No such user here")
        assert post.box.mails() == []

    @pytest.mark.parametrize(("fault", "arrived"), [("timeout_after_accept", 1), ("timeout_before_accept", 0)])
    def test_silence_after_the_final_dot_parks_it_for_ever(self, post: PostOffice, fault: str, arrived: int) -> None:
        post.box.breaks(fault, "smtp", times=1)
        post.enqueue(draft())
        post.drain()
        assert post.row()["status"] == "UNKNOWN"
        post.clock.advance(timedelta(days=2))
        post.drain()
        assert len(post.box.mails()) == arrived
        assert post.row()["attempt_count"] == 1

    def test_a_silent_conversation_does_not_hold_up_the_others(self, post: PostOffice) -> None:
        post.box.breaks("smtp_silence", "smtp", times=1)
        post.enqueue(*map(draft, range(1, 12)))
        jobs.drain(post.runtime)
        assert len(post.box.mails()) == 10

    def test_a_mail_that_cannot_be_built_fails_alone(self, post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
        real = message_bytes

        def fail_once(mail: Any, *args: Any) -> bytes:
            if mail["subject_id"] == "1":
                raise ValueError("broken")
            return real(mail, *args)

        monkeypatch.setattr(jobs, "message_bytes", fail_once)
        post.enqueue(draft(1), draft(2))
        post.drain()
        assert [row["status"] for row in post.rows()] == ["FAILED", "DONE"]


@sqlite_only
@pytest.mark.found("24.C14")
class TestTheWatch:
    """Whether the mail server takes mails, for a page that is about to promise one."""

    @pytest.mark.usefixtures("plain_log")
    def test_those_who_ask_at_the_same_time_share_one_conversation(self, db: Database, tmp_path: Path) -> None:
        """Otherwise ten people at doors would wait ten times as long for a server that says nothing."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
            with mail_runtime(db, address, tmp_path, seconds=1.0) as runtime, ThreadPoolExecutor(10) as people:
                watch = jobs.MailServerWatch(runtime)
                assert list(people.map(lambda _: watch.takes_mails(), range(10))) == [False] * 10
        # Who comes while a conversation is going on waits for its end; only who came too late for it begins another.
        assert 1 <= len(self.conversations(db)) <= 2

    def test_an_old_answer_is_not_used(self, post: PostOffice) -> None:
        watch = jobs.MailServerWatch(post.runtime)
        assert watch.takes_mails()
        post.box.breaks("smtp_421", "smtp")
        assert not watch.takes_mails()
        post.box.mends()
        assert watch.takes_mails()
        assert [row["status_code"] for row in self.conversations(post.db)] == [250, 421, 250]

    def conversations(self, db: Database) -> list[dict[str, Any]]:
        offers = select(ApiCallLog.__table__).where(ApiCallLog.operation == "offer").order_by(ApiCallLog.id)
        return [dict(row) for row in db.read_now(lambda tx: tx.execute(offers).mappings().all())]


@sqlite_only
class TestStopping:
    def test_nothing_begins_any_more(self, post: PostOffice) -> None:
        post.enqueue(draft())
        post.runtime.begin_stop()
        assert jobs.drain(post.runtime) == 0
        assert post.row()["lease_token"] is None

    def test_a_conversation_before_its_content_ends_and_the_mail_waits(self, post: PostOffice) -> None:
        """The server answers late; meanwhile the process is told to stop."""
        post.box.breaks("smtp_silence", "smtp", seconds=60)
        post.enqueue(draft())
        step = threading.Thread(target=jobs.drain, args=(post.runtime,))
        step.start()
        eventually(lambda: post.box.world.faults.rules[0].fired)
        post.runtime.begin_stop()
        step.join(20)
        assert (post.row()["status"], bool(post.row()["uncertain"])) == ("PENDING", False)

    def test_the_last_question_before_the_content_is_answered_no(
        self, post: PostOffice, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = MailClient.send

        def stop_in_between(self: MailClient, mail: Any, before_content: Any) -> Any:
            post.runtime.begin_stop()
            return real(self, mail, before_content)

        monkeypatch.setattr(MailClient, "send", stop_in_between)
        post.enqueue(draft())
        jobs.drain(post.runtime)
        assert (post.row()["status"], post.box.mails()) == ("PENDING", [])


@sqlite_only
class TestWithoutAServer:
    def test_mails_wait_when_none_is_set(self, db: Database, tmp_path: Path) -> None:
        with mail_runtime(db, None, tmp_path) as runtime:
            db.write_now(service.enqueue, draft())
            assert jobs.drain(runtime) == 0
        assert rows(db)[0]["attempt_count"] == 0

    @pytest.mark.usefixtures("plain_log")
    def test_mails_are_tried_again_when_nobody_is_there(self, db: Database, tmp_path: Path) -> None:
        with mail_runtime(db, f"smtp://127.0.0.1:{free_port()}", tmp_path) as runtime:
            db.write_now(service.enqueue, draft())
            jobs.drain(runtime)
        (row,) = rows(db)
        assert (row["status"], row["attempt_count"]) == ("PENDING", 1)
        assert "ConnectionRefusedError" in row["last_error"]


@sqlite_only
class TestADatabaseThatGoesAway:
    def test_before_the_content_nothing_is_sent(self, post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
        self._away_for(service.begin_content, post, monkeypatch)
        assert post.box.mails() == []
        monkeypatch.undo()
        post.clock.advance(service.LEASE)
        post.drain()
        assert (post.row()["status"], len(post.box.mails())) == ("DONE", 1)

    def test_after_it_the_mail_is_parked_and_not_sent_again(
        self, post: PostOffice, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._away_for(service.settle, post, monkeypatch)
        assert len(post.box.mails()) == 1
        monkeypatch.undo()
        post.clock.advance(service.LEASE)
        post.drain()
        assert (post.row()["status"], len(post.box.mails())) == ("UNKNOWN", 1)

    def _away_for(self, verb: Any, post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
        real = post.db.write_now

        def write_now(wanted: Any, *args: Any, **more: Any) -> Any:
            if wanted in (verb, service.settle):
                raise DatabaseUnavailable
            return real(wanted, *args, **more)

        post.enqueue(draft())
        monkeypatch.setattr(post.db, "write_now", write_now)
        jobs.drain(post.runtime)


class TestInTheProduct:
    @pytest.fixture
    def mailing(self, make_product: ProductMaker, box: Any) -> Product:
        return make_product(smtp_url=box.smtp_url, mail_from=FROM)

    def test_the_worker_sends_and_the_metrics_count(self, mailing: Product, box: Any) -> None:
        """Mails about something that no context of the product checks before they go out."""
        box.breaks("timeout_after_accept", "smtp", seconds=1, times=1)
        for number in (1, 2):
            mailing.db.write_now(service.enqueue, draft(number, subject_kind="test"))
        mailing.drain()
        assert len(box.mails()) == 2
        metrics = mailing.http.get("/metrics").text
        assert 'tsudoi_outbox_rows{outbox="mail_messages",status="UNKNOWN"} 1\n' in metrics
        assert 'tsudoi_outbox_rows{outbox="mail_messages",status="PENDING"} 0\n' in metrics
