"""What `tsudoi doctor` says about booking."""

from tests.booking.reservations.hospital import Hospital
from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.booking import make_locked_staff
from tests.factories.product import Product
from tsudoi.booking.reservations.service.booking import book
from tsudoi.commands.checks.booking import BOOKING
from tsudoi.core.db.interface import Database

__all__ = ["clock", "examine", "product"]
CODE = {"staff_self_registration": "code"}


def test_it_says_whether_booking_is_on(product: Product, examine: Examine) -> None:
    on = examine(product.settings, **CODE)[BOOKING]
    assert (on.level, "every count is right" in on.message) == (OK, True)
    without = dict.fromkeys(("jwt_secret", "refresh_secret", "security_pin_pepper"))
    off = examine(product.settings, **without)[BOOKING]
    assert (off.level, "JWT_SECRET" in off.message, "off" in off.message) == (OK, True, True)


def test_it_recommends_a_code_for_registration(product: Product, examine: Examine) -> None:
    found = examine(product.settings, staff_self_registration="open")[BOOKING]
    assert (found.level, "STAFF_SELF_REGISTRATION=code" in found.advice) == (WARNING, True)
    assert examine(product.settings, staff_self_registration="off")[BOOKING].level is OK


def test_it_counts_locked_accounts_of_people_who_are_still_here(
    product: Product, db: Database, examine: Examine
) -> None:
    make_locked_staff(db, status="left")
    assert examine(product.settings, **CODE)[BOOKING].level is OK
    make_locked_staff(db)
    found = examine(product.settings, **CODE)[BOOKING]
    assert (found.level, "1 人" in found.message) == (WARNING, True)


def test_a_wrong_count_is_a_problem(product: Product, db: Database, examine: Examine) -> None:
    hospital = Hospital(db)
    anna, slot_id = hospital.staff(), hospital.slot(hospital.type(), "2099-09-10")
    db.write_now(book, anna, slot_id, f"staff:{anna}")
    assert examine(product.settings, **CODE)[BOOKING].level is OK
    hospital.sql(f"UPDATE reservation_slots SET booked_count = 0 WHERE id = {slot_id}")
    found = examine(product.settings, **CODE)[BOOKING]
    assert (found.level, "booking check" in found.advice) == (PROBLEM, True)
