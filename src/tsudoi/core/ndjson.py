"""Daily log files with one JSON object per line, which an engineer can read with any tool."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from tsudoi.core.clock import jst_date

# Legal inside a JSON string, but many programs take them for the end of a line.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_LINE_BREAKS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def line(record: Mapping[str, Any]) -> str:
    """One line without its end. Lone surrogates from a hostile sender become escapes, so that UTF-8 can hold them."""
    text = _ENCODER.encode(record)
    if text.isascii():  # This saves time, because a broadcast writes 100,000 lines.
        return text
    text = text.translate(_LINE_BREAKS)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


class DailyFile:
    """The log files `<folder>/<prefix>YYYY-MM-DD.ndjson`, one for each day in Japan."""

    def __init__(self, folder: Path, prefix: str = "") -> None:
        self._folder = folder
        self._prefix = prefix

    def path(self, at: datetime) -> Path:
        return self._folder / f"{self._prefix}{jst_date(at)}.ndjson"

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
        finally:
            os.close(handle)

    def _open(self, path: Path) -> int:
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            return os.open(path, how, 0o600)
        except FileNotFoundError:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(path, how, 0o600)
