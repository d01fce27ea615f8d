"""What an answer to an invitation is compared with: bare Starlette and raw SQL that do the same transaction.

Whose token is it, lock the thread, read everything that the rule needs, decide, store the answer and its history, keep
the reply under its key, commit. Our own route counts the requests of each person as well.
"""

import hashlib
import sqlite3
from datetime import UTC, datetime
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.answers_bare import KEEP, Pool, connect_sqlite

WHO = """SELECT i.id, i.thread_id, i.invitee_key, i.candidate_name, i.expires_at
FROM thread_invites i JOIN scheduling_threads t ON t.id = i.thread_id WHERE i.token = {} AND t.status <> 'draft'"""
LOCK = "SELECT 1 FROM scheduling_threads WHERE id = $1 FOR NO KEY UPDATE"
THREAD = """SELECT t.status, r.rule_json, f.selected_slot_id FROM scheduling_threads t
LEFT JOIN thread_attendance_rules r ON r.thread_id = t.id LEFT JOIN thread_finalize f ON f.thread_id = t.id
WHERE t.id = {}"""
SLOTS = "SELECT slot_id, start_at, end_at FROM scheduling_slots WHERE thread_id = {}"
PEOPLE = """SELECT i.invitee_key, s.status, s.selection_id, i.expires_at FROM thread_invites i
LEFT JOIN thread_selections s ON s.thread_id = i.thread_id AND s.invitee_key = i.invitee_key
WHERE i.thread_id = {} ORDER BY i.created_at, i.id"""
CHOSEN = """SELECT c.selection_id, c.slot_id, c.answer FROM thread_selection_slots c
JOIN thread_selections s ON s.selection_id = c.selection_id WHERE s.thread_id = {}"""
STORE = """UPDATE thread_selections SET status = 'selected', selected_slot_id = {}, responded_at = {}, comment = {},
via = 'link' WHERE thread_id = {} AND invitee_key = {} RETURNING selection_id"""
CLEAR = "DELETE FROM thread_selection_slots WHERE selection_id = {}"
CHOOSE = "INSERT INTO thread_selection_slots (selection_id, slot_id, answer) VALUES ({}, {}, 'yes')"
HISTORY = """INSERT INTO thread_answers (thread_id, invitee_key, name, status, slots, comment, via, answered_at)
VALUES ({}, {}, {}, 'selected', {}, {}, 'link', {})"""
ACCEPT = """UPDATE thread_invites SET status = 'accepted', accepted_at = COALESCE(accepted_at, {})
WHERE thread_id = {} AND invitee_key = {}"""
TOUCH = "UPDATE scheduling_threads SET revision = revision + 1, updated_at = {} WHERE id = {}"


def marked(statement: str, dialect: str) -> str:
    """The statement with the placeholders of the database."""
    count = statement.count("{}")
    return statement.format(*(["?"] * count if dialect == "sqlite" else [f"${n}" for n in range(1, count + 1)]))


def decided(slots: list[Any], people: list[Any], chosen: list[Any], rule: str) -> str | None:
    """The earliest slot that everybody said yes to, for the rule ALL; only a rule that decides by itself decides."""
    said_yes: dict[str, set[str]] = {slot[0]: set() for slot in slots}
    keys = {person[2]: person[0] for person in people}
    for selection_id, slot_id, answer in chosen:
        if answer == "yes" and slot_id in said_yes:
            said_yes[slot_id].add(keys[selection_id])
    everybody = {person[0] for person in people}
    now = datetime.now(UTC)
    valid = [
        (datetime.fromisoformat(slot[1]), slot[0])
        for slot in slots
        if said_yes[slot[0]] >= everybody and datetime.fromisoformat(slot[1]) > now
    ]
    return min(valid)[1] if valid and orjson.loads(rule)["finalize_policy"]["auto_finalize"] else None


def reply_to(who: Any, asked: dict[str, Any], now: str) -> bytes:
    selection = {
        "status": "selected",
        "selected_slot_id": asked["selected_slot_id"],
        "selected_slot_ids": [asked["selected_slot_id"]],
        "maybe_slot_ids": [],
        "comment": asked.get("comment"),
        "responded_at": now,
    }
    evaluation: dict[str, Any] = {
        "finalized": False,
        "final_slot_id": None,
        "reason": "WAITING",
        "final_participants": [],
    }
    return orjson.dumps(
        {"ok": True, "thread_id": who[1], "invitee_key": who[2], "selection": selection, "evaluation": evaluation}
    )


def kept(request: Request, who: Any, body: bytes, reply: bytes, now: str) -> tuple[Any, ...]:
    digest = hashlib.sha256(body).hexdigest()
    key = request.headers["idempotency-key"]
    return f"invite:{who[0]}", request.url.path, key, digest, 200, reply, now, now, now


def history(slots: list[Any], slot_id: str) -> str:
    return orjson.dumps(
        [
            {"slot_id": one[0], "start_at": one[1], "end_at": one[2], "answer": "yes"}
            for one in slots
            if one[0] == slot_id
        ]
    ).decode()


def steps(
    who: Any, asked: dict[str, Any], slots: list[Any], selection_id: str, now: str
) -> list[tuple[str, tuple[Any, ...]]]:
    """What is written after the selection itself."""
    slot_id, comment = asked["selected_slot_id"], asked.get("comment")
    return [
        (CLEAR, (selection_id,)),
        (CHOOSE, (selection_id, slot_id)),
        (HISTORY, (who[1], who[2], who[3], history(slots, slot_id), comment, now)),
        (ACCEPT, (now, who[1], who[2])),
        (TOUCH, (now, who[1])),
    ]


def same_sqlite() -> Starlette:
    connection = connect_sqlite()

    def run(statement: str, *values: Any) -> sqlite3.Cursor:
        return connection.execute(marked(statement, "sqlite"), values)

    async def respond(request: Request) -> Response:
        body, now = await request.body(), datetime.now(UTC).isoformat(timespec="microseconds")
        asked = orjson.loads(body)
        connection.execute("BEGIN IMMEDIATE")
        who = run(WHO, request.path_params["token"]).fetchone()
        _status, rule, _final = run(THREAD, who[1]).fetchone()
        slots, people = run(SLOTS, who[1]).fetchall(), run(PEOPLE, who[1]).fetchall()
        decided(slots, people, run(CHOSEN, who[1]).fetchall(), rule)
        stored = run(STORE, asked["selected_slot_id"], now, asked.get("comment"), who[1], who[2]).fetchone()
        for statement, values in steps(who, asked, slots, stored[0], now):
            run(statement, *values)
        reply = reply_to(who, asked, now)
        connection.execute(KEEP + "(?, ?, ?, ?, ?, ?, ?, ?, ?)", kept(request, who, body, reply, now))
        connection.execute("COMMIT")
        return Response(reply, media_type="application/json")

    return _app(respond)


def same_postgres() -> Starlette:
    pool = Pool()
    texts = {one: marked(one, "postgresql") for one in (WHO, THREAD, SLOTS, PEOPLE, CHOSEN, STORE)}
    texts |= {one: marked(one, "postgresql") for one in (CLEAR, CHOOSE, HISTORY, ACCEPT, TOUCH)}

    async def respond(request: Request) -> Response:
        body, now = await request.body(), datetime.now(UTC).isoformat(timespec="microseconds")
        asked = orjson.loads(body)
        async with (await pool.get()).acquire() as connection, connection.transaction():
            who = await connection.fetchrow(texts[WHO], request.path_params["token"])
            await connection.execute(LOCK, who[1])
            thread = await connection.fetchrow(texts[THREAD], who[1])
            slots, people = await connection.fetch(texts[SLOTS], who[1]), await connection.fetch(texts[PEOPLE], who[1])
            decided(slots, people, await connection.fetch(texts[CHOSEN], who[1]), thread[1])
            chosen = (asked["selected_slot_id"], now, asked.get("comment"), who[1], who[2])
            selection_id = await connection.fetchval(texts[STORE], *chosen)
            for statement, values in steps(who, asked, slots, selection_id, now):
                await connection.execute(texts[statement], *values)
            reply = reply_to(who, asked, now)
            keep = kept(request, who, body, reply, now)
            await connection.execute(KEEP + "($1, $2, $3, $4, $5, $6, $7, $8, $9)", *keep)
        return Response(reply, media_type="application/json")

    return _app(respond)


def _app(respond: Any) -> Starlette:
    return Starlette(routes=[Route("/i/{token}/respond", respond, methods=["POST"])])
