"""A plan in the database: one transaction, on both databases."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from sqlalchemy import delete, insert, select, text

from tests.conftest import NOON
from tests.factories.sheets import HEADERS, Rows, line_id, roster, sync_rows
from tests.roster.syncs.test_plan import ROWS
from tsudoi.core import audit
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs import queries, service
from tsudoi.roster.syncs.errors import RosterChanged, SheetUnreadable, TooManyWithdrawn
from tsudoi.roster.syncs.models import MemberSync
from tsudoi.roster.syncs.rules.plan import SyncPlan


def rows_of(db: Database, model: type[Base]) -> list[dict[str, Any]]:
    statement = select(model).order_by(*model.__table__.primary_key)
    return [dict(row) for row in db.read_now(lambda tx: tx.execute(statement).mappings().all())]


def members(db: Database) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in rows_of(db, Member)}


def people(count: int) -> Rows:
    return roster(*([number, f"会員{number}", number * 10] for number in range(1, count + 1)))


def change(db: Database, statement: Any) -> None:
    db.write_now(lambda tx: tx.execute(statement))


class TestNewAndChanged:
    def test_the_roster_equals_the_sheet(self, db: Database, clock: ManualClock) -> None:
        sync_rows(db, roster([1, "山田 太郎", 20, "admin", line_id(1), "", "t@example.jp"], [2, "佐藤 花子"]))
        first = members(db)[1]
        assert (first["name"], first["name_key"], first["display_order"]) == ("山田 太郎", "山田太郎", 20)
        assert (first["role"], first["email"], first["is_target"]) == ("admin", "t@example.jp", 1)
        assert (first["line_user_id"], first["created_at"], first["withdrawn_at"]) == (line_id(1), NOON, None)
        clock.advance(timedelta(hours=1))
        sync_rows(db, roster([1, "山田 次郎", "", "", "", 0, ""], [2, "佐藤 花子"]))
        second = members(db)[1]
        assert (second["name"], second["name_key"], second["display_order"]) == ("山田 次郎", "山田次郎", None)
        assert (second["role"], second["email"], second["is_target"]) == ("member", None, 0)
        assert second["line_user_id"] == line_id(1)
        assert second["updated_at"] > second["created_at"]
        assert members(db)[2]["updated_at"] == NOON, "who did not change is not touched"

    def test_the_reading_of_a_name_is_kept(self, db: Database) -> None:
        headers = ["id", "氏名", "kana"]
        sync_rows(db, roster([1, "山田", "ﾔﾏﾀﾞ"], [2, "佐藤"], headers=headers))
        assert [row["kana"] for row in members(db).values()] == ["ヤマダ", None]
        sync_rows(db, roster([1, "山田", "やまだ"], [2, "佐藤", "さとう"], headers=headers))
        assert [row["kana"] for row in members(db).values()] == ["やまだ", "さとう"]

    def test_a_link_from_the_sheet_brings_the_name_that_line_told_us(self, db: Database) -> None:
        times = {"first_contact_at": NOON, "last_contact_at": NOON, "updated_at": NOON}
        friend = {"user_id": line_id(1), "display_name": "たろう", "following": True, "state_ms": 1, **times}
        change(db, insert(LineFriend).values(**friend))
        sync_rows(db, roster([1, "山田"], [2, "佐藤", "", "", line_id(2)]))
        sync_rows(db, roster([1, "山田", "", "", line_id(1)], [2, "佐藤"]))
        assert [row["line_display_name"] for row in members(db).values()] == ["たろう", None]

    def test_a_new_normalisation_is_a_change_of_its_own(self, db: Database) -> None:
        sync_rows(db, roster([1, "ｱﾍﾞ"]))
        plan = sync_rows(db, roster([1, "ｱﾍﾞ"]), nfkc=True)
        assert len(plan.changed) == 1
        assert members(db)[1]["name_key"] == "アベ"


class TestWithdrawn:
    def test_members_are_kept_marked_and_come_back(self, db: Database) -> None:
        sync_rows(db, roster(*people(6)[1:], [7, "退会", "", "", line_id(7)]))
        sync_rows(db, people(6))
        gone = members(db)[7]
        assert (gone["withdrawn_at"], gone["is_target"], gone["line_user_id"]) == (NOON, 0, line_id(7))
        sync_rows(db, roster(*people(6)[1:], [7, "退会"]))
        back = members(db)[7]
        assert (back["withdrawn_at"], back["is_target"]) == (None, 1)

    def test_more_than_a_fifth_needs_force(self, db: Database) -> None:
        sync_rows(db, people(10))
        before = members(db)
        for dry_run in (True, False):
            with pytest.raises(TooManyWithdrawn):
                sync_rows(db, people(7), dry_run=dry_run)
        assert members(db) == before
        assert len(rows_of(db, MemberSync)) == 1
        sync_rows(db, people(7), force=True)
        assert sum(row["withdrawn_at"] is not None for row in members(db).values()) == 3

    def test_an_empty_sheet_withdraws_nobody_unless_forced(self, db: Database) -> None:
        sync_rows(db, people(3))
        with pytest.raises(TooManyWithdrawn):
            sync_rows(db, [HEADERS])
        assert all(row["withdrawn_at"] is None for row in members(db).values())


class TestTrail:
    def test_the_run_its_links_and_its_withdrawals_are_audited(self, db: Database) -> None:
        sync_rows(db, roster(*people(6)[1:], [7, "林"]))
        sync_rows(db, roster(*people(5)[1:], [7, "林", "", "", line_id(7)], ["x", "壊"]))
        trail = [(row["action"], row["subject"]) for row in rows_of(db, AuditLog)]
        assert trail == [
            ("MEMBERS_SYNC", "members"),
            ("MEMBERS_SYNC", "members"),
            ("LINK", "member:7"),
            ("WITHDRAW", "member:6"),
        ]
        assert db.read_now(audit.verify).broken_at is None
        run = rows_of(db, MemberSync)[-1]
        counts = [run[name] for name in ("created", "changed", "withdrawn", "unchanged", "refused")]
        assert counts == [0, 1, 1, 5, 1]
        assert run["refusals"] == [{"row": 8, "id": None, "reason": run["refusals"][0]["reason"]}]

    def test_many_share_one_row(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service, "_MOST_AUDIT_ROWS", 2)
        linked = roster(*([number, f"人{number}", "", "", line_id(number)] for number in range(1, 4)))
        sync_rows(db, linked)
        sync_rows(db, [HEADERS], force=True)
        trail = [(row["action"], row["new"]) for row in rows_of(db, AuditLog)]
        assert ("LINK", {"member_ids": [1, 2, 3]}) in [(action, _json(new)) for action, new in trail]
        assert ("WITHDRAW", {"member_ids": [1, 2, 3]}) in [(action, _json(new)) for action, new in trail]


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


class TestOneTransaction:
    def test_a_dry_run_shows_the_same_plan_and_writes_nothing(self, db: Database) -> None:
        sheet, shown = roster([1, "林"], ["x", "森"]), list[SyncPlan]()
        dry = sync_rows(db, sheet, dry_run=True, show=shown.append)
        assert (members(db), rows_of(db, MemberSync), rows_of(db, AuditLog)) == ({}, [], [])
        real = sync_rows(db, sheet, show=shown.append)
        assert dry == real
        assert shown == [dry, real]

    def test_a_failure_at_the_very_end_leaves_nothing(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_args: Any, **_named: Any) -> None:
            raise RuntimeError("the last statement")

        monkeypatch.setattr(audit, "record", fail)
        with pytest.raises(RuntimeError, match="the last statement"):
            sync_rows(db, people(5))
        assert members(db) == {}

    def test_a_roster_that_moved_is_planned_and_shown_again(self, db: Database) -> None:
        sync_rows(db, roster([1, "林"]))
        meddle = _once(lambda: change(db, text(f"UPDATE members SET line_user_id='{line_id(9)}' WHERE id=1")))
        shown: list[SyncPlan] = []

        def show(plan: SyncPlan) -> None:
            shown.append(plan)
            meddle()

        plan = sync_rows(db, roster([1, "林", "", "", line_id(1)]), show=show)
        assert len(shown) == 2
        assert shown[0].changed
        assert [row.id for row in plan.refused] == [1]
        assert members(db)[1]["line_user_id"] == line_id(9), "the link that came in between stays"

    def test_without_that_look_the_link_in_between_is_lost(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        """The control."""
        sync_rows(db, roster([1, "林"]))
        sheet = roster([1, "林", "", "", line_id(1)])
        meddle = _once(lambda: change(db, text(f"UPDATE members SET line_user_id='{line_id(9)}' WHERE id=1")))
        monkeypatch.setattr(queries, "is_unchanged", lambda _tx, _roster: True)
        sync_rows(db, sheet, show=lambda _plan: meddle())
        assert members(db)[1]["line_user_id"] == line_id(1)

    def test_a_roster_that_never_rests_is_left_alone(self, db: Database) -> None:
        sync_rows(db, roster([1, "林"]))
        rename = text("UPDATE members SET name = name || 'x' WHERE id = 1")
        with pytest.raises(RosterChanged):
            sync_rows(db, roster([1, "森"]), show=lambda _plan: change(db, rename))
        assert members(db)[1]["name"] == "林xxxxx"

    def test_bad_headers_change_nothing(self, db: Database) -> None:
        sync_rows(db, people(3))
        before = members(db)
        with pytest.raises(SheetUnreadable, match="氏名"):
            sync_rows(db, [["id", "なまえ"], [1, "林"]])
        assert members(db) == before


def _once(action: Callable[[], None]) -> Callable[[], None]:
    left = [action]
    return lambda: left.pop()() if left else None


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=ROWS, second=ROWS)
def test_any_two_sheets_one_after_the_other(db: Database, first: Rows, second: Rows) -> None:
    change(db, delete(Member))
    sync_rows(db, roster(*first), force=True)
    plan = sync_rows(db, roster(*second), force=True)
    found = members(db)
    refused = {row.number for row in plan.refused}
    for number, row in enumerate(second, 2):
        if number in refused or not str(row[0]):
            continue
        member = found[int(row[0])]
        assert (member["name"], member["withdrawn_at"]) == (row[1].strip(), None)
        assert member["display_order"] == (int(row[2]) if row[2] else None)
        assert (member["role"], member["email"]) == (row[3] or "member", row[6] or None)
    again = sync_rows(db, roster(*second), force=True)
    assert again.writes == 0
    assert members(db) == found
