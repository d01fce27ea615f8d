import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Column, MetaData, Table, insert, select, text

from tsudoi.core.clock import (
    JST,
    ClockWatch,
    ManualClock,
    NaiveDatetimeError,
    SystemClock,
    WrongClock,
    display,
    jst_date,
    jst_text,
    require_right_clock,
    utc_text,
)
from tsudoi.core.columns import JstText, UtcText
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.heartbeats import beat, require_database_clock

MOMENT = datetime(2025, 8, 16, 1, 0, 0, 500_000, tzinfo=UTC)


class TestText:
    def test_jst_has_a_fixed_width_and_its_offset(self) -> None:
        assert jst_text(MOMENT) == "2025-08-16T10:00:00+09:00"

    def test_utc_has_a_fixed_width_and_its_offset(self) -> None:
        assert utc_text(MOMENT) == "2025-08-16T01:00:00.500000+00:00"
        assert utc_text(MOMENT.replace(microsecond=0)) == "2025-08-16T01:00:00.000000+00:00"

    def test_any_offset_is_converted(self) -> None:
        new_york = MOMENT.astimezone(timezone(timedelta(hours=-4)))
        assert jst_text(new_york) == jst_text(MOMENT)
        assert utc_text(new_york) == utc_text(MOMENT)

    @pytest.mark.parametrize("writer", [jst_text, utc_text, display, jst_date])
    def test_naive_datetimes_are_refused(self, writer: object) -> None:
        with pytest.raises(NaiveDatetimeError):
            writer(datetime(2025, 8, 16))  # type: ignore[operator]  # noqa: DTZ001

    def test_people_see_japanese_time(self) -> None:
        assert display(MOMENT) == "2025/08/16 10:00"

    def test_the_japanese_day_begins_at_japanese_midnight(self) -> None:
        assert jst_date(datetime(2025, 8, 16, 14, 59, tzinfo=UTC)) == "2025-08-16"
        assert jst_date(datetime(2025, 8, 16, 15, 0, tzinfo=UTC)) == "2025-08-17"


class TestColumns:
    TABLE = Table("moments", MetaData(), Column("jst", JstText), Column("utc", UtcText))

    def _store(self, tx: Tx, moments: list[datetime]) -> None:
        self.TABLE.create(tx.connection)
        tx.execute(insert(self.TABLE), [{"jst": moment, "utc": moment} for moment in moments])

    @staticmethod
    def _sorted_by(tx: ReadTx, column: Column[datetime]) -> list[datetime]:
        return list(tx.execute(select(column).order_by(column)).scalars())

    def test_come_back_as_aware_datetimes(self, db: Database) -> None:
        db.write_now(self._store, [MOMENT])
        row = db.read_now(lambda tx: tx.execute(select(self.TABLE)).one())
        assert row.jst == MOMENT.replace(microsecond=0)
        assert row.utc == MOMENT
        assert row.jst.utcoffset() == JST.utcoffset(None)

    def test_text_order_is_time_order(self, db: Database) -> None:
        moments = [MOMENT + timedelta(seconds=1.5 * step) for step in (3, 0, 2, 1)]
        db.write_now(self._store, moments)
        for column in (self.TABLE.c.jst, self.TABLE.c.utc):
            found = db.read_now(self._sorted_by, column)
            assert found == sorted(moments if column.name == "utc" else [m.replace(microsecond=0) for m in moments])

    def test_the_stored_text_is_what_the_documents_show(self, db: Database) -> None:
        db.write_now(self._store, [MOMENT])
        stored = db.read_now(lambda tx: tx.execute(text("SELECT jst, utc FROM moments")).one())
        assert tuple(stored) == ("2025-08-16T10:00:00+09:00", "2025-08-16T01:00:00.500000+00:00")

    def test_naive_datetimes_are_refused(self, db: Database) -> None:
        with pytest.raises(Exception, match="without an offset"):
            db.write_now(self._store, [datetime(2025, 8, 16)])  # noqa: DTZ001


def test_a_manual_clock_moves_only_when_told() -> None:
    clock = ManualClock(MOMENT)
    assert clock.now() == clock.now() == MOMENT
    clock.advance(timedelta(hours=1))
    assert clock.now() == MOMENT + timedelta(hours=1)


@pytest.mark.found("24.E5")
class TestWrongClock:
    @pytest.mark.parametrize(
        ("seconds", "dialect", "right"),
        [
            (59, "postgresql", True),
            (-59, "postgresql", True),
            (61, "postgresql", False),
            (-61, "postgresql", False),
            # On SQLite the worker may have been down, and cannot have been alive in the future.
            (86_400, "sqlite", True),
            (-61, "sqlite", False),
        ],
    )
    def test_is_told_by_the_clock_of_the_database(self, seconds: int, dialect: str, right: bool) -> None:
        now = datetime(2025, 8, 16, 3, tzinfo=UTC)
        database = utc_text(now - timedelta(seconds=seconds))
        if right:
            require_right_clock(now, database, dialect)
        else:
            with pytest.raises(WrongClock, match=re.escape(f"{seconds:+d} 秒")):
                require_right_clock(now, database, dialect)

    def test_both_databases_tell_their_time(self, db: Database) -> None:
        class Ahead(SystemClock):
            def now(self) -> datetime:
                return super().now() + timedelta(days=1)

        db.read_now(require_database_clock, SystemClock())
        if db.dialect == "postgresql":
            with pytest.raises(WrongClock):
                db.read_now(require_database_clock, Ahead())
        db.write_now(beat, "worker:clockwork", SystemClock().now() + timedelta(hours=1))
        if db.dialect == "sqlite":
            with pytest.raises(WrongClock):
                db.read_now(require_database_clock, SystemClock())

    def test_nothing_is_known_before_the_first_heartbeat(self) -> None:
        require_right_clock(datetime(2025, 8, 16, 3, tzinfo=UTC), None, "sqlite")

    def test_a_jump_holds_the_sender_until_it_is_set_back_or_has_settled(self) -> None:
        elapsed = [1000.0]
        clock = ManualClock(datetime(2025, 8, 16, 3, tzinfo=UTC))
        watch = ClockWatch(clock, lambda: elapsed[0])

        def passes(seconds: float, jump: timedelta = timedelta(0)) -> None:
            elapsed[0] += seconds
            clock.advance(timedelta(seconds=seconds) + jump)

        day = timedelta(days=1)
        for _ in range(5):
            passes(30, timedelta(seconds=20))
            watch.require_no_jump()  # Small steps are no jump, however many they are.
        passes(5, day)
        with pytest.raises(WrongClock):
            watch.require_no_jump()
        passes(5, -day)
        watch.require_no_jump()
        passes(5, day)
        for _ in range(9):
            with pytest.raises(WrongClock):
                watch.require_no_jump()
            passes(60)
        passes(61)
        watch.require_no_jump()
        passes(5)
        watch.require_no_jump()
