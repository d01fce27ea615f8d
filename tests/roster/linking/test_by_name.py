"""The one Linker: exactly six results, and nothing is ever linked by accident or overwritten."""

from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import NOON
from tests.factories.webhooks import user_id
from tests.roster.members.people import audited, enrol, links, member
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.roster.linking import service
from tsudoi.roster.linking.rules import LinkResult, LinkResultType

TARO, HANAKO, STRANGER = user_id(1), user_id(2), user_id(3)


def shown(db: Database, who: str, name: str | None, **options: Any) -> LinkResult:
    """Somebody whom LINE shows under this name."""
    return db.write_now(service.link_by_display_name, who, name, **{"nfkc": False, **options})


def typed(db: Database, who: str, name: str, display_name: str | None = "たろう", **options: Any) -> LinkResult:
    return db.write_now(service.link_by_full_name, who, name, display_name, **{"nfkc": False, **options})


@pytest.fixture(autouse=True)
def _roster(db: Database, clock: ManualClock) -> None:
    """Two of the same name, one who has left, and a minute in which nothing happened."""
    enrol(db, (101, "山田 太郎"), (102, "佐藤花子"), (103, "鈴木一郎"), (104, "鈴木 一郎"), (106, "髙橋Ken"))
    enrol(db, (105, "田中次郎"), withdrawn_at=NOON)
    clock.advance(timedelta(minutes=1))


def untouched(db: Database, member_id: int) -> bool:
    row = member(db, member_id)
    return (row["line_user_id"], row["is_target"], row["updated_at"]) == (None, 0, NOON)


class TestTheOneMemberWithThisName:
    @pytest.mark.parametrize("door", ["shown", "typed"])
    def test_is_linked(self, db: Database, clock: ManualClock, door: str) -> None:
        result = shown(db, TARO, "山田　太郎") if door == "shown" else typed(db, TARO, "山田　太郎", "山田　太郎")
        assert result == LinkResult(LinkResultType.LINKED, 101, "山田太郎")
        row = member(db, 101)
        assert (row["line_user_id"], row["line_display_name"], row["is_target"]) == (TARO, "山田　太郎", 1)
        assert (row["updated_at"], row["created_at"], row["name"]) == (clock.now(), NOON, "山田 太郎")
        [entry] = audited(db)
        actor = "line:follow" if door == "shown" else "line:register"
        assert (entry["actor"], entry["action"], entry["subject"]) == (actor, "LINK", "member:101")
        assert (entry["old"], entry["new"]) == ('{"line_user_id":null}', f'{{"line_user_id":"{TARO}"}}')
        assert links(db) == {101: TARO}

    def test_is_the_same_again(self, db: Database, clock: ManualClock) -> None:
        shown(db, TARO, "山田太郎")
        before = member(db, 101)
        clock.advance(timedelta(minutes=1))
        for result in (shown(db, TARO, "山田太郎"), typed(db, TARO, "山田太郎", "山田太郎")):
            assert result == LinkResult(LinkResultType.ALREADY_LINKED_SAME, 101, "山田太郎")
        assert member(db, 101) == before
        assert len(audited(db)) == 1

    def test_keeps_the_link_when_the_name_on_line_changes(self, db: Database, clock: ManualClock) -> None:
        shown(db, TARO, "山田太郎")
        before = member(db, 101)
        clock.advance(timedelta(minutes=1))
        assert shown(db, TARO, "たろちゃん") == LinkResult(LinkResultType.ALREADY_LINKED_SAME, 101, "たろちゃん")
        assert member(db, 101) == {**before, "line_display_name": "たろちゃん", "updated_at": clock.now()}
        assert shown(db, TARO, None).type is LinkResultType.ALREADY_LINKED_SAME
        assert member(db, 101)["line_display_name"] == "たろちゃん", "a name that LINE does not show takes none away"
        typed(db, TARO, "山田太郎", "太郎だよ")
        assert member(db, 101)["line_display_name"] == "太郎だよ"
        assert len(audited(db)) == 1

    def test_is_not_put_back_among_the_recipients_by_a_new_name(self, db: Database) -> None:
        """The office took the member out by hand; only a new link puts anybody in."""
        enrol(db, (201, "除外"), line_user_id=HANAKO, is_target=0)
        shown(db, HANAKO, "別名")
        typed(db, HANAKO, "除外")
        assert member(db, 201)["is_target"] == 0


class TestNobody:
    def test_is_linked_to_a_name_that_is_not_there(self, db: Database) -> None:
        """Nothing to see, another 高, full-width letters, a part of a name, somebody who has withdrawn."""
        enrol(db, (300, "\u3164"))
        for name in (None, "", " 　", "\u200b\u3164\ufe0f", "高橋ken", "髙橋Ｋｅｎ", "山田太", "田中次郎", "x\0\ud800"):
            assert shown(db, STRANGER, name).type is LinkResultType.UNMATCHED, name
            assert typed(db, STRANGER, name or "").type is LinkResultType.UNMATCHED, name
        assert (links(db), audited(db)) == ({}, [])

    def test_is_chosen_among_two_of_the_same_name(self, db: Database) -> None:
        for result in (shown(db, STRANGER, "鈴木一郎"), typed(db, STRANGER, "鈴木一郎")):
            assert (result.type, result.member_id) == (LinkResultType.AMBIGUOUS, None)
        assert links(db) == {}
        assert untouched(db, 103)
        assert untouched(db, 104)

    def test_is_linked_while_automatic_links_are_off(self, db: Database) -> None:
        result = shown(db, TARO, "山田太郎", may_link=False)
        assert result == LinkResult(LinkResultType.UNMATCHED, None, "山田太郎", "auto_link_off")
        assert untouched(db, 101)
        typed(db, TARO, "山田太郎")
        assert shown(db, TARO, "山田太郎", may_link=False).type is LinkResultType.ALREADY_LINKED_SAME


class TestSomebodyElse:
    def test_who_is_quicker_keeps_the_member(self, db: Database) -> None:
        shown(db, TARO, "山田太郎")
        before = member(db, 101)
        for result in (shown(db, STRANGER, "山田太郎"), typed(db, STRANGER, "山田太郎")):
            assert (result.type, result.member_id) == (LinkResultType.ALREADY_LINKED_OTHER, 101)
            assert result.reason == "member_has_another_line_user"
        assert member(db, 101) == before

    def test_is_not_linked_too(self, db: Database) -> None:
        """One LINE user is one person: calling oneself by another member's name changes nothing."""
        shown(db, TARO, "山田太郎")
        for result in (shown(db, TARO, "佐藤花子"), typed(db, TARO, "佐藤花子")):
            assert result.type is LinkResultType.ALREADY_LINKED_OTHER
            assert result.reason == "line_user_is_another_member"
        assert untouched(db, 102)
        assert links(db) == {101: TARO}

    def test_who_has_withdrawn_is_not_greeted_as_a_member(self, db: Database) -> None:
        enrol(db, (107, "退会者"), withdrawn_at=NOON, line_user_id=HANAKO)
        for name in ("退会者", "改名", None):
            assert shown(db, HANAKO, name).type is LinkResultType.UNMATCHED
        assert typed(db, HANAKO, "退会者").type is LinkResultType.UNMATCHED
        enrol(db, (108, "退会者"))
        assert shown(db, HANAKO, "退会者").type is LinkResultType.ALREADY_LINKED_OTHER, "the office decides"
        assert links(db) == {107: HANAKO}


class TestSpelling:
    def test_of_full_width_letters_counts_only_with_nfkc(self, db: Database) -> None:
        enrol(db, (400, "ＡＢＥ"), nfkc=True)
        assert shown(db, TARO, "Ａｂｅ", nfkc=True) == LinkResult(LinkResultType.LINKED, 400, "abe")
        assert shown(db, HANAKO, "髙橋ＫＥＮ", nfkc=True).member_id == 106

    def test_with_unseen_characters_is_the_same_name(self, db: Database) -> None:
        for name in ("山田\U000e0100太郎", "\u202e山田太郎\u202c", "山\u2060田\u00ad太\ufe0f郎"):
            assert shown(db, TARO, name).member_id == 101

    def test_that_no_database_takes_is_kept_as_well_as_can_be(self, db: Database) -> None:
        assert shown(db, TARO, "山田\0太郎\ud800").type is LinkResultType.LINKED
        assert member(db, 101)["line_display_name"] == "山田太郎?"
        assert typed(db, HANAKO, "佐藤花子", "花\0子\ud800").type is LinkResultType.LINKED
        assert member(db, 102)["line_display_name"] == "花子?"
        assert shown(db, TARO, "た\0ろ\udfff").type is LinkResultType.ALREADY_LINKED_SAME
        assert member(db, 101)["line_display_name"] == "たろ?"
