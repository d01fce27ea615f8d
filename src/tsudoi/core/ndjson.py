"""Daily log files with one JSON object per line, which an engineer can read with any tool."""

import fcntl
import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from tsudoi.core.clock import jst_date
from tsudoi.core.settings import Settings

# Legal inside a JSON string, but many programs take them for the end of a line.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
# A part of a day that was full has a number.
_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})(?:\.(\d{1,9}))?\.ndjson", re.ASCII)
_LINE_BREAKS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def line(record: Mapping[str, Any]) -> str:
    """One line without its end. Lone surrogates from a hostile sender become escapes, so that UTF-8 can hold them."""
    text = _ENCODER.encode(record)
    if text.isascii():  # This saves time, because a broadcast writes 100,000 lines.
        return text
    text = text.translate(_LINE_BREAKS)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


@dataclass(frozen=True, slots=True)
class DayFile:
    """One file of a day. `part` is None for the one that is written to."""

    day: date
    part: int | None
    path: Path


def daily_files(folder: Path, prefix: str) -> list[DayFile]:
    """All files of this prefix, in the order in which they were written."""
    found = (_day_file(path, prefix) for path in folder.glob(f"{prefix}*.ndjson"))
    return sorted(filter(None, found), key=lambda each: (each.day, each.part is None, each.part or 0))


def _day_file(path: Path, prefix: str) -> DayFile | None:
    name = _NAME.fullmatch(path.name.removeprefix(prefix))
    with suppress(ValueError):  # A name such as 2025-13-45 is not one of our files.
        return DayFile(date.fromisoformat(name[1]), int(name[2]) if name[2] else None, path) if name else None
    return None


class DailyFile:
    """The log files `<folder>/<prefix>YYYY-MM-DD.ndjson`, one for each day in Japan.

    A file that has grown to `largest` bytes becomes the part `<prefix>YYYY-MM-DD.1.ndjson` of its day (then `.2`, …),
    and a new one begins. Of one prefix at most `most` files are kept: the oldest go first.
    """

    def __init__(self, folder: Path, prefix: str = "", largest: int = 2**25, most: int = 500) -> None:
        self._folder = folder
        self._prefix = prefix
        self._largest = largest
        self._most = most

    @staticmethod
    def of(settings: Settings, folder: str, prefix: str = "") -> "DailyFile":
        """The file as the settings of this installation bound it."""
        return DailyFile(settings.log_dir / folder, prefix, settings.log_file_bytes, settings.log_files)

    def path(self, at: datetime) -> Path:
        """The file of this day that is written to."""
        return self._folder / f"{self._prefix}{jst_date(at)}.ndjson"

    def paths(self, at: datetime) -> list[Path]:
        """All files of this day, in the order in which they were written."""
        day = jst_date(at)
        return [each.path for each in self._files() if each.day.isoformat() == day]

    def append(self, at: datetime, records: Iterable[Mapping[str, Any]]) -> None:
        self.append_lines(at, "".join(f"{line(each)}\n" for each in records))

    def append_lines(self, at: datetime, lines: str) -> None:
        """Write all lines with one call in append mode, so that lines of two processes never mix."""
        data = lines.encode()
        if not data:
            return
        handle = self._open(self.path(at))
        try:
            while data:  # A nearly full disk may take only a part; the next write then raises the error.
                data = data[os.write(handle, data) :]
            is_full = os.fstat(handle).st_size >= self._largest
        finally:
            os.close(handle)
        if is_full:
            self._begin_part(self.path(at))

    def _begin_part(self, path: Path) -> None:
        """Rename the full file. A process that has it open meanwhile still writes its lines to the end of it."""
        with suppress(FileNotFoundError), path.open("ab") as full:
            fcntl.flock(full, fcntl.LOCK_EX)
            # Another process may have been quicker; then this is the renamed file, or the new one.
            if not os.path.samestat(os.fstat(full.fileno()), path.stat()) or full.tell() < self._largest:
                return
            files = self._files()
            [day] = [each.day for each in files if each.path == path]
            last = max((each.part or 0 for each in files if each.day == day), default=0)
            path.rename(path.with_name(f"{self._prefix}{day}.{last + 1}.ndjson"))
        for old in self._files()[: -self._most]:
            old.path.unlink(missing_ok=True)

    def _files(self) -> list[DayFile]:
        return daily_files(self._folder, self._prefix)

    def _open(self, path: Path) -> int:
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            return os.open(path, how, 0o600)
        except FileNotFoundError:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(path, how, 0o600)
