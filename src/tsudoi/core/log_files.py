"""Deletes the NDJSON files of days that are long past."""

import re
from datetime import datetime, timedelta
from pathlib import Path

from tsudoi.core.clock import jst_date

# `WEBHOOK-2025-08-16.ndjson`, and the parts into which a large file is divided.
_DATED = re.compile(r".*?(\d{4}-\d{2}-\d{2})[^/]*\.ndjson(\.\d+)?(\.gz)?")


def delete_old_logs(folder: Path, now: datetime, kept_for: timedelta) -> int:
    """The day is in the name, because a copy or a restored file has another time of change."""
    oldest = jst_date(now - kept_for)
    old = [path for path in folder.rglob("*.ndjson*") if (day := _DATED.fullmatch(path.name)) and day[1] < oldest]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
