"""`tsudoi logs`: lists the NDJSON log files and prints their lines."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from heapq import merge
from itertools import chain, groupby
from pathlib import Path
from typing import BinaryIO, Literal

import orjson
from rich.table import Table

from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.command_line import print_table
from tsudoi.core.ndjson import daily_files

Kind = Literal["push", "webhook", "register"]
# Folder and beginning of the file name.
_PLACES: dict[Kind, tuple[str, str]] = {
    "push": ("push", ""),
    "webhook": ("line", "WEBHOOK-"),
    "register": ("line", "REGISTER-"),
}
_DAY = r"\d{4}-\d{2}-\d{2}"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which log files to use. Days are in Japan time, as in the file names; both ends are included."""

    kind: Kind | None
    first: date | None
    last: date | None

    def takes(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class DayLog:
    """The NDJSON files of one kind and day, in the order in which they were written."""

    kind: Kind
    day: date
    paths: tuple[Path, ...]


def log_filter(kind: Kind | None, first: str | None, last: str | None) -> LogFilter:
    chosen = LogFilter(kind, _day("--from", first), _day("--to", last))
    if chosen.first and chosen.last and chosen.first > chosen.last:
        raise Refusal(f"--from {first} は --to {last} より後の日付です / --from is later than --to")
    return chosen


def run_list(chosen: LogFilter) -> int:
    found = _found(read_settings().log_dir, chosen)
    if not found:
        return _nothing()
    table = Table("種類 / kind", "日付 / date")
    for heading in ("行 / lines", "バイト / bytes"):
        table.add_column(heading, justify="right")
    for each in found:
        lines, size = sum(map(_lines, each.paths)), sum(path.stat().st_size for path in each.paths)
        table.add_row(each.kind, each.day.isoformat(), f"{lines:,}", f"{size:,}")
    print_table(table)
    return 0


def run_pull(chosen: LogFilter, out: Path | None) -> int:
    found = _found(read_settings().log_dir, chosen)
    if not found:
        return _nothing()
    with _sink(out) as write:
        # One day at a time, so that years of files are not all open at once.
        for _, of_day in groupby(found, key=lambda each: each.day):
            for _, line in merge(*map(_timed_lines, of_day), key=lambda pair: pair[0]):
                write(line + b"\n")
    return 0


def _day(option: str, given: str | None) -> date | None:
    if given is None:
        return None
    try:
        # Without the pattern, Python accepts other formats too, such as weeks.
        return date.fromisoformat(given if re.fullmatch(_DAY, given, re.ASCII) else "")
    except ValueError as error:
        raise Refusal(f"{option} は YYYY-MM-DD の日付にしてください / {option} is not a date: {given}") from error


def _found(folder: Path, chosen: LogFilter) -> list[DayLog]:
    days = [
        DayLog(kind, day, tuple(each.path for each in of_day))
        for kind, (place, prefix) in _PLACES.items()
        if chosen.kind in (None, kind)
        for day, of_day in groupby(daily_files(folder / place, prefix), key=lambda each: each.day)
        if chosen.takes(day)
    ]
    return sorted(days, key=lambda each: (each.day, each.kind))


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))


def _timed_lines(log: DayLog) -> Iterator[tuple[str, bytes]]:
    """Each line with its time. Lines keep the order of their file, even if the times of two writers differ a little.

    A power failure can leave half a line. It is reported and skipped, so that the output is valid JSON.
    """
    moment = ""
    for path, number, line in chain.from_iterable(map(_numbered, log.paths)):
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            _print_error(f"{path.name}:{number} 壊れた行を飛ばしました / a broken line was left out")
            continue
        ts = record.get("ts") if isinstance(record, dict) else None
        moment = max(moment, ts) if isinstance(ts, str) else moment
        yield moment or log.day.isoformat(), line.rstrip(b"\n")


def _numbered(path: Path) -> Iterator[tuple[Path, int, bytes]]:
    with path.open("rb") as file:
        yield from ((path, number, line) for number, line in enumerate(file, 1))


@contextmanager
def _sink(out: Path | None) -> Iterator[Callable[[bytes], object]]:
    if out is None:
        with _stdout_that_may_close() as stdout:
            yield stdout.write
        return
    try:
        with out.open("wb") as file:
            yield file.write
    except OSError as error:
        raise Refusal(f"{out} に書き込めません / cannot be written: {error.strerror}") from error


@contextmanager
def _stdout_that_may_close() -> Iterator[BinaryIO]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # `tsudoi logs pull | head` closes the pipe early. Without this, Python reports the error again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nothing() -> int:
    _print_error("該当するログはありません / no such logs")
    return 0


def _print_error(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 (this is a message for the terminal)
