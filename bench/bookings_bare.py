"""What a booking is compared with: bare Starlette and raw SQL, one commit per request, durable like ours.

It does the transaction that the product does: whose token, which session and account, lock the slot, may this person
have a seat, take it, count it, the audit chain, the two rate limits, the key with the reply.
"""

import hashlib
import re
import sqlite3
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import jwt
import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.answers_bare import Pool, connect_sqlite
from bench.ours import JWT_SECRET

JST = timezone(timedelta(hours=9))
PER_PERSON, PER_ADDRESS = 10, 1_200
WHO = """SELECT s.status, s.pin_must_change, s.emr_patient_id, s.date_of_birth, s.sex_code,
    EXISTS (SELECT 1 FROM refresh_sessions f WHERE f.revoked_at IS NULL AND f.expires_at > :now
            AND (f.id = r.id OR f.family_id = r.family_id))
FROM staffs s LEFT JOIN refresh_sessions r ON r.id = :session_id AND r.staff_uid = s.staff_uid
WHERE s.staff_uid = :staff_uid"""
SLOT = """SELECT s.reservation_type_id, s.service_date_local, s.start_minute_of_day, s.duration_minutes, s.capacity,
    s.booked_count, s.status, s.booking_start, s.booking_end, s.notes, t.name, t.active, t.limit_per_year,
    t.minimum_days_between, t.cancel_until_hours, t.overlap_allowed, p.staff_id, p.department_id
FROM reservation_slots s JOIN reservation_types t ON t.id = s.reservation_type_id CROSS JOIN staffs p
WHERE s.id = :slot_id AND p.staff_uid = :staff_uid"""
LOCKED_SLOT = SLOT + " FOR NO KEY UPDATE OF s, p FOR SHARE OF t"
OWN = """SELECT (SELECT q.seats FROM slot_quotas q WHERE q.slot_id = :slot_id AND q.department_id = :department_id),
    r.slot_id, r.reservation_type_id, r.period_key, r.service_date_local, r.start_minute_of_day, r.duration_minutes
FROM (SELECT 1 AS one) AS always
LEFT JOIN reservations r ON r.staff_uid = :staff_uid AND r.canceled_at IS NULL"""
TAKE = """INSERT INTO reservations (staff_uid, staff_id, reservation_type_id, slot_id, service_date_local,
    start_minute_of_day, duration_minutes, period_key, created_at, updated_at, once_per_year, department_id)
VALUES (:staff_uid, :staff_id, :type_id, :slot_id, :day, :minute, :duration, :period, :now, :now, 1, :department_id)
RETURNING id"""
COUNT = "UPDATE reservation_slots SET booked_count = booked_count + 1 WHERE id = :slot_id"
HEAD = "UPDATE audit_head SET last_id = last_id + 1 WHERE id = 1 RETURNING last_id, last_hash"
AUDIT = """INSERT INTO audit_logs (id, at, actor, action, subject, new, previous_hash, hash)
VALUES (:id, :at, :actor, :action, :subject, :new, :previous_hash, :hash)"""
SET_HEAD = "UPDATE audit_head SET last_hash = :hash WHERE id = 1"
LIMIT = """INSERT INTO rate_limits AS r (bucket, hits, window_ends_at) VALUES (:bucket, 1, :ends)
ON CONFLICT (bucket) DO UPDATE SET hits = CASE WHEN r.window_ends_at <= :now THEN 1 ELSE r.hits + 1 END,
    window_ends_at = CASE WHEN r.window_ends_at <= :now THEN :ends ELSE r.window_ends_at END
RETURNING hits"""
KEEP = """INSERT INTO idempotency_keys
(principal, route, key, request_hash, status, body, lease_until, created_at, expires_at)
VALUES (:principal, '/api/reservations', :key, :request_hash, :status, :body, :now, :now, :now)
ON CONFLICT DO NOTHING"""
_NAME = re.compile(r":([a-z_]+)")


class Refused(Exception):
    """The request is refused; nothing is kept."""


class SqliteConnection:
    """The one connection, with the three ways in which the transaction uses it."""

    locked_slot = SLOT

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    async def row(self, sql: str, given: dict[str, Any]) -> Any:
        return self._raw.execute(sql, given).fetchone()

    async def rows(self, sql: str, given: dict[str, Any]) -> list[Any]:
        return self._raw.execute(sql, given).fetchall()

    async def run(self, sql: str, given: dict[str, Any]) -> None:
        self._raw.execute(sql, given)


class PostgresConnection:
    """The same for a connection of asyncpg, which numbers its parameters."""

    locked_slot = LOCKED_SLOT
    _known: dict[str, tuple[str, list[str]]] = {}  # noqa: RUF012 (a cache for the whole process)

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    async def row(self, sql: str, given: dict[str, Any]) -> Any:
        numbered, names = self._numbered(sql)
        return await self._raw.fetchrow(numbered, *[given[name] for name in names])

    async def rows(self, sql: str, given: dict[str, Any]) -> list[Any]:
        numbered, names = self._numbered(sql)
        found: list[Any] = await self._raw.fetch(numbered, *[given[name] for name in names])
        return found

    async def run(self, sql: str, given: dict[str, Any]) -> None:
        numbered, names = self._numbered(sql)
        await self._raw.execute(numbered, *[given[name] for name in names])

    def _numbered(self, sql: str) -> tuple[str, list[str]]:
        known = self._known.get(sql)
        if known is None:
            names = list(dict.fromkeys(_NAME.findall(sql)))
            known = self._known[sql] = (_NAME.sub(lambda found: f"${names.index(found[1]) + 1}", sql), names)
        return known


async def book(connection: SqliteConnection | PostgresConnection, request: Request, claims: dict[str, Any]) -> Response:
    now = datetime.now(UTC)
    at = now.isoformat(timespec="microseconds")
    content = await request.body()
    slot_id, staff_uid = orjson.loads(content)["slotId"], claims["sub"]
    who = await connection.row(WHO, {"now": at, "session_id": claims["sid"], "staff_uid": staff_uid})
    if who is None or who[0] != "active" or who[1] or not all(who[2:6]):
        raise Refused
    status, reply = 201, b""
    slot = await connection.row(connection.locked_slot, {"slot_id": slot_id, "staff_uid": staff_uid})
    given = {"slot_id": slot_id, "staff_uid": staff_uid, "department_id": slot[17]}
    own = await connection.rows(OWN, given)
    code = _refusal(slot, slot_id, own, now)
    if code is not None:
        status, reply = 409, orjson.dumps({"error": {"code": code, "message": "満席です。", "details": []}})
    else:
        reply = await _take(connection, slot, given, at)
    ends = (now + timedelta(minutes=1)).isoformat(timespec="microseconds")
    address = request.client.host if request.client else ""
    for bucket, most in ((f"bare:{staff_uid}", PER_PERSON), (f"bare:{address}", PER_ADDRESS)):
        if (await connection.row(LIMIT, {"bucket": bucket, "ends": ends, "now": at}))[0] > most:
            raise Refused
    kept = {"principal": staff_uid, "key": request.headers["idempotency-key"], "now": at}
    digest = hashlib.sha256(content).hexdigest()
    await connection.run(KEEP, {**kept, "request_hash": digest, "status": status, "body": reply})
    return Response(reply, status, media_type="application/json")


def _refusal(slot: Any, slot_id: int, own: list[Any], now: datetime) -> str | None:
    begins = datetime.combine(date.fromisoformat(slot[1]), time(), JST) + timedelta(minutes=slot[2])
    if not slot[11] or slot[6] != "published" or now >= begins:
        return "BOOKING_CLOSED"
    if any(one[1] == slot_id for one in own):
        return "ALREADY_IN_SLOT"
    if slot[5] >= slot[4]:
        return "SLOT_FULL"
    if any(one[2] == slot[0] and one[3] == _period(slot[1]) for one in own):
        return "ALREADY_BOOKED_THIS_YEAR"
    if any(one[4] == slot[1] and one[5] < slot[2] + slot[3] and slot[2] < one[5] + one[6] for one in own):
        return "OVERLAPS"
    return None


async def _take(connection: SqliteConnection | PostgresConnection, slot: Any, given: dict[str, Any], at: str) -> bytes:
    day, minute = slot[1], slot[2]
    values = {"staff_id": slot[16], "type_id": slot[0], "day": day, "minute": minute, "duration": slot[3]}
    made = await connection.row(TAKE, {**given, **values, "period": _period(day), "now": at})
    await connection.run(COUNT, given)
    head = await connection.row(HEAD, {})
    new = orjson.dumps({"slot_id": given["slot_id"], "service_date_local": day, "start_minute_of_day": minute})
    row = {"id": head[0], "at": at, "actor": f"staff:{given['staff_uid']}", "action": "RESERVE_CREATE"}
    row |= {"subject": f"reservation:{made[0]}", "new": new.decode(), "previous_hash": head[1]}
    row["hash"] = hashlib.sha256(orjson.dumps(list(row.values()))).hexdigest()
    await connection.run(AUDIT, row)
    await connection.run(SET_HEAD, row)
    return orjson.dumps(
        {
            "id": made[0],
            "staffUid": given["staff_uid"],
            "staffId": slot[16],
            "reservationTypeId": slot[0],
            "reservationTypeName": slot[10],
            "slotId": given["slot_id"],
            "serviceDateLocal": day,
            "startMinuteOfDay": minute,
            "durationMinutes": slot[3],
            "periodKey": _period(day),
            "createdAt": at,
            "updatedAt": at,
            "canceledAt": None,
            "attendance": None,
            "notes": slot[9],
        }
    )


def _period(day: str) -> str:
    year, month = int(day[:4]), int(day[5:7])
    return f"FY{year if month >= 4 else year - 1}"


def _claims(request: Request) -> dict[str, Any]:
    token = request.headers["authorization"].removeprefix("Bearer ")
    found: dict[str, Any] = jwt.decode(token, JWT_SECRET, ["HS256"], audience="tsudoi:staff", issuer="tsudoi")
    return found


def book_sqlite() -> Starlette:
    raw = connect_sqlite()
    raw.execute("PRAGMA foreign_keys=ON")
    connection = SqliteConnection(raw)

    async def respond(request: Request) -> Response:
        claims = _claims(request)
        # The body is read before the transaction, so that no other request runs inside it.
        await request.body()
        raw.execute("BEGIN IMMEDIATE")
        try:
            response = await book(connection, request, claims)
        except Refused:
            raw.execute("ROLLBACK")
            return Response(status_code=403)
        raw.execute("COMMIT")
        return response

    return _app(respond)


def book_postgres() -> Starlette:
    pool = Pool()

    async def respond(request: Request) -> Response:
        claims = _claims(request)
        async with (await pool.get()).acquire() as connection:
            try:
                async with connection.transaction():
                    return await book(PostgresConnection(connection), request, claims)
            except Refused:
                return Response(status_code=403)

    return _app(respond)


def _app(respond: Any) -> Starlette:
    return Starlette(routes=[Route("/api/reservations", respond, methods=["POST"])])
