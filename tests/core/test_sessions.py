from datetime import timedelta

from sqlalchemy import select, text

from tests.conftest import NOON
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.models import Session
from tsudoi.core.sessions import (
    FoundSession,
    csrf_token,
    find_session,
    forget_expired,
    open_session,
    revoke_all,
    revoke_session,
)
from tsudoi.core.tokens import new_token, same, token_hash

HOUR = timedelta(hours=1)


def _open(db: Database, subject: str = "office") -> str:
    return db.write_now(open_session, "admin", subject, {"name": "事務局", "picture": None}, HOUR)


class TestOpenSession:
    def test_is_found_by_its_id(self, db: Database) -> None:
        token = _open(db)
        expected = FoundSession("admin", "office", {"name": "事務局", "picture": None}, NOON + HOUR)
        assert db.read_now(find_session, "admin", token) == expected

    def test_stores_only_the_hash_of_the_id(self, db: Database) -> None:
        token = _open(db)
        row = db.read_now(lambda tx: tx.execute(text("SELECT * FROM sessions")).one())
        assert token not in " ".join(map(str, row))
        assert token_hash(token) in row

    def test_gives_a_new_id_each_time(self, db: Database) -> None:
        tokens = {_open(db) for _ in range(5)}
        assert len(tokens) == 5
        assert all(len(token) >= 43 for token in tokens)

    def test_takes_any_kind_because_each_context_names_its_own(self, db: Database) -> None:
        token = db.write_now(open_session, "staff", "7", {}, HOUR)
        assert db.read_now(find_session, "staff", token) == FoundSession("staff", "7", {}, NOON + HOUR)


class TestFindSession:
    def test_knows_no_other_id(self, db: Database) -> None:
        token = _open(db)
        for guess in ("", new_token(), token_hash(token), token[:-1]):
            assert db.read_now(find_session, "admin", guess) is None

    def test_keeps_the_kinds_apart(self, db: Database) -> None:
        token = _open(db)
        assert db.read_now(find_session, "liff", token) is None
        assert db.read_now(find_session, "token", token) is None

    def test_ends_with_its_lifetime(self, db: Database, clock: ManualClock) -> None:
        token = _open(db)
        clock.advance(HOUR - timedelta(microseconds=1))
        assert db.read_now(find_session, "admin", token) is not None
        clock.advance(timedelta(microseconds=1))
        assert db.read_now(find_session, "admin", token) is None


class TestRevoke:
    def test_ends_one_session_at_once(self, db: Database) -> None:
        token, other = _open(db), _open(db)
        db.write_now(revoke_session, token)
        assert db.read_now(find_session, "admin", token) is None
        assert db.read_now(find_session, "admin", other) is not None

    def test_keeps_the_time_of_the_first_revocation(self, db: Database, clock: ManualClock) -> None:
        token = _open(db)
        db.write_now(revoke_session, token)
        clock.advance(HOUR)
        db.write_now(revoke_session, token)
        assert db.read_now(lambda tx: tx.scalar(select(Session.revoked_at))) == NOON

    def test_all_ends_every_session_of_one_person(self, db: Database) -> None:
        mine, other = [_open(db), _open(db)], _open(db, "somebody else")
        phone = db.write_now(open_session, "liff", "office", {}, HOUR)
        assert db.write_now(revoke_all, "admin", "office") == 2
        assert [db.read_now(find_session, "admin", token) for token in mine] == [None, None]
        assert db.read_now(find_session, "admin", other) is not None
        assert db.read_now(find_session, "liff", phone) is not None
        assert db.write_now(revoke_all, "admin", "office") == 0


class TestForgetExpired:
    def test_drops_what_ended_thirty_days_ago(self, db: Database, clock: ManualClock) -> None:
        _open(db)
        clock.advance(HOUR + timedelta(days=30))
        assert db.write_now(forget_expired) == 0
        clock.advance(timedelta(microseconds=1))
        assert db.write_now(forget_expired) == 1


class TestCsrfToken:
    def test_is_bound_to_its_session(self) -> None:
        token, other = new_token(), new_token()
        assert csrf_token(token) == csrf_token(token) != csrf_token(other)

    def test_is_neither_the_id_nor_what_is_stored(self) -> None:
        token = new_token()
        assert csrf_token(token) not in (token, token_hash(token))


class TestSame:
    def test_compares_any_text(self) -> None:
        assert same("鍵", "鍵")
        assert not same("鍵", "錠")
        assert not same("", "a")
