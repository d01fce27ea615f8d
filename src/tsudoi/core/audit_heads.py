"""The last hash of the audit trail, noted now and then in a file outside the database.

Somebody who owns the database, and even the key, can compute the chain anew or cut off its end. Then it no longer has
the hashes that were noted here, and `tsudoi audit verify` says so.
"""

import os
from pathlib import Path

import orjson

from tsudoi.core.audit import head
from tsudoi.core.clock import jst_text
from tsudoi.core.ndjson import line
from tsudoi.core.runtime import Runtime

# More than one line of the file has.
_TAIL_BYTES = 4096


def note_head(runtime: Runtime) -> None:
    """Add a line where the chain has grown since the last one."""
    path, (last_id, last_hash) = runtime.settings.audit_heads, runtime.db.read_now(head)
    if last_id == 0 or _last_noted(path) == (last_id, last_hash):
        return
    record = {"ts": jst_text(runtime.db.clock.now()), "last_id": last_id, "last_hash": last_hash}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, f"{line(record)}\n".encode())
    finally:
        os.close(handle)


def noted_heads(path: Path) -> dict[int, str]:
    """The noted hashes by the number of their row. Of two notes about one row the first counts."""
    heads: dict[int, str] = {}
    for found in _readable(path.read_bytes() if path.exists() else b""):
        heads.setdefault(*found)
    return heads


def _last_noted(path: Path) -> tuple[int, str] | None:
    if not path.exists():
        return None
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        found = _readable(file.read())
    return found[-1] if found else None


def _readable(text: bytes) -> list[tuple[int, str]]:
    """A power failure can leave half a line, which is no JSON."""
    found: list[tuple[int, str]] = []
    for each in text.splitlines():
        try:
            record = orjson.loads(each)
            found.append((int(record["last_id"]), str(record["last_hash"])))
        except (ValueError, TypeError, KeyError):
            continue
    return found
