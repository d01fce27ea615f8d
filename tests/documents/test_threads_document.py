"""Document 001 against the running product: its checks after a creation, its INSERTs on both databases, its curl."""

import json
import re
import shlex
from typing import Any

import pytest
from sqlalchemy import text

from tests.documents.test_roster_sql import statements
from tests.documents.test_threads_sql import END, NOW, START, inserts
from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.core.db.interface import Database, Tx

CURL = """\
curl -X POST <host>/api/threads \\
  -H "Content-Type: application/json" \\
  -H "x-user-id: user123" \\
  -d '{
    "title": "AI Development Discussion",
    "description": "Discuss the future of AI development tools"
  }'
"""
SELECTS = (
    "SELECT * FROM scheduling_threads WHERE id='<threadId>'",
    "SELECT * FROM thread_attendance_rules WHERE thread_id='<threadId>'",
    "SELECT * FROM scheduling_slots WHERE thread_id='<threadId>'",
    "SELECT id, email, invitee_key, status FROM thread_invites WHERE thread_id='<threadId>'",
)


def checks(desk: Desk, thread_id: str) -> list[list[tuple[Any, ...]]]:
    """§4 of the document, with nothing but the id filled in."""
    found = [one for one in statements("threads_checks.sql") if one.strip()]
    return [desk.sql(one.replace("<threadId>", thread_id)) for one in found]


class TestChecks:
    @pytest.mark.row("1.4.1", "1.4.2", "1.4.3", "1.4.4", "1.4.5", "1.A.2")
    def test_run_unchanged_after_a_creation(self, desk: Desk) -> None:
        rule = desk.create()["attendance_rule"]["rule_json"]
        all_agree = {**rule, "type": "ALL", "participants": []}
        made = desk.create(invitees=[RAJ, MEI], rule=all_agree)
        thread_id, [raj, mei] = made["thread"]["id"], made["candidates"]
        desk.respond(raj, made["slots"][0]["slot_id"])
        [thread], [rule_row], slots, invites, [joined] = checks(desk, thread_id)
        assert thread[:6] == (thread_id, desk.user_id, "役員会", None, "active", "one_on_one")
        assert len(thread) == 8
        assert (rule_row[:2], json.loads(rule_row[2])) == ((thread_id, 1), all_agree)
        assert [row[0] for row in slots] == [slot["slot_id"] for slot in made["slots"]]
        assert [row[1] for row in invites] == [mei["invite_token"], raj["invite_token"]]
        assert joined[:3] == (thread_id, "役員会", "active")
        assert joined[5:] == (3, 2, 1, 1)
        lengths = [len(desk.sql(one.replace("<threadId>", thread_id))) for one in SELECTS]
        assert lengths == [1, 1, 3, 2]

    @pytest.mark.row("1.4.5")
    def test_a_thread_without_a_rule_gives_a_row_too(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        desk.run("DELETE FROM thread_attendance_rules")
        [row] = checks(desk, made["thread"]["id"])[4]
        assert row[3:] == (None, None, 3, 1, 0, 1)


class TestInserts:
    @pytest.mark.row("1.0.6", "1.0.17", "1.3.2")
    def test_run_on_both_databases(self, db: Database) -> None:
        """On PostgreSQL parameters and `OR IGNORE` have another form, and nothing else differs."""
        given: list[tuple[Any, ...]] = [
            ("t", "u", "題", None, NOW, NOW),
            ("t", "{}", "EARLIEST_VALID"),
            ("s", "t", START, END, "Asia/Tokyo", "Tomorrow"),
            ("t", "{}", "EARLIEST_VALID"),
        ]

        def run(tx: Tx) -> list[int]:
            return [
                tx.execute(text(_named(tx, one)), {f"p{n}": value for n, value in enumerate(values)}).rowcount
                for one, values in zip(inserts(), given, strict=True)
            ]

        assert db.write_now(run) == [1, 1, 1, 0]
        times = "SELECT created_at, updated_at FROM thread_attendance_rules"
        [row] = db.read_now(lambda tx: tx.execute(text(times)).all())
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", time) for time in row)

    @pytest.mark.row("1.0.13")
    def test_deleting_a_decided_thread_removes_all_of_it(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        assert desk.traces()["thread_finalize"] == 1
        desk.run(f"DELETE FROM scheduling_threads WHERE id = '{made['thread']['id']}'")
        left = desk.traces()
        assert not any(left.values()), left


def _named(tx: Tx, statement: str) -> str:
    count = iter(range(100))
    named = re.sub(r"\?", lambda _: f":p{next(count)}", statement)
    if tx.dialect == "postgresql" and "OR IGNORE" in named:
        named = named.replace("OR IGNORE ", "") + " ON CONFLICT DO NOTHING"
    return named


@sqlite_only
class TestCurl:
    @pytest.mark.row("1.A.1", "1.1.11", "1.1.12")
    def test_the_header_alone_proves_nothing(self, desk: Desk) -> None:
        """The line of appendix A, the host apart: 401. With the bearer in place of the header: 201. With both: 403."""
        header, bearer = 'x-user-id: user123"', f'Authorization: {desk.bearer["authorization"]}"'
        with_both = CURL.replace(f'-H "{header}', f'-H "{header} -H "{bearer}')
        for line, status in ((CURL, 401), (CURL.replace(header, bearer), 201), (with_both, 403)):
            assert self._status(desk, line) == status
        assert desk.traces()["scheduling_threads"] == 1

    def _status(self, desk: Desk, line: str) -> int:
        """Sends what curl would send."""
        words = shlex.split(line.replace("\\\n", " ").replace("<host>", desk.product.url))
        method, url = words[words.index("-X") + 1], words[3]
        headers = dict(words[n + 1].split(": ", 1) for n, word in enumerate(words) if word == "-H")
        return desk.product.http.request(method, url, headers=headers, content=words[words.index("-d") + 1]).status_code
