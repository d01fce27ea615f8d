"""Everybody at once: one member per LINE user and one LINE user per member. The control shows that this can break."""

import random
from collections import Counter
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import orjson
import pytest
from sqlalchemy import select, update

from tests.concurrency.threads import at_once
from tests.factories.webhooks import user_id
from tests.product_fixtures import postgresql_only
from tests.roster.members.people import audited, enrol, links
from tsudoi.core.audit import verify
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx
from tsudoi.line.friends.service import record_following
from tsudoi.roster.linking import service
from tsudoi.roster.linking.errors import LinkConflict, NotLinked
from tsudoi.roster.members.models import Member

THREADS = 50


def shown(db: Database, who: str, name: str) -> str:
    return db.write_now(service.link_by_display_name, who, name, nfkc=False).type


def typed(db: Database, who: str, name: str) -> str:
    return db.write_now(service.link_by_full_name, who, name, None, nfkc=False).type


def by_hand(db: Database, who: str, member_id: int) -> str:
    try:
        db.write_now(service.link_by_hand, who, member_id, "電話で確認", "admin:jimukyoku")
    except LinkConflict:
        return "CONFLICT"
    return "LINKED"


@pytest.fixture
def friends(db: Database) -> None:
    for number in range(THREADS):
        db.write_now(record_following, user_id(number), number, following=True)


def test_one_member_and_fifty_line_users(db: Database, database_url: str, clock: ManualClock) -> None:
    """Through two databases on the same data, like two processes."""
    enrol(db, (1, "山田太郎"))
    other = open_database(database_url, clock)
    try:
        results = at_once(THREADS, lambda n: (shown, typed)[n // 2 % 2]((db, other)[n % 2], user_id(n), "山田太郎"))
    finally:
        other.close()
    assert Counter(results) == {"LINKED": 1, "ALREADY_LINKED_OTHER": THREADS - 1}
    assert links(db) == {1: user_id(results.index("LINKED"))}
    assert len(audited(db)) == 1


@pytest.mark.usefixtures("friends")
def test_one_line_user_and_fifty_members(db: Database) -> None:
    enrol(db, *[(n + 1, f"会員{n}") for n in range(THREADS)])

    def link(n: int) -> str:
        if n % 3 == 0:
            return by_hand(db, user_id(7), n + 1)
        return (shown, typed)[n % 2](db, user_id(7), f"会員{n}")

    results = at_once(THREADS, link)
    assert links(db) == {results.index("LINKED") + 1: user_id(7)}
    # Whoever is shown under another name after the link keeps it; nobody gets a second one.
    assert set(results) == {"LINKED", "ALREADY_LINKED_OTHER", "CONFLICT"}
    assert results.count("LINKED") == 1
    assert len(audited(db)) == 1


def test_the_same_link_fifty_times(db: Database) -> None:
    enrol(db, (1, "山田太郎"))
    results = at_once(THREADS, lambda n: (shown, typed)[n % 2](db, user_id(1), "山田太郎"))
    assert Counter(results) == {"LINKED": 1, "ALREADY_LINKED_SAME": THREADS - 1}
    assert len(audited(db)) == 1


@pytest.mark.usefixtures("friends")
def test_links_and_removals_of_all_kinds_never_overwrite(db: Database) -> None:
    """The audit trail, read again from the start, is the roster: no link stands over another."""
    people = 6
    enrol(db, *[(n + 1, f"会員{n}") for n in range(people)])

    def act(number: int) -> None:
        dice = random.Random(number)
        for _ in range(5):
            who, member_id = user_id(dice.randrange(people)), dice.randrange(people) + 1
            match dice.randrange(4):
                case 0:
                    by_hand(db, who, member_id)
                case 1:
                    with suppress(NotLinked):
                        db.write_now(service.unlink, member_id, "別人", "admin:jimukyoku")
                case kind:
                    (shown, typed)[kind - 2](db, who, f"会員{member_id - 1}")

    at_once(20, act)
    replayed: dict[int, str] = {}
    for entry in audited(db):
        member_id, old, new = (
            int(entry["subject"].removeprefix("member:")),
            *map(orjson.loads, (entry["old"], entry["new"])),
        )
        assert replayed.get(member_id) == old["line_user_id"]
        assert new["line_user_id"] not in replayed.values()
        replayed[member_id] = new["line_user_id"]
        if new["line_user_id"] is None:
            del replayed[member_id]
    assert replayed == links(db)
    assert db.read_now(verify).broken_at is None


class TestWithoutTheCare:
    @postgresql_only
    def test_a_link_is_overwritten(self, db: Database) -> None:
        """Read, then write: everybody finds the member free before anybody has written."""
        enrol(db, (1, "山田太郎"))
        all_looked = Barrier(5)

        def naive(tx: Tx, who: str) -> str:
            free = tx.scalar(select(Member.line_user_id).where(Member.id == 1)) is None
            with suppress(BrokenBarrierError):
                all_looked.wait(2)
            if free:
                tx.execute(update(Member).where(Member.id == 1).values(line_user_id=who))
            return "LINKED" if free else "ALREADY_LINKED_OTHER"

        results = at_once(5, lambda n: db.write_now(naive, user_id(n)))
        assert results.count("LINKED") > 1
        assert len(links(db)) == 1, "the others were told so, and lost it"
