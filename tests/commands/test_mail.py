"""`tsudoi mail`: a mail server hands in what came back, and the office lets an address in again."""

import io
import sys
from pathlib import Path

import pytest

from tests.factories.product import Box
from tests.factories.terminal import Done, Terminal
from tests.notifications.mails.post import PostOffice, draft, mail_runtime
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.notifications.mails.queries import dead_addresses

pytestmark = sqlite_only


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path, monkeypatch, capsys)


def returned_mail(db: Database, box: Box, clock: ManualClock, folder: Path) -> bytes:
    """A mail is sent, and comes back."""
    with mail_runtime(db, box.smtp_url, folder) as runtime:
        post = PostOffice(runtime, box, clock)
        post.enqueue(draft(1))
        post.drain()
    return box.http.get(f"/_sandbox/mails/{box.mails()[0]['id']}/bounce").content


def hand_in(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, url: str, content: bytes) -> Done:
    """As a mail server does: bytes on the standard input."""
    kept = io.StringIO

    class Piped(io.TextIOWrapper):
        def __init__(self, _text: str) -> None:
            super().__init__(io.BytesIO(content))

    monkeypatch.setattr(io, "StringIO", Piped)
    try:
        return terminal("mail", "bounce", DATABASE_URL=url)
    finally:
        monkeypatch.setattr(io, "StringIO", kept)
        monkeypatch.setattr(sys, "stdin", sys.__stdin__)


def test_one_message_on_standard_input(
    db: Database, database_url: str, box: Box, clock: ManualClock, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = returned_mail(db, box, clock, terminal.folder)
    for content, noted in ((b"Subject: Re: a\n\nThank you!", 0), (raw, 1), (raw, 0)):
        done = hand_in(terminal, monkeypatch, database_url, content)
        assert (done.code, done.out) == (0, f"不達の記録 / returned mails noted: {noted}\n")
    assert db.read_now(dead_addresses, ["staff1@example.jp"]) == {"staff1@example.jp"}
    done = terminal("mail", "forgive", "staff1@example.jp", DATABASE_URL=database_url)
    assert (done.code, "再開" in done.out) == (0, True)
    assert db.read_now(dead_addresses, ["staff1@example.jp"]) == set()


def test_the_new_messages_of_a_folder(
    db: Database, database_url: str, box: Box, clock: ManualClock, terminal: Terminal, tmp_path: Path
) -> None:
    raw = returned_mail(db, box, clock, tmp_path)
    folder = tmp_path / "Maildir"
    for name in ("new", "cur", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "new" / "1.a").write_bytes(raw)
    (folder / "new" / "2.b").write_bytes(b"Subject: Re: a\n\nThank you!")
    done = terminal("mail", "bounce", "--maildir", str(folder), DATABASE_URL=database_url)
    assert (done.code, done.out.splitlines()) == (
        0,
        ["読んだメール / messages read: 2", "不達の記録 / returned mails noted: 1"],
    )
    assert list((folder / "new").iterdir()) == []
    assert sorted(path.name for path in (folder / "cur").iterdir()) == ["1.a:2,S", "2.b:2,"]
    assert db.read_now(dead_addresses, ["staff1@example.jp"]) == {"staff1@example.jp"}
    again = terminal("mail", "bounce", "--maildir", str(folder), DATABASE_URL=database_url)
    assert again.out.splitlines()[0] == "読んだメール / messages read: 0"
    missing = terminal("mail", "bounce", "--maildir", str(tmp_path / "nothing"), DATABASE_URL=database_url)
    assert missing.code != 0
    assert "Maildir" in missing.err


@pytest.mark.found("24.E3")
def test_a_message_that_cannot_be_read_is_set_aside_and_the_others_are_read(
    db: Database, database_url: str, box: Box, clock: ManualClock, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = returned_mail(db, box, clock, terminal.folder)
    folder = terminal.folder / "Maildir"
    for name in ("new", "cur", "tmp", "new/folder"):
        (folder / name).mkdir(parents=True)
    parts = (f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n' for number in range(1_200))
    nested = 'Content-Type: multipart/report; boundary="x"\n\n--x\n' + "".join(parts)
    (folder / "new" / "1.nested").write_text(nested)
    (folder / "new" / "2.returned").write_bytes(raw)
    done = terminal("mail", "bounce", "--maildir", str(folder), DATABASE_URL=database_url)
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            "読んだメール / messages read: 2",
            "不達の記録 / returned mails noted: 1",
            "読み取れないためよけたメール / messages that cannot be read, set aside: 1",
        ],
    )
    assert sorted(path.name for path in (folder / "cur").iterdir()) == ["1.nested:2,F", "2.returned:2,S"]
    done = hand_in(terminal, monkeypatch, database_url, nested.encode())
    assert (done.code, done.out.splitlines()[0]) == (0, "不達の記録 / returned mails noted: 0")
