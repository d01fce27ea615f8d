"""Mail servers misbehave, senders are killed, several send at once: each mail arrives once, or is shown as unknown.

Each check stands next to mutants that it must find: without them, "no violations" could mean that nothing was checked.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.threads import at_once
from tests.factories.forks import FORKS
from tests.factories.product import Box
from tests.notifications.mails import senders
from tests.notifications.mails.post import PostOffice, draft, mail_runtime
from tests.product_fixtures import box, plain_log, shared_box, sqlite_only
from tests.servers import eventually
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.mail import MailClient
from tsudoi.gateway.clients.mail_outcomes import MailUnknown
from tsudoi.notifications.mails import jobs, service
from tsudoi.notifications.mails.rules import outcomes

__all__ = ["box", "plain_log", "shared_box"]

MAILS = size(120, 2_000)
KILLS = size(4, 40)
# One in five conversations goes wrong, in every way there is.
KINDS = (
    "smtp_421",
    "smtp_450",
    "smtp_550",
    "smtp_silence",
    "smtp_drip",
    "timeout_before_accept",
    "timeout_after_accept",
    "drop_connection",
)
Process = Any


@pytest.fixture
def post(db: Database, box: Box, clock: ManualClock, tmp_path: Path, plain_log: None) -> Iterator[PostOffice]:
    with mail_runtime(db, box.smtp_url, tmp_path / "data", seconds=0.7) as runtime:
        yield PostOffice(runtime, box, clock)


@pytest.fixture
def start(post: PostOffice, database_url: str, tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start a sender as a process of its own, at the time of the tests' clock."""
    begun: list[Process] = []

    def begin(client: type[MailClient] = MailClient) -> Process:
        where = (database_url, post.box.smtp_url, str(tmp_path / "data"), post.clock.now().isoformat())
        begun.append(FORKS.Process(target=senders.send, args=(client.__name__, *where), daemon=True))
        begun[-1].start()
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.join(60)


def misbehave(box: Box, seed: int, percent: float = 20.0, kinds: Sequence[str] = KINDS) -> None:
    each = {"percent": percent / len(kinds), "seconds": 5, "endpoint": "smtp"}
    rules = [{"kind": kind, "seed": seed + number, **each} for number, kind in enumerate(kinds)]
    box.http.put("/_sandbox/faults", json={"rules": rules}).raise_for_status()


def violations(post: PostOffice) -> list[str]:
    """What must never be: a mail that is told to have arrived and did not, one that arrived twice, one that is lost."""
    arrived = Counter(mail["message_id"] for mail in post.box.mails())
    allowed = {"DONE": (1,), "FAILED": (0,), "UNKNOWN": (0, 1), "CALLED_OFF": (0,)}
    return [
        f"{row['status']}, arrived {times} times"
        for row in post.rows()
        if (times := arrived[row["message_id"]]) not in allowed.get(row["status"], ())
    ]


class TestKilled:
    @pytest.mark.parametrize(
        ("client", "status", "arrived"),
        [
            (senders.DyingBeforeTheContent, "DONE", 1),
            (senders.DyingInTheContent, "UNKNOWN", 0),
            (senders.DyingAfterTheDot, "UNKNOWN", 1),
        ],
    )
    def test_at_the_worst_moments(
        self, post: PostOffice, start: Callable[..., Process], client: type[MailClient], status: str, arrived: int
    ) -> None:
        post.enqueue(draft())
        dying = start(client)
        dying.join(60)
        assert dying.exitcode == -9
        assert post.row()["status"] == "PENDING"
        post.drain()
        assert post.row()["status"] == "PENDING", "the lease is still held"
        post.clock.advance(service.LEASE)
        post.until_settled()
        assert (post.row()["status"], len(post.box.mails())) == (status, arrived)
        assert violations(post) == []

    def test_at_any_moment_with_faults(self, post: PostOffice, start: Callable[..., Process]) -> None:
        seed = random.randrange(10**6)
        moments, mailbox = random.Random(seed), post.box.world.mailbox
        post.enqueue(*map(draft, range(MAILS)))
        misbehave(post.box, seed)
        for _ in range(KILLS):
            before = mailbox._count
            both = [start(), start()]
            eventually(lambda: mailbox._count > before or not any(one.is_alive() for one in both))  # noqa: B023
            time.sleep(moments.uniform(0, 0.3))
            for one in both:
                one.kill()
                one.join(60)
            post.clock.advance(service.LEASE)
        post.until_settled()
        assert violations(post) == [], f"seed {seed}"
        assert {row["status"] for row in post.rows()} >= {"DONE"}


class TestSeveralAtOnce:
    def test_each_mail_is_sent_by_one_of_them(self, post: PostOffice, database_url: str, tmp_path: Path) -> None:
        post.enqueue(*map(draft, range(MAILS)))
        misbehave(post.box, 3)
        other = open_database(database_url, post.clock)
        try:
            with mail_runtime(other, post.box.smtp_url, tmp_path / "data", seconds=0.7) as second:
                workers = [post.runtime.part(jobs.MailSender), second.part(jobs.MailSender)]
                for _ in range(60):
                    at_once(2, lambda number: workers[number].run(time.monotonic() + 60))
                    if not any(row["status"] == "PENDING" for row in post.rows()):
                        break
                    post.clock.advance(timedelta(minutes=31))
        finally:
            other.close()
        assert violations(post) == []
        counted = Counter(row["status"] for row in post.rows())
        assert counted["DONE"] > MAILS / 2
        assert counted["UNKNOWN"] > 0, "the faults were there"


@sqlite_only
class TestMutants:
    """The same faults and the same check: one thing is done wrongly, and it is found."""

    def run(self, post: PostOffice) -> list[str]:
        post.enqueue(*map(draft, range(60)))
        misbehave(post.box, 11, 40, ("timeout_before_accept", "timeout_after_accept", "smtp_450"))
        post.until_settled()
        return violations(post)

    def test_as_it_is_nothing_is_found(self, post: PostOffice) -> None:
        assert self.run(post) == []

    def test_trying_again_after_silence_sends_twice(self, post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
        real = outcomes.verdict_of

        def hopeful(outcome: Any) -> Any:
            unknown = isinstance(outcome, MailUnknown)
            return (outcomes.MailVerdict.NOT_NOW, "hoped") if unknown else real(outcome)

        monkeypatch.setattr(service, "verdict_of", hopeful)
        assert any("arrived 2 times" in found for found in self.run(post))

    def test_taking_silence_for_a_yes_loses_mails(self, post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
        real = outcomes.verdict_of

        def trusting(outcome: Any) -> Any:
            unknown = isinstance(outcome, MailUnknown)
            return (outcomes.MailVerdict.SENT, None) if unknown else real(outcome)

        monkeypatch.setattr(service, "verdict_of", trusting)
        assert any("DONE, arrived 0 times" in found for found in self.run(post))

    def test_without_the_mark_before_the_content_a_killed_sender_sends_twice(
        self, post: PostOffice, start: Callable[..., Process], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The killed process has marked its row; the mark is taken away, as if there were none."""
        post.enqueue(draft())
        start(senders.DyingAfterTheDot).join(60)
        monkeypatch.setattr(service, "_end_interrupted_and_late", lambda _tx: None)
        post.clock.advance(service.LEASE)
        post.until_settled()
        assert violations(post) == ["DONE, arrived 2 times"]
