"""A seat with a price is held until it is paid for: it counts as taken, and is given back when its time is over."""

from datetime import timedelta

import httpx2
import pytest

from tests.booking.payments.till import PRICE, Till
from tests.booking.reservations.hospital import code
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually
from tsudoi.booking.reservations.models import HOLD_EXPIRED, Reservation
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.service.holds import give_back_expired
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import jst_text


def run_out(till: Till) -> None:
    """The holds run out; neither the clockwork nor Stripe's webhook has come yet."""
    till.drop_webhooks()
    till.later(minutes=36)


def given_back(till: Till) -> int:
    return till.product.db.write_now(give_back_expired)


class TestHeld:
    @pytest.mark.row("2.6.7")
    def test_nothing_is_told_before_it_is_paid(self, till: Till) -> None:
        """H27."""
        held = till.held()
        row = till.reservation(held["id"])
        assert (row.confirmed_at, row.price_jpy) == (None, PRICE)
        assert row.hold_expires_at == till.clock.now() + timedelta(minutes=35)
        assert held["confirmedAt"] is None
        assert held["holdExpiresAt"] == jst_text(row.hold_expires_at)
        assert till.notices(held["id"]) == {}
        assert till.pushes() == []
        cells = till.cells(held["id"])
        assert {kind: (cell["status"], cell["reason"]) for kind, cell in cells.items()} == {
            "CONFIRMATION": ("DASH", "NOT_CONFIRMED"),
            "REMINDER": ("DASH", "NOT_CONFIRMED"),
            "CANCEL_COMPLETED": ("DASH", "NOT_CANCELLED"),
        }

    def test_it_keeps_the_seat_and_the_year(self, till: Till) -> None:
        anna, ben = till.person(), till.person()
        slot_id = till.slot(capacity=1)
        type_id = till.type_of(slot_id)
        other = till.hospital.slot(type_id, "2025-10-10")
        till.held(slot_id, anna)
        assert code(ben.book(slot_id)) == (409, "SLOT_FULL")
        assert code(anna.book(other)) == (409, "ALREADY_BOOKED_THIS_YEAR")
        assert code(anna.book(slot_id)) == (409, "ALREADY_IN_SLOT")
        [shown] = [item for item in till.slots(ben) if item["id"] == slot_id]
        assert (shown["seatsLeft"], shown["reason"], shown["priceJpy"]) == (0, "SLOT_FULL", PRICE)

    def test_the_office_sees_it_as_waiting_for_its_payment(self, till: Till, office: httpx2.Client) -> None:
        held = till.held(till.slot(capacity=2))
        items = office.get("/api/admin/reservations", params={"state": "held"}).json()["items"]
        assert [item["id"] for item in items] == [held["id"]]
        assert items[0]["payment"]["status"] == "OPEN"
        assert items[0]["payment"]["checkoutUrl"] is None
        [slot] = office.get("/api/admin/slots").json()["items"]
        assert (slot["bookedCount"], slot["heldCount"], slot["seatsLeft"]) == (1, 1, 1)
        assert "支払い待ち" in office.get("/api/admin/reservations/export").text
        question = {"reservationTypeId": held["reservationTypeId"]}
        assert office.get("/api/admin/coverage", params=question).json()["totals"]["booked"] == 0
        [person] = office.get("/api/admin/coverage/people", params=question).json()["items"]
        assert (person["booked"], person["held"]) == (False, True)
        assert "支払い待ち" in office.get("/api/admin/coverage/export", params=question).text
        till.pay(held)
        assert office.get("/api/admin/coverage", params=question).json()["totals"]["booked"] == 1
        assert office.get("/api/admin/reservations", params={"state": "held"}).json()["items"] == []

    @sqlite_only
    def test_nobody_is_received_who_has_not_paid(self, till: Till, office: httpx2.Client) -> None:
        held = till.held(till.slot("2025-08-16", start=900))
        address = f"/api/admin/reservations/{held['id']}/attendance"
        assert code(office.put(address, json={"attendance": "came"})) == (409, "NOT_CONFIRMED")
        till.pay(held)
        assert office.put(address, json={"attendance": "came"}).status_code == 200

    @sqlite_only
    def test_its_calendar_file_says_that_it_is_not_certain(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        assert b"STATUS:TENTATIVE" in anna.http.get(f"/api/reservations/{held['id']}.ics").content
        till.pay(held)
        assert b"STATUS:CONFIRMED" in anna.http.get(f"/api/reservations/{held['id']}.ics").content

    @sqlite_only
    def test_a_seat_is_not_held_beyond_its_begin(self, till: Till) -> None:
        held = till.held(till.slot("2025-08-16", start=12 * 60 + 10))
        assert held["holdExpiresAt"] == "2025-08-16T12:10:00+09:00"

    @sqlite_only
    @pytest.mark.parametrize(("minutes", "page"), [(30, 31), (35, 31), (60, 56), (1440, 23 * 60 + 55)])
    def test_the_page_closes_before_the_hold_ends(self, till: Till, minutes: int, page: int) -> None:
        """H31: Stripe keeps a page open for half an hour at least and for a day at most."""
        held = till.held(till.slot("2025-12-01", hold_minutes=minutes))
        now = till.clock.now()
        assert held["holdExpiresAt"] == jst_text(now + timedelta(minutes=minutes))
        assert held["payment"]["expiresAt"] == jst_text(now + timedelta(minutes=page))

    @sqlite_only
    def test_a_new_price_is_for_new_reservations(self, till: Till) -> None:
        held = till.held()
        till.hospital.change(ReservationType, held["reservationTypeId"], price_jpy=9000)
        till.pay(held)
        assert till.reservation(held["id"]).confirmed_at is not None


class TestRanOut:
    def test_the_clockwork_gives_the_seat_back(self, till: Till) -> None:
        slot_id = till.slot()
        held = till.held(slot_id)
        assert given_back(till) == 0
        run_out(till)
        assert given_back(till) == 1
        row = till.reservation(held["id"])
        assert (row.canceled_at, row.canceled_by, row.cancel_reason) == (till.clock.now(), "system", HOLD_EXPIRED)
        assert till.hospital.booked(slot_id) == 0
        assert till.notices(held["id"]) == {}
        cells = till.cells(held["id"])
        assert {cell["reason"] for cell in cells.values()} == {"NOT_CONFIRMED"}
        assert given_back(till) == 0
        assert till.product.db.read_now(lambda tx: list(flaws(tx))) == []

    def test_nobody_waits_for_the_clockwork(self, till: Till) -> None:
        """Seat and year are free from the second in which the hold ends."""
        anna, ben = till.person(), till.person()
        slot_id = till.slot(capacity=1)
        held = till.held(slot_id, anna)
        run_out(till)
        [shown] = [item for item in till.slots(ben) if item["id"] == slot_id]
        assert (shown["seatsLeft"], shown["bookable"]) == (1, True)
        [mine] = [item for item in till.slots(anna) if item["id"] == slot_id]
        assert (mine["myReservationId"], mine["bookable"]) == (None, True)
        [own] = anna.http.get("/api/reservations/me").json()["items"]
        assert (own["holdExpired"], own["payment"]["checkoutUrl"]) == (True, None)
        again = till.held(slot_id, ben)
        assert till.reservation(held["id"]).cancel_reason == HOLD_EXPIRED
        assert till.hospital.live(slot_id) == [ben.uid]
        assert again["id"] != held["id"]
        assert till.product.db.read_now(lambda tx: list(flaws(tx))) == []

    def test_the_person_can_take_another_seat_at_once(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        type_id = till.type_of(slot_id)
        other = till.hospital.slot(type_id, "2025-10-10")
        till.held(slot_id, anna)
        run_out(till)
        till.held(other, anna)
        assert (till.hospital.booked(slot_id), till.hospital.booked(other)) == (0, 1)
        assert till.product.db.read_now(lambda tx: list(flaws(tx))) == []

    def test_the_office_sees_a_free_seat_and_a_cancelled_reservation(self, till: Till, office: httpx2.Client) -> None:
        held = till.held()
        run_out(till)
        [slot] = office.get("/api/admin/slots").json()["items"]
        assert (slot["bookedCount"], slot["heldCount"], slot["seatsLeft"]) == (0, 0, 1)
        days = office.get("/api/admin/slots/calendar", params={"month": "2025-09"}).json()["days"]
        assert [day["booked"] for day in days if day["slots"]] == [0]
        for state, expected in (("live", []), ("held", []), ("canceled", [held["id"]])):
            found = office.get("/api/admin/reservations", params={"state": state}).json()["items"]
            assert [item["id"] for item in found] == expected, state
        assert "期限切れ" in office.get("/api/admin/reservations/export").text

    def test_a_closed_page_gives_the_seat_back_before_its_time(self, till: Till) -> None:
        slot_id = till.slot()
        held = till.held(slot_id)
        till.later(minutes=32)
        eventually(till.events)
        assert [row.detail for row in till.events()] == ["EXPIRED_SEAT_GIVEN_BACK"]
        assert till.reservation(held["id"]).cancel_reason == HOLD_EXPIRED
        assert [one.status for one in till.payments(held["id"])] == ["EXPIRED"]
        assert till.hospital.booked(slot_id) == 0

    def test_the_freed_seat_goes_to_who_waits(self, till: Till) -> None:
        """People may wait who came before the type had a price, and the price may be gone again."""
        slot_id, waiting = till.slot(), till.person()
        held = till.held(slot_id)
        till.hospital.change(ReservationType, held["reservationTypeId"], price_jpy=None)
        assert waiting.wait(slot_id).status_code == 201
        run_out(till)
        assert code(till.person().book(slot_id)) == (409, "SLOT_FULL")
        given_back(till)
        assert till.hospital.live(slot_id) == [waiting.uid]
        assert till.product.db.read_now(lambda tx: list(flaws(tx))) == []

    @sqlite_only
    def test_a_price_keeps_a_freed_seat_from_a_line_that_was_there_before(self, till: Till) -> None:
        slot_id, waiting = till.slot(price_jpy=None), till.person()
        type_id = till.type_of(slot_id)
        seat = till.person()
        reservation_id = seat.booked(slot_id)
        waiting.wait(slot_id)
        till.hospital.change(ReservationType, type_id, price_jpy=PRICE)
        seat.cancel(reservation_id)
        assert till.hospital.live(slot_id) == []


class TestChanges:
    def test_a_hold_can_move_and_keeps_its_payment(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        type_id = till.type_of(slot_id)
        other = till.hospital.slot(type_id, "2025-10-10")
        held = till.held(slot_id, anna)
        moved = anna.move(held["id"], other).json()
        assert moved["payment"]["checkoutUrl"] == held["payment"]["checkoutUrl"]
        till.pay(held)
        row = till.reservation(held["id"])
        assert (row.slot_id, row.confirmed_at is not None, row.revision) == (other, True, 1)
        assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}

    def test_a_paid_reservation_moves_without_paying_again(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        type_id = till.type_of(slot_id)
        other = till.hospital.slot(type_id, "2025-10-10")
        held = till.held(slot_id, anna)
        till.pay(held)
        assert anna.move(held["id"], other).json()["payment"]["status"] == "PAID"
        assert len(till.payments(held["id"])) == 1
        assert till.tasks("REFUND") == []

    @sqlite_only
    def test_a_hold_that_ran_out_cannot_move(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        type_id = till.type_of(slot_id)
        other = till.hospital.slot(type_id, "2025-10-10")
        held = till.held(slot_id, anna)
        run_out(till)
        assert code(anna.move(held["id"], other)) == (409, "HOLD_EXPIRED")

    def test_cancelling_a_hold_tells_nobody_and_closes_the_page(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        held = till.held(slot_id, anna)
        assert anna.cancel(held["id"]).status_code == 204
        assert till.hospital.booked(slot_id) == 0
        assert till.notices(held["id"]) == {}
        till.work()
        assert [one["status"] for one in till.sessions()] == ["expired"]
        assert [one.status for one in till.payments(held["id"])] == ["EXPIRED"]
        assert {cell["reason"] for cell in till.cells(held["id"]).values()} == {"NOT_CONFIRMED"}


class TestOffice:
    def test_what_the_office_books_is_certain_at_once(self, till: Till, office: httpx2.Client) -> None:
        anna = till.person()
        body = {"staffUid": anna.uid, "slotId": till.slot(), "reason": "窓口で支払い"}
        made = office.post("/api/admin/reservations", json=body).json()
        assert (made["payment"], made["holdExpiresAt"]) == (None, None)
        row = till.reservation(made["id"])
        assert (row.confirmed_at, row.price_jpy) == (till.clock.now(), None)
        assert till.payments(made["id"]) == []
        assert till.notices(made["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}

    def test_a_seat_with_a_price_has_no_waiting_list(self, till: Till) -> None:
        slot_id = till.slot()
        till.held(slot_id)
        assert code(till.person().wait(slot_id)) == (409, "PAYMENT_REQUIRED")
        assert till.hospital.places() == []

    @sqlite_only
    def test_without_stripe_a_seat_with_a_price_cannot_be_booked_online(
        self, make_product: ProductMaker, till: Till
    ) -> None:
        slot_id, anna = till.slot(), till.person()
        elsewhere = make_product(stripe_secret_key=None)
        headers = {"authorization": anna.http.headers["authorization"]}
        answer = elsewhere.http.post("/api/reservations", json={"slotId": slot_id}, headers=headers)
        assert code(answer) == (409, "PAYMENT_UNAVAILABLE")
        assert till.hospital.rows(Reservation) == []


@pytest.mark.row("2.12.12")
def test_a_free_seat_is_certain_at_once(till: Till) -> None:
    """H28."""
    slot_id = till.hospital.slot(till.hospital.type("健診"))
    made = till.person().book(slot_id).json()
    row = till.reservation(made["id"])
    assert (row.confirmed_at, row.hold_expires_at, row.price_jpy) == (till.clock.now(), None, None)
    assert made["payment"] is None
    assert till.notices(made["id"])["CONFIRMATION"] == "SENT"
