"""`push/YYYY-MM-DD.ndjson`: one line for each recipient of a message, written once its outcome is final."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import structlog

from tsudoi.core.clock import jst_date
from tsudoi.core.ndjson import DailyFile, line
from tsudoi.core.runtime import Runtime
from tsudoi.line.delivery.rules import PushLogEntry

_log = structlog.stdlib.get_logger(__name__)

# Stands for a recipient's id in a line that serves as a pattern. No other field has this value.
_ANY_ID = -(2**60)

Entries = Sequence[tuple[PushLogEntry, Sequence[int]]]


def write(runtime: Runtime, entries: Entries) -> bool:
    """Append the lines of these entries for these recipients. False: some could not be written.

    A failure does not change what was sent. The caller does not mark these rows as logged, and a later
    `write_missing` tries again.
    """
    file = _file(runtime)
    try:
        for _, same_day in groupby(entries, key=lambda each: jst_date(each[0].at)):
            of_day = list(same_day)
            file.append_lines(of_day[0][0].at, "".join(_lines(entry, ids) for entry, ids in of_day))
    except OSError:
        _log.exception("push_lines_not_written")
        return False
    return True


def write_missing(runtime: Runtime, entries: Entries) -> int | None:
    """Append those lines that are not in the file yet, after a crash or a full disk. Returns how many that were.

    A process may have stopped after it wrote a line and before it marked the row. None: they could not be written.
    """
    file, known = _file(runtime), dict[Path, set[int]]()
    missing: list[tuple[PushLogEntry, Sequence[int]]] = []
    for entry, recipient_ids in sorted(entries, key=lambda each: each[0].at):
        path = file.path(entry.at)
        if path not in known:
            known[path] = _lines_in(path)
        new = [one for one in recipient_ids if hash(line(entry.record(one)).encode()) not in known[path]]
        missing.append((entry, new))
    return sum(len(new) for _, new in missing) if write(runtime, missing) else None


def _file(runtime: Runtime) -> DailyFile:
    return DailyFile(runtime.settings.log_dir / "push")


def _lines(entry: PushLogEntry, recipient_ids: Sequence[int]) -> str:
    """Serializes the entry once and puts each id into the text, which is twenty times as fast as one by one."""
    if not recipient_ids:
        return ""
    before, after = line(entry.record(_ANY_ID)).split(f":{_ANY_ID},", 1)
    between = f",{after}\n{before}:"
    return f"{before}:{between.join(map(str, recipient_ids))},{after}\n"


def _lines_in(path: Path) -> set[int]:
    """Hashes of the lines of a file. A line that a kill cut short has another hash, so it counts as missing."""
    if not path.exists():
        return set()
    with path.open("rb") as lines:
        return {hash(each.rstrip(b"\n")) for each in lines}
