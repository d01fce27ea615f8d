"""`tsudoi mail bounce` and `tsudoi mail forgive`: mails that came back, and addresses that work again.

A mail server hands a message to a command on its standard input, and tries again later when the command fails. So
everything ends with 0, also what is no report or cannot be read; only a database that is away does not.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.db.interface import Database
from tsudoi.notifications.bounces.errors import UnreadableMail
from tsudoi.notifications.bounces.rules import LONGEST_REPORT, read_report
from tsudoi.notifications.bounces.service import note_if_ours
from tsudoi.notifications.mails.service import forgive


def run_bounce(folder: Path | None) -> int:
    if folder is not None and not all((folder / name).is_dir() for name in ("new", "cur")):
        raise Refusal(f"メールのフォルダー（Maildir）ではありません / This is no Maildir: {folder}")
    with database_of(read_settings()) as db:
        if folder is not None:
            return _read_folder(db, folder)
        noted = _note(db, sys.stdin.buffer)
    _say_noted([noted])
    return 0


def _note(db: Database, source: BinaryIO) -> int | None:
    """How many of our mails came back by this message. None: it cannot be read."""
    try:
        report = read_report(source.read(LONGEST_REPORT + 1))
    except UnreadableMail:
        return None
    return 0 if report is None else note_if_ours(db, report)


def _read_folder(db: Database, folder: Path) -> int:
    """New messages move to `cur`, so that each is read once. What is no report stays marked as unread for people.

    Each message stands for itself: one that cannot be read is set aside with the flag F (flagged) for people.
    """
    found: list[int | None] = []
    for path in sorted(one for one in (folder / "new").iterdir() if one.is_file()):
        with path.open("rb") as source:
            found.append(_note(db, source))
        flag = "F" if found[-1] is None else "S" if found[-1] else ""
        path.rename(folder / "cur" / f"{path.name}:2,{flag}")
    _say(len(found), "読んだメール / messages read")
    _say_noted(found)
    return 0


def _say_noted(found: Sequence[int | None]) -> None:
    _say(sum(noted or 0 for noted in found), "不達の記録 / returned mails noted")
    if unreadable := found.count(None):
        _say(unreadable, "読み取れないためよけたメール / messages that cannot be read, set aside")


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
