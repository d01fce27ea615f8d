"""`tsudoi mail bounce` and `tsudoi mail forgive`: mails that came back, and addresses that work again.

A mail server hands a message to a command on its standard input, and tries again later when the command fails. So
everything that can be read ends with 0, also what is no report; only a database that is away does not.
"""

import sys
from pathlib import Path

from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.db.interface import Database
from tsudoi.notifications.bounces.rules import LONGEST_REPORT, read_report
from tsudoi.notifications.bounces.service import note_report
from tsudoi.notifications.mails.service import forgive


def run_bounce(folder: Path | None) -> int:
    if folder is not None and not all((folder / name).is_dir() for name in ("new", "cur")):
        raise Refusal(f"メールのフォルダー（Maildir）ではありません / This is no Maildir: {folder}")
    with database_of(read_settings()) as db:
        if folder is not None:
            return _read_folder(db, folder)
        noted = _note(db, sys.stdin.buffer.read(LONGEST_REPORT + 1))
    _say(noted, "不達の記録 / returned mails noted")
    return 0


def _note(db: Database, raw: bytes) -> int:
    report = read_report(raw)
    return 0 if report is None else db.write_now(note_report, report)


def _read_folder(db: Database, folder: Path) -> int:
    """New messages move to `cur`, so that each is read once. What is no report stays marked as unread for people."""
    read, noted = 0, 0
    for path in sorted((folder / "new").iterdir()):
        found = _note(db, path.read_bytes())
        path.rename(folder / "cur" / f"{path.name}:2,{'S' if found else ''}")
        read, noted = read + 1, noted + found
    _say(read, "読んだメール / messages read")
    _say(noted, "不達の記録 / returned mails noted")
    return 0


def run_forgive(address: str) -> int:
    with database_of(read_settings()) as db:
        known = db.write_now(forgive, address)
    print(  # noqa: T201 (the output of the command)
        "このアドレスへの送信を再開します / Mails are sent there again"
        if known
        else "このアドレスの不達の記録はありません / Nothing is known against this address"
    )
    return 0


def _say(number: int, what: str) -> None:
    print(f"{what}: {number}")  # noqa: T201 (the output of the command)
