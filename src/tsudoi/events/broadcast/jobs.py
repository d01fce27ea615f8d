"""Sending: several threads work off what is due, and whoever dies on the way leaves nothing but leases that run out."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from datetime import datetime
from itertools import groupby
from pathlib import Path

import orjson
import structlog

from tsudoi.core.clock import jst_date
from tsudoi.core.ndjson import DailyFile, line
from tsudoi.events.broadcast import rules, service
from tsudoi.events.broadcast.rules import CalledOff, Told
from tsudoi.events.broadcast.service import Ended, People, Piece, Settled, Wanted
from tsudoi.gateway.clients.line_outcomes import Accepted, QuotaExhausted, SendOutcome, Unknown
from tsudoi.line.inbox.jobs import Tools

_log = structlog.stdlib.get_logger(__name__)

THREADS = 6
CHUNKS_AT_A_TIME, PUSHES_AT_A_TIME = 16, 32
# So many calls, under way or ready, keep the threads busy until the next ones are taken.
_ENOUGH = 2 * THREADS
_MOMENT = 0.01
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
        self._wanted = Wanted(CHUNKS_AT_A_TIME, PUSHES_AT_A_TIME, broadcast_id)
        # Broadcasts that met the monthly limit: what we hold of them already is not tried any more.
        self._stopped: set[int] = set()
        self._going: set[Future[Ended]] = set()
        # Their lines are in the file; the next transaction marks them.
        self._written: list[Piece] = []

    def work(self) -> int:
        """The threads only call. Between their calls the last ones are written down and the next taken, all at once."""
        pieces, taken = self._turn([], more=True), 0
        if not pieces:
            return 0
        with ThreadPoolExecutor(THREADS, thread_name_prefix="broadcast") as pool:
            try:
                more = True
                while pieces or self._going:
                    taken += len(pieces)
                    self._start(pool, pieces)
                    ended = self._wait()
                    # Once nothing was due, only what LINE did not take, a refused chunk say, can make something due.
                    more = more or any(not isinstance(one.outcome, Accepted) for one in ended)
                    looks = more and len(self._going) <= _ENOUGH
                    pieces = self._turn(ended, more=looks)
                    more = more and (bool(pieces) or not looks)
            finally:
                # Whatever went wrong: what LINE says to the calls under way is written down.
                self._turn([future.result() for future in self._going], more=False)
        self._mark()
        return taken

    def _start(self, pool: ThreadPoolExecutor, pieces: Sequence[Piece]) -> None:
        """The first goes out as soon as its people are read, the others a few at a time."""
        for few in (pieces[:1], *(pieces[start : start + THREADS] for start in range(1, len(pieces), THREADS))):
            for piece, people in zip(few, self._tools.db.read_now(service.people, few), strict=True):
                self._going.add(pool.submit(copy_context().run, self._try, piece, people))

    def _wait(self) -> list[Ended]:
        """Whoever ends a moment after the first shares its transaction; the other calls go on meanwhile."""
        wait(self._going, return_when=FIRST_COMPLETED)
        done, self._going = wait(self._going, timeout=_MOMENT)
        return [future.result() for future in done]

    def _is_over(self) -> bool:
        return self._stopping.is_set() or time.monotonic() >= self._until

    def _try(self, piece: Piece, people: People) -> Ended:
        # If we slept, perhaps for longer than LINE remembers a retry key, it may be another's by now.
        if self._is_over() or self._tools.db.clock.now() >= piece.held_until:
            return Ended(piece, people, None)
        outcome = self._call(piece, people.line_user_ids)
        if isinstance(outcome, QuotaExhausted):
            self._stopped.add(piece.letter.broadcast_id)
        return Ended(piece, people, outcome)

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

    def _turn(self, ended: Sequence[Ended], *, more: bool) -> list[Piece]:
        """Write down what ended and take what is next, if there may be `more`."""
        wanted = self._wanted if more and not self._is_over() else None
        if not ended and not wanted:
            return []
        try:
            settled, pieces = self._tools.db.write_now(service.turn, ended, self._written, wanted)
        except Exception:
            if not ended:
                raise
            settled, pieces = list(self._one_by_one(ended)), []
        else:
            self._written = []
        self._write_lines(settled)
        return pieces

    def _one_by_one(self, ended: Iterable[Ended]) -> Iterator[tuple[Ended, Settled]]:
        """One piece must not stop the others: its lease runs out and it is tried again."""
        for one in ended:
            try:
                settled, _ = self._tools.db.write_now(service.turn, [one], [], None)
                yield from settled
            except Exception:  # noqa: BLE001 (see above)
                piece = one.piece
                _log.exception("broadcast_piece_failed", broadcast_id=piece.letter.broadcast_id, row_id=piece.id)

    def _write_lines(self, settled: Iterable[tuple[Ended, Settled]]) -> None:
        final: list[tuple[Piece, Told, Sequence[int]]] = []
        for one, end in settled:
            piece = one.piece
            if end.stops:
                _log.warning("broadcast_stopped_by_quota", broadcast_id=piece.letter.broadcast_id)
            if not end.kept:
                _log.warning("broadcast_lease_lost", broadcast_id=piece.letter.broadcast_id, row_id=piece.id)
            if end.status is not None:
                final.append((piece, _told(piece, end, end.status), one.people.member_ids))
        # All of one day in one go.
        for _, group in groupby(final, key=lambda each: jst_date(each[1].at)):
            of_day = list(group)
            if _write(self._tools, of_day[0][1].at, "".join(_lines(told, ids) for _, told, ids in of_day)):
                self._written += [piece for piece, _, _ in of_day]

    def _mark(self) -> None:
        if self._written:
            # Nobody waits for it: what a crash leaves unmarked is compared with the file.
            self._tools.db.write_soon(service.turn, [], self._written, None)


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


def _lines(told: Told, member_ids: Sequence[int]) -> str:
    """Lines that differ in one number are put together from their two halves, which is twenty times as quick."""
    if not member_ids:
        return ""
    before, after = line(told.record(_NOBODY)).split(f":{_NOBODY},", 1)
    between = f",{after}\n{before}:"
    return f"{before}:{between.join(map(str, member_ids))},{after}\n"


def _write(tools: Tools, at: datetime, lines: str) -> bool:
    """What was sent stays sent when its line cannot be written; `finish_log` tries again."""
    try:
        _file(tools).append_lines(at, lines)
    except OSError:
        _log.exception("push_lines_not_written")
        return False
    return True


def finish_log(tools: Tools) -> int:
    """Write the lines that a crash, a full disk or a withdrawal left out; returns how many."""
    written, number = _Written(_file(tools)), 0
    while left_out := tools.db.write_now(service.claim_unlogged):
        by_day: dict[str, list[tuple[int, Told]]] = defaultdict(list)
        for member_id, told in left_out.told:
            if written.add(told, member_id):
                by_day[jst_date(told.at)].append((member_id, told))
        for lines in by_day.values():
            text = "".join(f"{line(told.record(member_id))}\n" for member_id, told in lines)
            if not _write(tools, lines[0][1].at, text):
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
