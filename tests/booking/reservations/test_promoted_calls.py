"""Somebody gets a seat from the waiting list, and no notice reaches them: the office calls."""

import pytest

from tests.booking.reservations.conftest import hospital
from tests.booking.reservations.hospital import Hospital
from tsudoi.booking.reservations.service.booking import book
from tsudoi.booking.reservations.service.changing import cancel_on_behalf
from tsudoi.booking.reservations.service.waiting import join
from tsudoi.core.db.interface import Database
from tsudoi.roster.telephone.models import TelephoneCall

__all__ = ["hospital"]

FRIEND, STRANGER = "U" + "1" * 32, "U" + "2" * 32


def promoted(db: Database, hospital: Hospital, type_id: int, uid: str) -> int:
    """Takes the only seat of a slot, lets this person wait, and gives the seat up."""
    slot = hospital.slot(type_id)
    first = int(db.write_now(book, hospital.staff(), slot, "test").id)
    db.write_now(join, uid, slot, "test")
    db.write_now(cancel_on_behalf, first, "都合により", "test")
    assert hospital.live(slot) == [uid]
    return int(max(row.id for row in hospital.reservations()))


@pytest.mark.found("24.B9")
@pytest.mark.row("6.6.10")
def test_whom_nothing_reaches_is_on_the_telephone_list(db: Database, hospital: Hospital) -> None:
    flu = hospital.type(mail_fallback=1)
    uid = hospital.staff(line_user_id=STRANGER, follows=False)
    reservation = promoted(db, hospital, flu, uid)
    [call] = hospital.rows(TelephoneCall)
    assert (call.kind, call.subject_id, call.person_key) == ("promoted", str(reservation), f"u:staff:{uid}")
    assert "友だちに追加していません" in call.why
    assert "2025/09/10 09:00" in call.text
    db.write_now(cancel_on_behalf, reservation, "都合により", "test")
    [call] = hospital.rows(TelephoneCall)
    assert call.closed_why == "removed"


@pytest.mark.found("24.B9")
@pytest.mark.row("6.6.10")
def test_whom_line_or_a_mail_reaches_is_not_called(db: Database, hospital: Hospital) -> None:
    flu = hospital.type(mail_fallback=1, limit_per_year=None, overlap_allowed=1)
    promoted(db, hospital, flu, hospital.staff(line_user_id=FRIEND))
    promoted(db, hospital, flu, hospital.staff(email="hanako@example.jp"))
    assert hospital.rows(TelephoneCall) == []
    without_mails = hospital.type("健診")
    promoted(db, hospital, without_mails, hospital.staff(email="taro@example.jp"))
    assert [call.why for call in hospital.rows(TelephoneCall)] == ["LINEと連携していません。メールでも知らせられません"]
