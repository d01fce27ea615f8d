"""Sending: several threads work off what is due, and whoever dies on the way leaves nothing but leases that run out."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from datetime import datetime
from pathlib import Path

import orjson
import structlog

from tsudoi.core.clock import jst_date
from tsudoi.core.ndjson import DailyFile, line
from tsudoi.events.broadcast import rules, service
from tsudoi.events.broadcast.rules import CalledOff, Told
from tsudoi.events.broadcast.service import People, Piece, Settled
from tsudoi.gateway.clients.line_outcomes import QuotaExhausted, SendOutcome, Unknown
from tsudoi.line.inbox.jobs import Tools

_log = structlog.stdlib.get_logger(__name__)

THREADS = 4
CHUNKS_AT_A_TIME, PUSHES_AT_A_TIME = 8, 32
# Stands for a member's id where any id may come, and in no other field.
_NOBODY = -(2**60)


def send(tools: Tools, broadcast_id: int, *, until: float, stopping: threading.Event) -> None:
    """Work off one broadcast until nothing of it is due, or `until` (of `time.monotonic`); the worker does the rest."""
    _Round(tools, stopping, until, broadcast_id).work()


def drain(tools: Tools, stopping: threading.Event) -> int:
    """Work off whatever is due, of any broadcast; returns how many calls that were."""
    return _Round(tools, stopping).work()


class _Round:
    def __init__(
        self, tools: Tools, stopping: threading.Event, until: float = float("inf"), broadcast_id: int | None = None
    ) -> None:
        self._tools = tools
        self._stopping = stopping
        self._until = until
        self._broadcast_id = broadcast_id
        # Broadcasts that met the monthly limit: what we hold of them already is not tried any more.
        self._stopped: set[int] = set()
        # So many calls at a time, while as many other threads write down what became of the last ones.
        self._lanes = threading.Semaphore(THREADS)

    def work(self) -> int:
        """While the threads are busy with the last pieces, the next ones are taken, so that LINE never waits for us."""
        pieces, taken = self._take(), 0
        if not pieces:
            return 0
        with ThreadPoolExecutor(2 * THREADS, thread_name_prefix="broadcast") as pool:
            going: set[Future[Piece | None]] = set()
            written: list[Piece] = []
            more = True
            while pieces or going:
                taken += len(pieces)
                told = self._tools.db.read_now(service.people, pieces) if pieces else []
                going |= {
                    pool.submit(copy_context().run, self._handle, piece, people)
                    for piece, people in zip(pieces, told, strict=True)
                }
                done, going = wait(going, return_when=FIRST_COMPLETED)
                ended = [future.result() for future in done]
                written += [piece for piece in ended if piece]
                # Once nothing was due, only a piece that is not final, a refused chunk say, can make something due.
                more, pieces = more or None in ended, []
                if (more and len(going) <= 2 * THREADS) or not going:
                    _mark(self._tools, written)
                    written, pieces = [], self._take()
                    more = bool(pieces)
        return taken

    def _take(self) -> list[Piece]:
        if self._is_over():
            return []
        return self._tools.db.write_now(
            service.take, CHUNKS_AT_A_TIME, PUSHES_AT_A_TIME, broadcast_id=self._broadcast_id
        )

    def _is_over(self) -> bool:
        return self._stopping.is_set() or time.monotonic() >= self._until

    def _handle(self, piece: Piece, people: People) -> Piece | None:
        """The piece, once it is final and its lines are written."""
        try:
            if self._is_over():
                self._tools.db.write_now(service.release, piece)
                return None
            if self._tools.db.clock.now() >= piece.held_until:
                # We were asleep, perhaps for longer than LINE remembers a retry key. It is another's by now.
                return None
            with self._lanes:
                outcome = self._call(piece, people.line_user_ids)
                if isinstance(outcome, QuotaExhausted):
                    self._stopped.add(piece.letter.broadcast_id)
            return self._settle(piece, outcome, people.member_ids)
        except Exception:  # noqa: BLE001 (one piece must not stop the others; its lease runs out and it is tried again)
            _log.exception("broadcast_piece_failed", broadcast_id=piece.letter.broadcast_id, row_id=piece.id)
            return None

    def _call(self, piece: Piece, users: Sequence[str]) -> SendOutcome | CalledOff:
        """A doubt is worth a call even where nothing new may go out: the same key tells whether it had gone through."""
        letter, row = piece.letter, piece.row
        if not piece.uncertain and letter.obsolete:
            return CalledOff(rules.CANCELLED)
        if not piece.uncertain and letter.broadcast_id in self._stopped:
            return CalledOff(rules.QUOTA)
        try:
            if piece.alone:
                return self._tools.line.push(users[0], letter.messages, row.retry_key)
            return self._tools.line.multicast(users, letter.messages, row.retry_key)
        except Exception as unexpected:  # noqa: BLE001 (how far it got is not known, and that is what is written down)
            _log.exception("broadcast_call_failed", broadcast_id=letter.broadcast_id, row_id=piece.id)
            return Unknown(type(unexpected).__name__, maybe_sent=True)

    def _settle(self, piece: Piece, outcome: SendOutcome | CalledOff, member_ids: Sequence[int]) -> Piece | None:
        settled = self._tools.db.write_now(service.settle, piece, outcome)
        if settled.stops:
            _log.warning("broadcast_stopped_by_quota", broadcast_id=piece.letter.broadcast_id)
        if not settled.kept:
            _log.warning("broadcast_lease_lost", broadcast_id=piece.letter.broadcast_id, row_id=piece.id)
        if settled.status is None:
            return None
        told = _told(piece, settled, settled.status)
        return piece if _write(self._tools, told.at, _lines(told, member_ids)) else None


def _told(piece: Piece, settled: Settled, status: str) -> Told:
    letter = piece.letter
    return Told(
        at=settled.at,
        event_id=letter.event_id,
        broadcast_id=letter.broadcast_id,
        kind=letter.kind,
        status=status,
        message_id=settled.message_id,
        request_id=settled.request_id,
        reason=settled.reason,
    )


def _file(tools: Tools) -> DailyFile:
    return DailyFile(tools.settings.log_dir / "push")


def _lines(told: Told, member_ids: Iterable[int]) -> list[str]:
    """Lines that differ in one number are put together from their two halves, which is ten times as quick."""
    before, after = line(told.record(_NOBODY)).split(f":{_NOBODY},", 1)
    return [f"{before}:{member_id},{after}" for member_id in member_ids]


def _write(tools: Tools, at: datetime, lines: list[str]) -> bool:
    """What was sent stays sent when its line cannot be written; `finish_log` tries again."""
    try:
        _file(tools).append_lines(at, lines)
    except OSError:
        _log.exception("push_lines_not_written")
        return False
    return True


def _mark(tools: Tools, pieces: Iterable[Piece]) -> None:
    chunk_ids: list[int] = []
    delivery_ids: list[int] = []
    for piece in pieces:
        (delivery_ids if piece.alone else chunk_ids).append(piece.id)
    if chunk_ids or delivery_ids:
        # Nobody waits for it: what a crash leaves unmarked is compared with the file.
        tools.db.write_soon(service.mark_logged, chunk_ids=chunk_ids, delivery_ids=delivery_ids)


def finish_log(tools: Tools) -> int:
    """Write the lines that a crash, a full disk or a withdrawal left out; returns how many."""
    written, number = _Written(_file(tools)), 0
    while left_out := tools.db.write_now(service.claim_unlogged):
        by_day: dict[str, list[tuple[int, Told]]] = defaultdict(list)
        for member_id, told in left_out.told:
            if written.add(told, member_id):
                by_day[jst_date(told.at)].append((member_id, told))
        for lines in by_day.values():
            if not _write(tools, lines[0][1].at, [line(told.record(member_id)) for member_id, told in lines]):
                return number
        tools.db.write_now(service.mark_logged, chunk_ids=left_out.chunk_ids, delivery_ids=left_out.delivery_ids)
        number += sum(map(len, by_day.values()))
    return number


class _Written:
    """Lines that are in the file already: who wrote them may have died before saying so."""

    def __init__(self, file: DailyFile) -> None:
        self._file = file
        self._known: dict[Path, set[tuple[int, int]]] = {}

    def add(self, told: Told, member_id: int) -> bool:
        """True: its line was not there."""
        path = self._file.path(told.at)
        if path not in self._known:
            self._known[path] = self._read(path)
        known, key = self._known[path], (told.broadcast_id, member_id)
        is_new = key not in known
        known.add(key)
        return is_new

    def _read(self, path: Path) -> set[tuple[int, int]]:
        if not path.exists():
            return set()
        with path.open("rb") as lines:
            return {key for each in lines if (key := _key(each)) is not None}


def _key(written: bytes) -> tuple[int, int] | None:
    """A line that was cut short by a kill says nothing."""
    try:
        record = orjson.loads(written)
        return record["broadcast_id"], record["member_id"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
