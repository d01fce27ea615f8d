from datetime import timedelta

from sqlalchemy import insert

from tests.conftest import NOON
from tests.factories.booking import access_token_of, make_staff
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.login.service import forget_expired, forget_old_devices
from tsudoi.booking.pins.service import count_by_number, forget_old_attempts
from tsudoi.booking.staffs.models import StaffDevice
from tsudoi.core import lockout
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database

MOMENT = timedelta(microseconds=1)


class TestSessions:
    def test_those_that_ended_a_month_ago_go(self, db: Database, clock: ManualClock) -> None:
        person = make_staff(db)
        access_token_of(db, person, expires_at=NOON)
        access_token_of(db, person, expires_at=NOON + timedelta(days=1))
        clock.advance(timedelta(days=30))
        assert db.write_now(forget_expired) == 0
        clock.advance(MOMENT)
        assert db.write_now(forget_expired) == 1

    def test_a_session_that_a_younger_one_names_stays_as_long(self, db: Database, clock: ManualClock) -> None:
        """After REFRESH_EXPIRES_IN was shortened, a successor can expire first."""
        person = make_staff(db)
        access_token_of(db, person, expires_at=NOON)
        successor = db.read_now(lambda tx: tx.scalar(RefreshSession.__table__.select()))
        access_token_of(db, person, expires_at=NOON + timedelta(days=7), successor_id=successor)
        clock.advance(timedelta(days=31))
        assert db.write_now(forget_expired) == 0
        clock.advance(timedelta(days=7))
        assert db.write_now(forget_expired) == 2

    def test_devices_go_with_their_cookie(self, db: Database, clock: ManualClock) -> None:
        row = {"token_hash": "x", "staff_uid": make_staff(db).staff_uid, "created_at": NOON}
        db.write_now(lambda tx: tx.execute(insert(StaffDevice).values(row)))
        clock.advance(timedelta(days=400) + MOMENT)
        assert db.write_now(forget_old_devices) == 1
        assert db.read_now(lambda tx: tx.execute(StaffDevice.__table__.select()).all()) == []


def test_an_unknown_number_stays_locked_for_ninety_days(db: Database, clock: ManualClock) -> None:
    for _ in range(5):
        db.write_now(count_by_number, "777")
    for _ in range(2):
        assert not db.write_now(count_by_number, "777").admitted
        assert db.write_now(lockout.forget_old) == 0
        clock.advance(timedelta(days=44))
    assert db.write_now(forget_old_attempts) == 0
    assert not db.write_now(count_by_number, "777").admitted
    clock.advance(timedelta(days=90) + MOMENT)
    assert db.write_now(forget_old_attempts) == 1
    assert db.write_now(count_by_number, "777").admitted
