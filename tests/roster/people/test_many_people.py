"""Ten thousand people cost as many statements as ten."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event, insert

from tests.factories.booking import make_department
from tests.factories.webhooks import user_id
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.contexts import CONTEXTS
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.person_records import RecordKey
from tsudoi.core.person_sources import PersonSource
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.roster.members.models import Member
from tsudoi.roster.people.queries.drift import drift_report
from tsudoi.roster.people.queries.page import person_page
from tsudoi.roster.people.queries.searching import people_found
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.shop.models import Shop

SOURCES: dict[str, PersonSource] = {source.kind: source for context in CONTEXTS for source in context.person_sources}
CHECKS = [check for context in CONTEXTS for check in context.drift_checks]
READS: dict[str, Callable[[ReadTx], Any]] = {
    "search": lambda tx: people_found(tx, SOURCES.values(), "山田", 20),
    "page": lambda tx: person_page(tx, SOURCES, RecordKey("member", "5")),
    "drift": lambda tx: drift_report(tx, CHECKS, 10),
}


def add_people(tx: Tx, first: int, last: int) -> None:
    """Each is a member, a LINE friend, a staff person and a customer; every fifth has blocked, and names repeat."""
    numbers, now = range(first, last), tx.now
    members = [
        {
            "id": number,
            "name": f"山田 {number // 2}",
            "name_key": f"山田{number // 2}",
            "kana": "やまだ",
            "line_user_id": user_id(number),
            "email": f"m{number}@example.jp",
            "created_at": now,
            "updated_at": now,
        }
        for number in numbers
    ]
    tx.execute(insert(Member), members)
    friend = {"state_ms": 1, "first_contact_at": now, "last_contact_at": now, "updated_at": now}
    friends = [
        {**friend, "user_id": user_id(number), "display_name": f"山田{number}", "following": number % 5 != 0}
        for number in numbers
    ]
    tx.execute(insert(LineFriend), friends)
    account = {"pin_hash": "x", "pin_updated_at": now, "pin_version": 1, "pin_must_change": 0, "department_id": "3A"}
    staffs = [
        {
            **account,
            "staff_uid": f"s{number}",
            "staff_id": str(number),
            "family_name": "山田",
            "given_name": str(number // 3),
            "job_title": "医師",
            "line_user_id": user_id(number),
            "email": f"s{number}@example.jp",
            "created_at": now,
            "updated_at": now,
        }
        for number in numbers
    ]
    tx.execute(insert(StaffAccount), staffs)
    customers = [
        {"shop_id": 1, "channel_type": "line", "external_user_id": user_id(number), "stores_customer_id": f"c{number}"}
        for number in numbers
    ]
    tx.execute(insert(CustomerLink), [{**row, "created_at_utc": now, "updated_at_utc": now} for row in customers])
    bounce = {"status_code": "5.1.1", "dead_at": now, "noted_at": now}
    tx.execute(
        insert(MailBounce), [{"address": f"m{number}@example.jp", **bounce} for number in numbers if number % 7 == 0]
    )


def statements_of(read: Callable[[ReadTx], Any], tx: ReadTx) -> int:
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        sent.append(statement)

    event.listen(tx.connection, "before_cursor_execute", note)
    try:
        read(tx)
    finally:
        event.remove(tx.connection, "before_cursor_execute", note)
    return len(sent)


@pytest.mark.parametrize("name", READS)
def test_the_number_of_statements_does_not_grow(db: Database, name: str) -> None:
    make_department(db)
    times = {"created_at": db.clock.now(), "updated_at": db.clock.now()}
    db.write_now(lambda tx: tx.execute(insert(Shop).values(id=1, code="s", name="渋谷店", **times)))
    db.write_now(add_people, 1, 11)
    few = db.read_now(partial(statements_of, READS[name]))
    db.write_now(add_people, 11, 10_001)
    many = db.read_now(partial(statements_of, READS[name]))
    assert few == many
    # What was counted is what the report is about: everybody is in some list of it.
    if name == "drift":
        totals = {one.code: one.total for one in db.read_now(READS[name]).findings}
        assert totals["member_name_twice"] == 9_998
        assert totals["member_blocked"] == totals["staff_blocked"] == totals["customer_line_gone"] == 2_000
        assert totals["member_mail_dead"] == 1_428
