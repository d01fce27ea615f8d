"""What a sheet does to a roster, decided without the product's database."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.factories import sheets
from tests.factories.sheets import HEADERS, line_id
from tsudoi.roster.syncs.rules.plan import ERASED, RosterMember, SyncPlan, target_of_new

LEFT = "2025-01-01"
Roster = dict[int, RosterMember]


def member(number: int, name: str, **more: Any) -> RosterMember:
    key = name.replace(" ", "")
    return RosterMember(number, name, key, None, "member", None, 0, None, None, None)._replace(**more)


def plan_of(
    rows: list[list[Any]], roster: list[RosterMember], headers: list[str] = HEADERS, *, nfkc: bool = False
) -> SyncPlan:
    return sheets.plan_of([headers, *rows], roster, nfkc=nfkc)


def applied(plan: SyncPlan, roster: Roster) -> Roster:
    """What the service does, on a dictionary."""
    after = dict(roster)
    for row in plan.new:
        values = (row.id, row.name, row.name_key, row.display_order, row.role, row.line_user_id)
        after[row.id] = RosterMember(*values, target_of_new(row), row.email, row.kana, None)
    for change in plan.changed:
        after[change.id] = after[change.id]._replace(**change.new)
    for gone in plan.withdrawn:
        after[gone.id] = after[gone.id]._replace(is_target=0, withdrawn_at=LEFT)
    return dict(sorted(after.items()))


class TestFields:
    def test_each_is_told_with_old_and_new(self) -> None:
        before = member(1, "林", display_order=3, role="admin", email="a@b.jp")
        [change] = plan_of([[1, "森", 4, "", "", 1, ""]], [before]).changed
        assert change.old == {
            "name": "林", "name_key": "林", "display_order": 3, "role": "admin", "email": "a@b.jp", "is_target": 0,
        }  # fmt: skip
        assert change.new == {
            "name": "森", "name_key": "森", "display_order": 4, "role": "member", "email": None, "is_target": 1,
        }  # fmt: skip

    def test_what_the_sheet_has_no_column_for_stays(self) -> None:
        before = member(1, "林", display_order=3, role="admin", email="a@b.jp", is_target=1)
        plan = plan_of([[1, "林"]], [before], ["id", "氏名"])
        assert (plan.unchanged, plan.writes == 0) == (1, True)

    def test_the_reading_of_a_name_is_taken_where_there_is_a_column_for_it(self) -> None:
        headers = ["id", "氏名", "フリガナ"]
        plan = plan_of(
            [[1, "林", "ﾊﾔｼ"], [2, "森", "もり"], [3, "東", ""]], [member(1, "林"), member(3, "東")], headers
        )
        assert [change.new for change in plan.changed] == [{"kana": "ハヤシ"}]
        assert [row.kana for row in plan.new] == ["もり"]
        [emptied] = plan_of([[1, "林", ""]], [member(1, "林", kana="はやし")], headers).changed
        assert emptied.new == {"kana": None}

    def test_an_empty_is_target_stays_and_a_new_member_starts_with_0(self) -> None:
        plan = plan_of([[1, "林"], [2, "森"]], [member(1, "林", is_target=1)])
        assert plan.unchanged == 1
        assert [target_of_new(row) for row in plan.new] == [0]

    def test_a_new_key_alone_is_a_change(self) -> None:
        [change] = plan_of([[1, "ｱﾍﾞ"]], [member(1, "ｱﾍﾞ")], nfkc=True).changed
        assert change.new == {"name_key": "アベ"}


class TestLinks:
    def test_are_set_where_there_is_none_and_turn_the_target_on(self) -> None:
        plan = plan_of(
            [[1, "林", "", "", line_id(1)], [2, "森", "", "", line_id(2), 0], [3, "東", "", "", line_id(3)]],
            [member(1, "林"), member(2, "森")],
        )
        assert [change.new for change in plan.changed] == [
            {"line_user_id": line_id(1), "is_target": 1},
            {"line_user_id": line_id(2)},
        ]
        assert [target_of_new(row) for row in plan.new] == [1]

    def test_are_never_cleared_nor_overwritten(self) -> None:
        linked = member(1, "林", line_user_id=line_id(1), is_target=1)
        assert plan_of([[1, "林"]], [linked]).writes == 0
        assert plan_of([[1, "林", "", "", line_id(1)]], [linked]).writes == 0
        plan = plan_of([[1, "森", 5, "", line_id(9)]], [linked])
        assert plan.writes == 0
        assert [row.number for row in plan.refused] == [2]

    @pytest.mark.parametrize("withdrawn", [None, LEFT])
    def test_an_account_of_somebody_else_is_refused(self, withdrawn: str | None) -> None:
        owner = member(9, "森", line_user_id=line_id(1), withdrawn_at=withdrawn)
        for rows in ([[1, "林", "", "", line_id(1)]], [[1, "林", "", "", line_id(1)], [9, "森"]]):
            plan = plan_of(rows, [member(1, "林"), owner])
            assert [row.id for row in plan.refused] == [1]
            assert "line_user_id" in plan.refused[0].reasons[0]
            assert 1 not in [change.id for change in plan.changed]
        assert not plan_of([[5, "新", "", "", line_id(1)], [9, "森"]], [owner]).new


class TestWithdrawal:
    def test_of_who_is_no_longer_there(self) -> None:
        plan = plan_of([[1, "林"]], [member(1, "林"), member(2, "森"), member(3, "東", withdrawn_at=LEFT)])
        assert [gone.id for gone in plan.withdrawn] == [2]
        assert plan.live == 2

    @pytest.mark.parametrize(
        "row", [[2, ""], [2, "森", "", "root"], ["x", "森"], ["", " 森 "], ["", "もり", "", "", line_id(2)]]
    )
    def test_not_of_who_has_a_refused_row(self, row: list[Any]) -> None:
        plan = plan_of([[1, "林"], row], [member(1, "林"), member(2, "森", line_user_id=line_id(2))])
        assert plan.withdrawn == ()
        assert len(plan.refused) == 1

    def test_is_taken_back_and_who_is_linked_is_reached_again(self) -> None:
        before = [member(1, "林", withdrawn_at=LEFT), member(2, "森", withdrawn_at=LEFT, line_user_id=line_id(2))]
        plan = plan_of([[1, "林"], [2, "森"]], before)
        assert [change.new for change in plan.changed] == [
            {"withdrawn_at": None},
            {"is_target": 1, "withdrawn_at": None},
        ]
        [off] = plan_of([[2, "森", "", "", "", 0]], before[1:]).changed
        assert off.new == {"withdrawn_at": None}

    @pytest.mark.parametrize(("live", "gone", "too_many"), [(5, 1, False), (5, 2, True), (4, 1, True), (10, 2, False)])
    def test_of_more_than_a_fifth_is_too_much(self, live: int, gone: int, too_many: bool) -> None:
        roster = [member(number, f"人{number}") for number in range(1, live + 1)]
        plan = plan_of([[each.id, each.name] for each in roster[gone:]], roster)
        assert plan.withdraws_too_many is too_many


class TestNames:
    def test_a_name_that_a_refused_row_keeps_is_not_given_away(self) -> None:
        plan = plan_of([[1, "森"], [2, "南", "", "root"]], [member(1, "林"), member(2, "森")])
        assert plan.writes == 0
        assert [row.id for row in plan.refused] == [1, 2]

    def test_nor_along_a_chain(self) -> None:
        rows = [[1, "森"], [2, "東"], [3, "西", "", "root"], [4, "林"]]
        plan = plan_of(rows, [member(1, "林"), member(2, "森"), member(3, "東")])
        assert [row.id for row in plan.refused] == [1, 2, 3, 4]

    def test_two_who_change_names_with_each_other_may(self) -> None:
        plan = plan_of([[1, "森"], [2, "林"]], [member(1, "林"), member(2, "森")])
        assert len(plan.changed) == 2

    def test_the_name_of_somebody_who_left_is_free(self) -> None:
        plan = plan_of([[5, "林"]], [member(1, "林"), member(2, "森", withdrawn_at=LEFT)])
        assert [row.id for row in plan.new] == [5]
        assert [gone.id for gone in plan.withdrawn] == [1]


NAMES = st.sampled_from(["林", "森", "東", "西", "林 ", "", "\u200b"])
LINES = st.sampled_from(["", "", line_id(1), line_id(2), line_id(3), "U1"])
ROWS = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 3, 4, 5, "", "x", "2"]),
        NAMES,
        st.sampled_from(["", 1, "2", "z"]),
        st.sampled_from(["", "member", "admin", "root"]),
        LINES,
        st.sampled_from(["", 0, 1, True, "?"]),
        st.sampled_from(["", "a@b.jp", "x"]),
    ).map(list),
    max_size=7,
)


@st.composite
def rosters(draw: st.DrawFn) -> Roster:
    """Any roster that the product itself could have made: names and LINE accounts once."""
    ids = draw(st.lists(st.integers(1, 6), unique=True))
    names = draw(st.permutations(["林", "森", "東", "西", "南", "北"]))
    lines = draw(st.permutations([line_id(1), line_id(2), line_id(3), None, None, None]))
    made = [
        member(
            number,
            names[place],
            line_user_id=lines[place],
            is_target=draw(st.sampled_from([0, 1])),
            withdrawn_at=draw(st.sampled_from([None, None, LEFT])),
            display_order=draw(st.sampled_from([None, 1])),
        )
        for place, number in enumerate(ids)
    ]
    return {each.id: each for each in sorted(made)}


@settings(max_examples=250, deadline=None)
@given(ROWS, rosters())
def test_whatever_the_sheet_says(rows: list[list[Any]], roster: Roster) -> None:
    plan = plan_of(rows, list(roster.values()))
    after = applied(plan, roster)
    refused = {row.number for row in plan.refused}
    told = len(plan.new) + len(plan.changed) + plan.unchanged + len(plan.refused)
    assert told == sum(any(str(cell) for cell in (row[0], row[1].strip(), row[4], row[6])) for row in rows)
    for number, row in enumerate(rows, 2):
        if number not in refused and str(row[0]):
            _check_equal(row, after[int(row[0])], roster.get(int(row[0])))
    for bad in plan.refused:
        if bad.id is not None:
            assert after.get(bad.id) == roster.get(bad.id), "a refused row is never half-applied"
    for number, before in roster.items():
        assert before.line_user_id in (None, after[number].line_user_id), "a link is never overwritten or cleared"
    live = [each.name_key for each in after.values() if each.withdrawn_at is None]
    assert len(live) == len(set(live)), "no two members with one name"
    lines = [each.line_user_id for each in after.values() if each.line_user_id]
    assert len(lines) == len(set(lines)), "no two members with one LINE account"
    again = plan_of(rows, list(after.values()))
    assert again.writes == 0, "a second run has nothing to do"
    assert [row.number for row in again.refused] == [row.number for row in plan.refused]


def _check_equal(row: list[Any], after: RosterMember, before: RosterMember | None) -> None:
    assert after.name == row[1].strip()
    assert after.display_order == (int(row[2]) if row[2] else None)
    assert after.role == (row[3] or "member")
    assert after.email == (row[6] or None)
    assert after.withdrawn_at is None
    if row[4]:
        assert after.line_user_id == row[4]
    if row[5] != "":
        assert after.is_target == int(row[5])
    elif before is not None and before.withdrawn_at is None and before.line_user_id == after.line_user_id:
        assert after.is_target == before.is_target


def test_the_number_of_an_erased_member_is_refused() -> None:
    """Neither does the person come back unnoticed, nor does another one get the history of the number."""
    erased = member(1, "（消去済み）", name_key="", withdrawn_at=LEFT, erased_at=LEFT)
    plan = plan_of([[1, "山田太郎"], [2, "佐藤花子"]], [erased], ["id", "name"])
    assert [(row.id, list(row.reasons)) for row in plan.refused] == [(1, [ERASED])]
    assert ([row.id for row in plan.new], plan.changed) == ([2], ())
