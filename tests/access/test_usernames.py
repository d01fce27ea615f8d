"""The names of administrators: nobody gets one that looks like another, or that has something nobody sees."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import insert, text

from tests.factories.product import PASSWORD, PASSWORD_HASH, settings_for
from tests.product_fixtures import postgresql_only, sqlite_only
from tests.servers import eventually
from tsudoi.access.admins.errors import BadUsername, UsernameTaken
from tsudoi.access.admins.models import AdminUser
from tsudoi.access.admins.rules import look_alike, username_fault
from tsudoi.access.admins.service import create_admin
from tsudoi.commands.runtime import seed_first_admin
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.secrets_check import BadSettings

# Zero-width, bidi, filler, variation selector, tag, control, surrogate, spaces: some of them count as printable.
UNSEEN = ("\u200b", "\u202e", "\u2066", "\u3164", "\u2800", "\ufe0f", "\U000e0041", "\x00", "\ud800", " ", "\u3000")
ALIKE = ("Tanaka", "ｔａｎａｋａ", "tan\uff41ka")


@pytest.mark.parametrize("unseen", UNSEEN, ids=lambda c: f"{ord(c):04x}")
def test_nobody_gets_a_name_with_something_that_nobody_sees(unseen: str) -> None:
    for name in (f"tan{unseen}aka", f"{unseen}tanaka", f"tanaka{unseen}"):
        assert username_fault(name)


def test_a_name_is_short_and_has_no_colon() -> None:
    assert [bool(username_fault(name)) for name in ("", "x" * 101, "a:b", "x" * 100, "田中", "taro@example.jp")] == [
        *(True, True, True),
        *(False, False, False),
    ]


def test_look_alikes_differ_in_width_case_or_what_nobody_sees() -> None:
    for name in ALIKE:
        assert look_alike(name, ["jimukyoku", "tan\u200baka"]) == "tan\u200baka"
    # The name itself counts first, however many look like it.
    assert look_alike("tanaka", ["Tanaka", "tanaka"]) == "tanaka"
    assert look_alike("tanabe", ["tanaka", "髙橋"]) is None
    assert look_alike("高橋", ["tanaka", "髙橋"]) is None


def test_the_verb_refuses_them_whoever_asks(db: Database) -> None:
    db.write_now(create_admin, "tanaka", PASSWORD_HASH)
    for name in ALIKE:
        with pytest.raises(UsernameTaken, match="見分けがつきません"):
            db.write_now(create_admin, name, PASSWORD_HASH)
    with pytest.raises(UsernameTaken, match="すでに使われています"):
        db.write_now(create_admin, "tanaka", PASSWORD_HASH)
    with pytest.raises(BadUsername, match="目に見えない"):
        db.write_now(create_admin, "tan\u3164aka", PASSWORD_HASH)
    assert db.write_now(create_admin, "tanabe", PASSWORD_HASH)


@postgresql_only
def test_two_that_are_made_at_the_same_time_do_not_look_the_same_either(db: Database) -> None:
    """Without the lock the second one would not see the first one, which has not committed yet."""
    db.write_now(create_admin, "jimukyoku", PASSWORD_HASH)
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    with ThreadPoolExecutor(1) as threads:

        def make_both(tx: Tx) -> Any:
            create_admin(tx, "tanaka", PASSWORD_HASH)
            second = threads.submit(db.write_now, create_admin, "Tanaka", PASSWORD_HASH)
            eventually(lambda: second.done() or db.read_now(lambda reader: reader.scalar(waiting)))
            return second

        with pytest.raises(UsernameTaken):
            db.write_now(make_both).result(60)


@sqlite_only
class TestTheFirstAdministrator:
    def start(self, db: Database, tmp_path: Any, name: str) -> None:
        settings = settings_for("https://tsudoi.example.jp", tmp_path, "https://api.line.me")
        first = {"admin_username": name, "admin_password": SecretStr(PASSWORD)}
        seed_first_admin(db, settings.model_copy(update=first))

    def test_needs_such_a_name_too(self, db: Database, tmp_path: Any) -> None:
        with pytest.raises(BadSettings, match="ADMIN_USERNAME"):
            self.start(db, tmp_path, "tan\u200baka")
        self.start(db, tmp_path, "tanaka")
        self.start(db, tmp_path, "tanaka")
        with pytest.raises(BadSettings, match="ADMIN_USERNAME"):
            self.start(db, tmp_path, "Tanaka")

    def test_who_has_an_older_name_stays(self, db: Database, tmp_path: Any) -> None:
        row = {"username": "jimu kyoku", "password_hash": PASSWORD_HASH}
        db.write_now(lambda tx: tx.execute(insert(AdminUser).values(**row, created_at=tx.now, updated_at=tx.now)))
        self.start(db, tmp_path, "jimu kyoku")
