"""Threads that find a date: the decision itself, the status of a big thread, and an answer.

The first two are measured in processor time too, which varies less than the clock on a machine that others use.
"""

import json
import statistics
import tempfile
import time
from datetime import timedelta
from random import Random
from typing import Any

from sqlalchemy import insert, select, update

from bench.gathering import opened
from bench.load import Result, load, request
from bench.serving import serving
from bench.table import Row
from tests.factories.threads import ALL, MadeThread, make_thread
from tests.postgres import PostgresServer
from tsudoi.access.admins import service as admins
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.scheduling.decision.queries import facts_of
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.decision.rules.facts import DecisionRule, RuleGroup, ThreadFacts
from tsudoi.scheduling.thread.models import ThreadSelection, ThreadSelectionSlot

PEOPLE, SLOTS = 1_000, 50
THREADS, ASKED, REQUESTS, CLIENTS, SECONDS = 100, 20, 40_000, 64, 5
BY_HAND: dict[str, Any] = {**ALL, "finalize_policy": {"auto_finalize": False, "policy": "EARLIEST_VALID"}}


def measure() -> list[Row]:
    """No product with such rules can be run beside ours, so that the answers are compared with raw SQL."""
    with tempfile.TemporaryDirectory() as folder:
        rows = _big(folder)
    with tempfile.TemporaryDirectory() as folder:
        rows += [_answers("SQLite FULL", folder, "", "sqlite")]
        with PostgresServer.started(durable=True) as server, server.database() as url:
            rows += [_answers("PostgreSQL", folder, url, "postgres")]
    return rows


def _big(folder: str) -> list[Row]:
    _, db = opened(folder)
    thread = make_thread(db, *(f"p{n}@example.com" for n in range(PEOPLE)), rule=BY_HAND, slots=SLOTS)
    db.write_now(_answer_all, thread)
    token = db.write_now(admins.create_token, "jimukyoku")
    found = db.read_now(facts_of, thread.id)
    assert found is not None
    rows = [decision(found.facts)]
    db.close()
    headers = {"authorization": f"Bearer {token}"}
    for name, path in (("status", "/status"), ("board", "")):
        rows.append(_read(folder, name, request("GET", f"/api/threads/{thread.id}{path}", headers=headers)))
    return rows


def _read(folder: str, name: str, asked: bytes) -> Row:
    cpu: list[float] = []
    with serving("bench.ours:plain", cpu, BENCH_FOLDER=folder) as port:
        heard = load(port, [asked], clients=1, seconds=3)
    assert not heard.errors, heard
    each = cpu[0] / sum(heard.statuses.values()) * 1000
    what = f"{name} of a thread, {PEOPLE:,} people × {SLOTS} slots"
    return Row(what, f"p50 {heard.p50_ms:.0f} p99 {heard.p99_ms:.0f} ms, CPU {each:.0f} ms", aim="< 100 ms")


def _answer_all(tx: Tx, thread: MadeThread) -> None:
    """Four of five have answered, each with half of the slots."""
    dice = Random(1)
    mine = ThreadSelection.thread_id == thread.id
    selections = list(tx.execute(select(ThreadSelection.selection_id).where(mine)).scalars())
    chosen = [one for number, one in enumerate(selections) if number % 5]
    tx.execute(update(ThreadSelection).where(ThreadSelection.selection_id.in_(chosen)).values(status="selected"))
    marks = [
        {"selection_id": one, "slot_id": slot_id, "answer": "yes" if number % 3 else "maybe"}
        for one in chosen
        for number, slot_id in enumerate(dice.sample(thread.slots, SLOTS // 2))
    ]
    tx.execute(insert(ThreadSelectionSlot), marks)


def decision(facts: ThreadFacts) -> Row:
    """The slowest of the five types of rules, over all types, as the median of twenty."""
    keys, now = tuple(person.key for person in facts.invitees), SystemClock().now()
    groups = tuple(RuleGroup(f"{n}", keys[n * 50 : n * 50 + 50], 45) for n in range(20))
    rules = (
        DecisionRule("ANY"),
        DecisionRule("ALL"),
        DecisionRule("K_OF_N", participants=keys, k=600),
        DecisionRule("REQUIRED_PLUS_K", required=keys[:10], optional=keys, quorum=700),
        DecisionRule("GROUP_ANY", groups=groups),
    )
    slowest = max((statistics.median(_seconds(facts, rule, now) for _ in range(20)), rule.type) for rule in rules)
    what = f"decision, {PEOPLE:,} people × {SLOTS} slots, the slowest rule ({slowest[1]})"
    return Row(what, f"CPU {slowest[0] * 1000:.1f} ms", aim="< 20 ms")


def _seconds(facts: ThreadFacts, rule: DecisionRule, now: Any) -> float:
    given = ThreadFacts(facts.status, rule, facts.slots, facts.invitees)
    started = time.process_time()
    evaluate(given, now)
    return time.process_time() - started


def _answers(name: str, folder: str, url: str, kind: str) -> Row:
    settings, db = opened(folder, url)
    asked = _requests(db)
    db.close()
    raw = settings.database.removeprefix("sqlite:///").replace("+psycopg", "")
    with serving("bench.ours:plain", BENCH_FOLDER=folder, BENCH_URL=url) as port:
        ours = load(port, asked[: REQUESTS // 2], CLIENTS, SECONDS)
    with serving(f"bench.threads_bare:same_{kind}", BENCH_DATABASE=raw) as port:
        same = load(port, asked[REQUESTS // 2 :], CLIENTS, SECONDS)
    assert not ours.errors, ours
    assert not same.errors, same
    return Row(
        f"answer to an invitation, {name}, {CLIENTS} clients (baseline: the same transaction)",
        _told(ours),
        _told(same),
        ours.per_second / same.per_second,
        "≥ 0.8, p99 < 100 ms",
    )


def _told(result: Result) -> str:
    return f"{result.per_second:,.0f}/s  p50 {result.p50_ms:.0f} p99 {result.p99_ms:.0f} ms"


def _requests(db: Database) -> list[bytes]:
    """A hundred threads of twenty people each, who answer in turn."""
    people = [f"p{n}@example.com" for n in range(ASKED)]
    threads = [make_thread(db, *people, rule=BY_HAND, expires=timedelta(days=3)) for _ in range(THREADS)]
    invites = [(thread, invite) for number in range(ASKED) for thread in threads for invite in [thread.invites[number]]]
    made = []
    for number in range(REQUESTS):
        thread, invite = invites[number % len(invites)]
        body = {"status": "selected", "selected_slot_id": thread.slots[number % 3], "comment": "10分ほど遅れます"}
        headers = {"content-type": "application/json", "idempotency-key": f"bench-{number}"}
        made.append(request("POST", invite.respond, json.dumps(body).encode(), headers))
    return made
