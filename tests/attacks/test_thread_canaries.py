"""G17 for threads: tokens, addresses, names and what people write, through every path of a real server.

Several routes are made to fail in the middle. Nothing of it may stand in the log, in `api_call_logs`, in a metric, in
an error, or in a column for errors.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.attacks.test_canaries import rows
from tests.factories.line_stand_in import SILENT, Answer, LineStandIn, Push, line_stand_in
from tests.factories.processes import SECRETS, Server, started, tsudoi
from tests.servers import eventually
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running

NAME, EMAIL, REFUSED = "金糸雀 花子", "songbird@cage.example", "bounced-songbird@cage.example"
LATE = "late-songbird@cage.example"
TITLE, WORDS, COMMENT, WHY = "CANARY-TITLE 鳥の会", "CANARY-BODY", "CANARY-COMMENT 遅れます", "CANARY-REASON 嵐"
USER, KEY = "U" + "ca9a42" * 5 + "ff", "CANARY-IDEMPOTENCY-KEY"
GEMINI = "CANARY-GEMINI-KEY-4eC39HqLyjWDarjtT1"
TYPED = (NAME, "金糸雀", EMAIL, REFUSED, "songbird", "CANARY", USER)


@dataclass(frozen=True)
class Walked:
    """Where the failing calls go: the path of the thread, a token, a slot, and a further thread."""

    thread: str
    token: str
    slot_id: str
    new: dict[str, Any]


@pytest.fixture
def box() -> Iterator[RunningSandbox]:
    config = SandboxConfig(
        port=0,
        channel_secret=SECRETS["LINE_CHANNEL_SECRET"],
        channel_access_token=SECRETS["LINE_CHANNEL_ACCESS_TOKEN"],
        login_channel_id=SECRETS["LINE_LOGIN_CHANNEL_ID"],
        liff_id=SECRETS["LIFF_ID"],
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
    )
    with running(config) as found:
        yield found


@pytest.fixture
def line() -> Iterator[LineStandIn]:
    """Refuses what it gets, and repeats it; every third time it says nothing at all."""

    def parrot(push: Push, number: int) -> Answer:
        return Answer(400, {"message": f"{push.to} {EMAIL}"}) if number % 3 else SILENT

    with line_stand_in() as found:
        found.answer = parrot
        yield found


@pytest.fixture
def server(tmp_path: Path, migrated_sqlite: Path, box: RunningSandbox, line: LineStandIn) -> Iterator[Server]:
    """As talkative as it can be made."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    settings = {"ADMIN_USERNAME": "jimukyoku", "ADMIN_PASSWORD": "correct horse battery staple", "LOG_LEVEL": "DEBUG"}
    bases = {"LINE_API_BASE": line.url, "LINE_DATA_API_BASE": line.url, "GEMINI_API_BASE": box.url}
    mail = {"SMTP_URL": box.smtp_url, "MAIL_FROM": "事務局 <office@example.jp>", "GEMINI_API_KEY": GEMINI}
    with started(tmp_path, "serve", **settings, **bases, **mail) as found:
        yield found


def sql(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "data" / "tsudoi.sqlite3", timeout=30)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.row("1.I.8", "1.3.3", "1.3.4")
def test_no_canary_of_a_thread_sings(server: Server, tmp_path: Path) -> None:
    admin = tsudoi(tmp_path, "admin", "token", "jimukyoku").stdout.strip().splitlines()[-1]
    member = "id, name, name_key, display_order, email, line_user_id, is_target, created_at, updated_at"
    sql(
        tmp_path,
        f"INSERT INTO members ({member}) VALUES (7, '{NAME}', '金糸雀', 1, '{EMAIL}', '{USER}', 1, 'x', 'x')",
        "INSERT INTO audiences (id, name, created_at, updated_at) VALUES (3, 'CANARY-GROUP', 'x', 'x')",
        "INSERT INTO audience_members (audience_id, member_id) VALUES (3, 7)",
    )
    with server.client() as office, server.client() as people:
        office.headers["authorization"] = f"Bearer {admin}"
        met, heard = walk(office, people, tmp_path)
        metrics = people.get("/metrics").text
    log = server.said()
    assert [json.loads(line) for line in server.log()]
    assert log.count('"unexpected"') >= 4, "the routes that were broken did not fail"
    files = [path.read_text() for path in (tmp_path / "data").rglob("*.ndjson")]
    said = "\n".join([log, metrics, rows(tmp_path, "api_call_logs"), *files])
    for canary in (*TYPED, admin, GEMINI, *met):
        assert canary not in said, (canary, said[max(0, said.find(canary) - 600) :][:1200])
    errors = "\n".join(heard)
    for canary in (EMAIL, REFUSED, admin, GEMINI, "sqlite", "INSERT", "Traceback"):
        assert canary not in errors, canary


def walk(office: httpx2.Client, people: httpx2.Client, folder: Path) -> tuple[list[str], list[str]]:
    """A thread's whole life, well and badly; gives the tokens that were met, and every error that was heard."""
    heard: list[str] = []
    number = count()

    def ask(http: httpx2.Client, method: str, path: str, body: Any = None) -> httpx2.Response:
        more = {
            "user-agent": "CANARY",
            "referer": f"https://x.example/{EMAIL}",
            "idempotency-key": f"{KEY}-{next(number)}",
        }
        answer = http.request(method, path, json=body, headers=more)
        if answer.status_code >= 400:
            heard.append(answer.text)
        return answer

    person = {"name": NAME, "email": EMAIL}
    new = {"title": TITLE, "description": WORDS, "invitees": [person, {"name": NAME, "email": REFUSED}]}
    everybody = {"type": "K_OF_N", "k": 3, "rule": {"k": 3}}
    made = ask(office, "POST", "/api/threads", {**new, "audience_ids": [3], "rule": everybody}).json()
    one = f"/api/threads/{made['thread']['id']}"
    slots = [slot["slot_id"] for slot in made["slots"]]
    tokens = [each["invite_token"] for each in made["candidates"]]
    keys = [each["invitee_key"] for each in made["candidates"]]
    assert len(tokens) >= 2
    first = tokens[0]
    yes = {"status": "selected", "selected_slot_ids": slots, "comment": COMMENT}
    ask(office, "POST", "/api/threads", {**new, "title": f"{TITLE}\r\nBcc: {EMAIL}", NAME: EMAIL})
    ask(office, "POST", "/api/threads", {**new, "invitees": [{"name": NAME, "email": f"{EMAIL} {EMAIL}"}]})
    ask(office, "POST", "/api/threads/suggestions", {"title": TITLE, "description": f"{NAME} {EMAIL}"})
    for path in (f"/i/{first}", f"/i/{first}/unsubscribe", f"/i/{first}x", f"/i/{EMAIL}", f"/i/{first}/{EMAIL}"):
        ask(people, "GET", path)
    ask(people, "POST", f"/i/{first}/respond", yes)
    ask(people, "POST", f"/i/{first}/respond", {**yes, "selected_slot_ids": [EMAIL], NAME: COMMENT})
    form = f"status=selected&comment={COMMENT * 20}&slot-{EMAIL}=yes"
    people.post(
        f"/i/{first}/respond?tz={EMAIL}",
        content=form.encode(),
        headers={"content-type": "application/x-www-form-urlencoded", "user-agent": "CANARY"},
    )
    for path in (f"{one}/status", one, f"{one}/history", f"/api/threads?query={EMAIL}", f"/api/threads?cursor={first}"):
        ask(office, "GET", path)
    ask(office, "POST", f"{one}/answers", {"invitee_key": keys[1], **yes, "comment": COMMENT * 50})
    ask(office, "POST", f"{one}/remind", {"message": f"{WORDS} {NAME}"})
    _fail(ask, office, people, folder, Walked(one, first, slots[0], {**new, "title": f"{TITLE} 2"}))
    ask(office, "POST", f"{one}/finalize", {"selected_slot_id": slots[0], "reason": WHY})
    ask(office, "POST", f"{one}/cancel", {"reason": WHY})
    ask(people, "POST", f"/i/{first}/respond", yes)
    # What goes out has gone out, or failed.
    eventually(lambda: "PENDING" not in rows(folder, "thread_messages") + rows(folder, "mail_messages"), 60)
    return tokens, heard


def _fail(ask: Any, office: httpx2.Client, people: httpx2.Client, folder: Path, walked: Walked) -> None:
    """Each table in turn refuses every row, with a message that repeats an address."""
    one, page, decision = walked.thread, f"/i/{walked.token}", {"selected_slot_id": walked.slot_id, "reason": WHY}
    calls: dict[str, Callable[[], httpx2.Response]] = {
        "thread_answers": lambda: ask(people, "POST", f"{page}/respond", {"status": "declined", "comment": COMMENT}),
        "scheduling_threads": lambda: ask(office, "POST", "/api/threads", walked.new),
        "thread_invites": lambda: ask(office, "POST", f"{one}/invitees", {"invitees": [{"name": NAME, "email": LATE}]}),
        "thread_finalize": lambda: ask(office, "POST", f"{one}/finalize", decision),
        "thread_messages": lambda: ask(office, "POST", f"{one}/cancel", {"reason": WHY}),
    }
    statuses = {}
    for table, call in calls.items():
        why = f"SELECT RAISE(ABORT, 'broken {EMAIL}')"
        sql(folder, f"CREATE TRIGGER broken BEFORE INSERT ON {table} BEGIN {why}; END")
        statuses[table] = call().status_code
        sql(folder, "DROP TRIGGER broken")
    # An invitation that cannot be made is left out, and a warning says so.
    assert statuses == dict.fromkeys(calls, 500) | {"thread_invites": 201}
    sql(folder, "ALTER TABLE scheduling_slots RENAME TO away")
    broken = [ask(people, "GET", page), ask(office, "GET", f"{one}/status"), ask(people, "POST", f"{page}/respond", {})]
    sql(folder, "ALTER TABLE away RENAME TO scheduling_slots")
    assert [answer.status_code for answer in broken] in ([500, 500, 400], [503, 503, 400])
