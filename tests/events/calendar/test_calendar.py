"""The event as a calendar file: who gets it, and what calendar programs read in it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from icalendar import Calendar
from sqlalchemy import delete, update

from tests.conftest import NOON
from tests.events.overview.events import HELD_AT, URL, event, people
from tests.factories.events import liff_client, make_event, make_members
from tests.factories.product import LIFF_ID, Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import code, office
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.events.calendar.rules import CalendarEntry, calendar_file, uid_of
from tsudoi.events.calendar_keys.rules import member_key
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member

KEY = "k" * 43


def visitor(product: Product, box: Box, name: str = "山田太郎") -> str:
    """Opens the pages inside LINE as this person, from now on."""
    who = box.person(name)
    product.http.post("/api/liff/session", json={"id_token": box.id_token(who)}).raise_for_status()
    return who


def mine(event_id: int) -> str:
    return f"/api/liff/events/{event_id}.ics"


def read(answer: httpx2.Response) -> tuple[Any, Any]:
    """The calendar and its one event, as a program reads them."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    calendar: Any = Calendar.from_ical(answer.content)
    [entry] = calendar.walk("VEVENT")
    return calendar, entry


def change(db: Database, event_id: int, **values: Any) -> None:
    db.write_now(lambda tx: tx.execute(update(Event).where(Event.id == event_id).values(values)))


class TestFile:
    def test_says_what_when_and_where_to_answer(self, product: Product, clock: ManualClock) -> None:
        http = office(product)
        made = event(product.db, title="理事会9月", body="出欠のご回答を、\nお願いします;")
        clock.advance(timedelta(hours=1))
        calendar, entry = read(http.get(f"{URL}/{made}/event.ics"))
        link = f"https://liff.line.me/{LIFF_ID}/events/{made}"
        assert (calendar["VERSION"], calendar["METHOD"]) == ("2.0", "PUBLISH")
        assert entry["SUMMARY"] == "理事会9月"
        assert entry["DESCRIPTION"] == f"出欠のご回答を、\nお願いします;\n{link}"
        assert entry["URL"] == link
        assert (entry["DTSTART"].dt, entry["DTEND"].dt) == (HELD_AT, HELD_AT + timedelta(hours=1))
        assert entry["DTSTART"].dt.tzinfo is not None
        assert entry["DTSTAMP"].dt == NOON + timedelta(hours=1)
        assert entry["LAST-MODIFIED"].dt == NOON
        assert (entry["SEQUENCE"], entry["STATUS"]) == (0, "CONFIRMED")

    def test_of_a_changed_event_is_newer_and_has_the_same_name(self, product: Product, clock: ManualClock) -> None:
        http = office(product)
        made = event(product.db)
        _, before = read(http.get(f"{URL}/{made}/event.ics"))
        clock.advance(timedelta(minutes=5))
        change(product.db, made, title="理事会（変更）", sequence=1, updated_at=clock.now())
        _, after = read(http.get(f"{URL}/{made}/event.ics"))
        assert (after["UID"], after["SEQUENCE"], after["SUMMARY"]) == (before["UID"], 1, "理事会（変更）")
        assert after["LAST-MODIFIED"].dt > before["LAST-MODIFIED"].dt
        change(product.db, made, cancelled_at=clock.now(), sequence=2)
        _, cancelled = read(http.get(f"{URL}/{made}/event.ics"))
        assert (cancelled["UID"], cancelled["SEQUENCE"]) == (before["UID"], 2)

    def test_of_a_cancelled_event_takes_it_back(self, product: Product) -> None:
        http = office(product)
        made = event(product.db, cancelled_at=NOON, cancel_reason="台風のため", sequence=2)
        calendar, entry = read(http.get(f"{URL}/{made}/event.ics"))
        assert (calendar["METHOD"], entry["STATUS"], entry["SEQUENCE"]) == ("CANCEL", "CANCELLED", 2)
        assert entry["DESCRIPTION"] == "中止になりました。\n台風のため"

    @pytest.mark.parametrize(
        "title",
        [
            "改\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:偽",
            "a\rATTENDEE:mailto:x@example.com",
            'コンマ, セミコロン; バックスラッシュ\\ 引用"',
            "a\u2028b\x85c\x0bd\x00e",
            "長" * 100,
            "😀" * 60,
            "\\n, x",
        ],
    )
    def test_holds_whatever_somebody_typed_and_nothing_else(self, title: str) -> None:
        entry = CalendarEntry("7", title, title, HELD_AT, NOON, 0, cancelled=False, cancel_reason=None)
        content = calendar_file(entry, "https://liff.example/7", NOON)
        for line in content.split(b"\r\n"):
            assert len(line) <= 75
            line.decode()
            assert not set(line) & set(b"\r\n\x0b\x00")
        calendar: Any = Calendar.from_ical(content)
        [found] = calendar.walk("VEVENT")
        clean = "".join(
            char for char in title.replace("\r\n", "\n").replace("\r", "\n") if char not in "\u2028\x85\x0b\0"
        )
        assert found["SUMMARY"] == clean
        assert "ATTENDEE" not in found
        assert set(found) <= {
            *("UID", "DTSTAMP", "LAST-MODIFIED", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION"),
            *("URL", "SEQUENCE", "STATUS", "TRANSP"),
        }


class TestForMembers:
    def test_is_for_those_who_are_invited(self, product: Product, box: Box) -> None:
        who = visitor(product, box)
        people(product.db, "山田太郎", line_user_id=who)
        asked, other = event(product.db, [101]), event(product.db)
        _, entry = read(product.http.get(mine(asked)))
        assert entry["SUMMARY"] == "理事会9月"
        assert code(product.http.get(mine(other))) == (403, "NOT_INVITED")
        assert code(product.http.get(mine(999))) == (404, "NOT_FOUND")

    def test_sends_who_is_not_on_the_roster_to_the_registration(self, product: Product, box: Box) -> None:
        visitor(product, box)
        assert code(product.http.get(mine(event(product.db)))) == (403, "NOT_REGISTERED")

    def test_is_no_longer_for_who_has_left(self, product: Product, box: Box) -> None:
        people(product.db, "山田太郎", line_user_id=visitor(product, box), withdrawn_at=NOON)
        assert code(product.http.get(mine(event(product.db, [101])))) == (403, "NOT_REGISTERED")

    def test_needs_a_session_and_a_header_alone_is_none(self, product: Product) -> None:
        made = event(product.db)
        assert code(product.http.get(mine(made))) == (401, "UNAUTHENTICATED")
        refused = product.http.get(mine(made), headers={"x-line-user-id": "U" + "a" * 32})
        assert code(refused) == (401, "UNAUTHENTICATED")

    def test_refuses_a_header_that_names_somebody_else(self, product: Product, box: Box) -> None:
        visitor(product, box)
        refused = product.http.get(mine(event(product.db)), headers={"x-line-user-id": "U" + "a" * 32})
        assert code(refused) == (403, "IDENTITY_MISMATCH")

    @sqlite_only
    def test_asks_for_an_id_that_can_be_one(self, product: Product, box: Box) -> None:
        visitor(product, box)
        for wrong in ("0", "-1", "x", str(2**63)):
            assert code(product.http.get(f"/api/liff/events/{wrong}.ics")) == (400, "INVALID_INPUT"), wrong


class TestForCalendarPrograms:
    @pytest.fixture
    def made(self, db: Database) -> int:
        return make_event(db, make_members(db, 101, 102), calendar_key=KEY)

    def address(self, product: Product, made: int, member_id: int = 101) -> str:
        """What the page of the event tells this member."""
        with liff_client(product, member_id) as phone:
            return str(phone.get(f"/api/liff/events/{made}").json()["calendar_url"])

    def test_is_there_for_who_has_the_key_of_a_member(self, product: Product, made: int) -> None:
        first, second = self.address(product, made), self.address(product, made, 102)
        assert first != second
        assert KEY not in first
        with product.client() as program:
            _, entry = read(program.get(first))
            read(program.get(second))
        assert entry["UID"] == uid_of(made, NOON, KEY)

    def test_is_not_there_with_a_wrong_key_or_none_at_all(self, product: Product, made: int) -> None:
        keyless, right = event(product.db), member_key(KEY, 101, 0)
        assert product.http.get(mine(made), params={"key": right}).status_code == 200
        wrong = ("x", KEY, right[:-1], "鍵", right.replace("101", "102"), right.replace("101", "103"), f"-{right}")
        cases = [*((made, key) for key in wrong), (keyless, right), (999, right), (made, f"{10**40}-{right}")]
        for number, key in cases:
            assert code(product.http.get(mine(number), params={"key": key})) == (404, "NOT_FOUND"), key
        assert product.http.get(mine(made), params={"key": ""}).status_code == 400

    def test_stops_for_a_member_who_has_withdrawn_or_is_no_longer_invited(self, product: Product, made: int) -> None:
        first, second = self.address(product, made), self.address(product, made, 102)
        product.db.write_now(lambda tx: tx.execute(update(Member).where(Member.id == 101).values(withdrawn_at=tx.now)))
        product.db.write_now(lambda tx: tx.execute(delete(EventTarget).where(EventTarget.member_id == 102)))
        for address in (first, second):
            assert code(product.http.get(address)) == (404, "NOT_FOUND")

    def test_is_renewed_by_the_member_alone(self, product: Product, made: int) -> None:
        first, other = self.address(product, made), self.address(product, made, 102)
        with liff_client(product, 101) as phone:
            for _ in range(2):
                done = phone.post("/api/liff/calendar-keys/renewal", json={"confirm": True})
                assert done.status_code == 200, done.text
            assert phone.post("/api/liff/calendar-keys/renewal", json={}).status_code == 400
        assert code(product.http.get(first)) == (404, "NOT_FOUND")
        read(product.http.get(self.address(product, made)))
        read(product.http.get(other))


class TestForTheOffice:
    def test_is_refused_to_others(self, product: Product) -> None:
        assert code(product.http.get(f"{URL}/{event(product.db)}/event.ics")) == (401, "UNAUTHENTICATED")

    def test_of_no_event_is_not_there(self, product: Product) -> None:
        assert code(office(product).get(f"{URL}/999/event.ics")) == (404, "NOT_FOUND")


def test_the_hour_is_the_same_everywhere() -> None:
    entry = CalendarEntry(
        "7", "会", None, datetime(2025, 9, 10, 10, 0, tzinfo=UTC), NOON, 0, cancelled=False, cancel_reason=None
    )
    assert b"DTSTART:20250910T100000Z" in calendar_file(entry, "https://x", NOON)


class TestUid:
    def test_stays_as_it_is_written_here_whatever_the_sites_address_is(self, make_product: ProductMaker) -> None:
        """A program that has an event under one name would show it twice under another."""
        assert uid_of(7, NOON, KEY) == "827f2b69-7143-5293-bc98-069c00eb2d25"
        assert uid_of(7, NOON, None) == "55f783b9-16f8-5dbc-97f3-b0b9f5e93fea"
        product = make_product(public_base_url="https://moved.example.jp")
        made = make_event(product.db, make_members(product.db, 101), calendar_key=KEY)
        _, entry = read(product.http.get(mine(made), params={"key": member_key(KEY, 101, 0)}))
        assert entry["UID"] == "827f2b69-7143-5293-bc98-069c00eb2d25"

    def test_is_another_for_each_event_and_does_not_tell_the_key(self) -> None:
        later = NOON + timedelta(seconds=1)
        names = {uid_of(*given) for given in ((7, NOON, KEY), (7, NOON, KEY[1:]), (7, NOON, None), (8, NOON, None))}
        names |= {uid_of(7, later, None), uid_of(7, later, KEY)}
        assert len(names) == 5
        assert not any(KEY[:8] in name for name in names)
