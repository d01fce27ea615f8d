"""The NDJSON files, found and read out for whoever has to find out what happened."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from heapq import merge
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Literal

import orjson
from rich.console import Console
from rich.table import Table

from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import Refusal

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
class Choice:
    """Days are Japanese days, as in the file names; both ends belong to the range."""

    kind: Kind | None
    first: date | None
    last: date | None

    def takes(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class LogFile:
    kind: Kind
    day: date
    path: Path


def choice(kind: Kind | None, first: str | None, last: str | None) -> Choice:
    chosen = Choice(kind, _day("--from", first), _day("--to", last))
    if chosen.first and chosen.last and chosen.first > chosen.last:
        raise Refusal(f"--from {first} は --to {last} より後の日付です / --from is later than --to")
    return chosen


def run_list(chosen: Choice) -> int:
    found = _found(read_settings().log_dir, chosen)
    if not found:
        return _nothing()
    table = Table("種類 / kind", "日付 / date")
    for heading in ("行 / lines", "バイト / bytes"):
        table.add_column(heading, justify="right")
    for each in found:
        table.add_row(each.kind, each.day.isoformat(), f"{_lines(each.path):,}", f"{each.path.stat().st_size:,}")
    Console(highlight=False).print(table)
    return 0


def run_pull(chosen: Choice, out: Path | None) -> int:
    found = _found(read_settings().log_dir, chosen)
    if not found:
        return _nothing()
    with _sink(out) as write:
        # Day by day: years of files must not all be open at once.
        for _, of_day in groupby(found, key=lambda each: each.day):
            for _, line in merge(*(_told(each.path) for each in of_day), key=lambda pair: pair[0]):
                write(line + b"\n")
    return 0


def _day(option: str, given: str | None) -> date | None:
    if given is None:
        return None
    try:
        # On its own, Python would also take other spellings, such as weeks.
        return date.fromisoformat(given if re.fullmatch(_DAY, given, re.ASCII) else "")
    except ValueError as error:
        raise Refusal(f"{option} は YYYY-MM-DD の日付にしてください / {option} is not a date: {given}") from error


def _found(folder: Path, chosen: Choice) -> list[LogFile]:
    files = [
        LogFile(kind, day, path)
        for kind, (place, prefix) in _PLACES.items()
        if chosen.kind in (None, kind)
        for path in (folder / place).glob(f"{prefix}*.ndjson")
        if (day := _day_of(path, prefix)) is not None and chosen.takes(day)
    ]
    return sorted(files, key=lambda each: (each.day, each.kind))


def _day_of(path: Path, prefix: str) -> date | None:
    day = re.fullmatch(f"{prefix}({_DAY})\\.ndjson", path.name, re.ASCII)
    try:
        return date.fromisoformat(day.group(1)) if day else None
    except ValueError:  # 2025-13-45 is not ours.
        return None


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))


def _told(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each line with its moment. Lines keep the order of their file: two writers may differ by a blink of an eye.

    A machine that lost power can leave half a line; it is told of and left out, so that what comes out is all JSON.
    """
    moment = ""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                record = orjson.loads(line)
            except orjson.JSONDecodeError:
                _note(f"{path.name}:{number} 壊れた行を飛ばしました / a broken line was left out")
                continue
            ts = record.get("ts") if isinstance(record, dict) else None
            moment = max(moment, ts) if isinstance(ts, str) else moment
            yield moment or path.stem[-10:], line.rstrip(b"\n")


@contextmanager
def _sink(out: Path | None) -> Iterator[Callable[[bytes], object]]:
    if out is None:
        with _to_reader_who_may_leave() as stdout:
            yield stdout.write
        return
    try:
        with out.open("wb") as file:
            yield file.write
    except OSError as error:
        raise Refusal(f"{out} に書き込めません / cannot be written: {error.strerror}") from error


@contextmanager
def _to_reader_who_may_leave() -> Iterator[BinaryIO]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # `tsudoi logs pull | head` has read enough. Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nothing() -> int:
    _note("該当するログはありません / no such logs")
    return 0


def _note(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 (a command speaks to its terminal)
