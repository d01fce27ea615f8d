"""Sending: several threads work off what is due, and whoever dies on the way leaves nothing but leases that run out."""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue

import orjson
import structlog

from tsudoi.core.clock import jst_date
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.ndjson import DailyFile, line
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import rules, service
from tsudoi.events.broadcast.rules import CalledOff, Told
from tsudoi.events.broadcast.service import NOBODY, Ended, People, Piece, Settled, Wanted
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import Accepted, QuotaExhausted, SendOutcome, Unknown

_log = structlog.stdlib.get_logger(__name__)

THREADS = 6
CHUNKS_AT_A_TIME, PUSHES_AT_A_TIME = 16, 32
# So many calls, under way or ready, keep the threads busy until the next ones are taken.
_ENOUGH = 2 * THREADS
_MOMENT = 0.01
# Stands for a member's id where any id may come, and in no other field.
_ANYBODY = -(2**60)


def send(runtime: Runtime, broadcast_id: int, *, until: float) -> None:
    """Work off one broadcast until nothing of it is due, or `until` (of `time.monotonic`); the worker does the rest."""
    _Round(runtime, until, broadcast_id).work()


def drain(runtime: Runtime) -> int:
    """Work off whatever is due, of any broadcast; returns how many calls that were."""
    return _Round(runtime).work()


class _Round:
    def __init__(self, runtime: Runtime, until: float = float("inf"), broadcast_id: int | None = None) -> None:
        self._runtime = runtime
        self._until = until
        self._wanted = Wanted(CHUNKS_AT_A_TIME, PUSHES_AT_A_TIME, broadcast_id)
        # Broadcasts that met the monthly limit: what we hold of them already is not tried any more.
        self._stopped: set[int] = set()
        # Calls under way, where they come back to, and what came back but is not written down yet.
        self._under_way = 0
        self._back: SimpleQueue[Ended] = SimpleQueue()
        self._ended: list[Ended] = []
        # Their lines are in the file; the next transaction marks them.
        self._written: list[Piece] = []
        # Something failed: nothing more is called or taken, but what LINE said is still written down.
        self._broken = False

    def work(self) -> int:
        """The threads only call. Between their calls the last ones are written down and the next taken, all at once."""
        pieces = self._turn(more=True)
        if not pieces:
            return 0
        try:
            with ThreadPoolExecutor(THREADS, thread_name_prefix="broadcast") as pool:
                try:
                    return self._keep_busy(pool, pieces)
                except BaseException:
                    self._broken = True
                    raise
        finally:
            self._take_back()
            self._turn(more=False)
            self._mark()

    def _keep_busy(self, pool: ThreadPoolExecutor, pieces: list[Piece]) -> int:
        taken, more, unsure = 0, True, False
        while pieces or self._under_way:
            taken += len(pieces)
            self._start(pool, pieces)
            self._wait()
            # Once nothing was due, only what LINE did not take can make something due: a refused chunk at once, a busy
            # LINE a little later, for which there is a last look.
            surprises = any(not isinstance(one.outcome, Accepted) for one in self._ended)
            more, unsure = more or surprises, unsure or surprises
            looks = (more and self._under_way <= _ENOUGH) or (unsure and not self._under_way)
            pieces = self._turn(more=looks)
            more = more and (bool(pieces) or not looks)
        return taken

    def _start(self, pool: ThreadPoolExecutor, pieces: Sequence[Piece]) -> None:
        """The first goes out as soon as its people are read, the others a few at a time."""
        waiting = list(pieces)
        try:
            while waiting:
                few = waiting[: THREADS if self._under_way else 1]
                for piece, people in zip(few, self._runtime.db.read_now(service.people, few), strict=True):
                    pool.submit(copy_context().run, self._try, piece, people)
                    self._under_way += 1
                    waiting.pop(0)
        except BaseException:
            # Given back. Otherwise a doubt would remain where nobody called.
            self._ended += [Ended(piece, NOBODY, None) for piece in waiting]
            raise

    def _wait(self) -> None:
        """Whoever comes back a moment after the first shares its transaction; the other calls go on meanwhile."""
        self._ended.append(self._back.get())
        self._under_way -= 1
        latest = time.monotonic() + _MOMENT
        while self._under_way:
            try:
                self._ended.append(self._back.get(timeout=max(0, latest - time.monotonic())))
            except Empty:
                return
            self._under_way -= 1

    def _take_back(self) -> None:
        """Whatever went wrong: by now every call has come back."""
        while not self._back.empty():
            self._ended.append(self._back.get())

    def _is_over(self) -> bool:
        return self._broken or self._runtime.stopping.is_set() or time.monotonic() >= self._until

    def _try(self, piece: Piece, people: People) -> None:
        outcome: SendOutcome | CalledOff | None = Unknown("interrupted", maybe_sent=True)
        try:
            # If we slept, perhaps for longer than LINE remembers a retry key, it may be another's by now.
            late = self._is_over() or self._runtime.db.clock.now() >= piece.held_until
            outcome = None if late else self._call(piece, people.line_user_ids)
            if isinstance(outcome, QuotaExhausted):
                self._stopped.add(piece.letter.broadcast_id)
        finally:
            self._back.put(Ended(piece, people, outcome))

    def _call(self, piece: Piece, users: Sequence[str]) -> SendOutcome | CalledOff:
        """Where the quota is used up, a doubt is still worth a call: the same key tells whether it had gone through.

        Not after a cancellation: if it had not, this very call would invite people to what is off.
        """
        letter, row = piece.letter, piece.row
        if letter.obsolete:
            return CalledOff(rules.CANCELLED)
        if not piece.uncertain and letter.broadcast_id in self._stopped:
            return CalledOff(rules.QUOTA)
        try:
            if piece.alone:
                return self._runtime.part(LineClient).push(users[0], letter.messages, row.retry_key)
            return self._runtime.part(LineClient).multicast(users, letter.messages, row.retry_key)
        except Exception as unexpected:  # noqa: BLE001 (how far it got is not known, and that is what is written down)
            _log.exception("broadcast_call_failed", broadcast_id=letter.broadcast_id, row_id=piece.id)
            return Unknown(type(unexpected).__name__, maybe_sent=True)

    def _turn(self, *, more: bool) -> list[Piece]:
        """Write down what ended and take what is next, if there may be `more`."""
        wanted = self._wanted if more and not self._is_over() else None
        if not self._ended and not wanted:
            return []
        try:
            settled, pieces = self._runtime.db.write_now(service.turn, self._ended, self._written, wanted)
        except DatabaseUnavailable:
            if not self._ended:
                raise
            # Kept until the database is back or the calls under way have ended, whatever comes first.
            self._broken = True
            _log.warning("broadcast_turn_failed", exc_info=True)
            return []
        except Exception:
            if not self._ended:
                raise
            _log.exception("broadcast_turn_failed")
            self._one_by_one()
            return []
        self._ended, self._written = [], []
        self._write_lines(settled)
        return pieces

    def _one_by_one(self) -> None:
        """One piece must not stop the others: its lease runs out and it is tried again."""
        ended, self._ended = self._ended, []
        for one in ended:
            try:
                settled, _ = self._runtime.db.write_now(service.turn, [one], [], None)
            except Exception:  # noqa: BLE001 (see above)
                piece = one.piece
                _log.exception("broadcast_piece_failed", broadcast_id=piece.letter.broadcast_id, row_id=piece.id)
            else:
                self._write_lines(settled)

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
            if _write(self._runtime, of_day[0][1].at, "".join(_lines(told, ids) for _, told, ids in of_day)):
                self._written += [piece for piece, _, _ in of_day]

    def _mark(self) -> None:
        if self._written:
            # Nobody waits for it: what a crash leaves unmarked is compared with the file.
            self._runtime.db.write_soon(service.turn, [], self._written, None)


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


def _file(runtime: Runtime) -> DailyFile:
    return DailyFile(runtime.settings.log_dir / "push")


def _lines(told: Told, member_ids: Sequence[int]) -> str:
    """Lines that differ in one number are put together from their two halves, which is twenty times as quick."""
    if not member_ids:
        return ""
    before, after = line(told.record(_ANYBODY)).split(f":{_ANYBODY},", 1)
    between = f",{after}\n{before}:"
    return f"{before}:{between.join(map(str, member_ids))},{after}\n"


def _write(runtime: Runtime, at: datetime, lines: str) -> bool:
    """What was sent stays sent when its line cannot be written; `finish_log` tries again."""
    try:
        _file(runtime).append_lines(at, lines)
    except OSError:
        _log.exception("push_lines_not_written")
        return False
    return True


def finish_log(runtime: Runtime) -> int:
    """Write the lines that a crash, a full disk or a withdrawal left out; returns how many."""
    written, number = _Written(_file(runtime)), 0
    while left_out := runtime.db.write_now(service.claim_unlogged):
        by_day: dict[str, list[tuple[int, Told]]] = defaultdict(list)
        for member_id, told in left_out.told:
            if written.add(told, member_id):
                by_day[jst_date(told.at)].append((member_id, told))
        for lines in by_day.values():
            text = "".join(f"{line(told.record(member_id))}\n" for member_id, told in lines)
            if not _write(runtime, lines[0][1].at, text):
                return number
        runtime.db.write_now(service.mark_logged, chunk_ids=left_out.chunk_ids, delivery_ids=left_out.delivery_ids)
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
