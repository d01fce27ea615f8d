"""`GET /i/{token}/calendar.ics`: the decided date for the own calendar."""

from icalendar import Calendar

from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.threads import change, first_slot, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.invitations.test_respond import ANNA, BEN, selected
from tsudoi.scheduling.thread.models import SchedulingThread

pytestmark = sqlite_only


class TestTheCalendarFile:
    def test_has_the_decided_date_and_nobody_elses_address(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, place="本部 3階", title="臨時理事会")
        product.http.post(thread.invites[0].respond, json=selected(thread.slots[0])).raise_for_status()
        answer = product.http.get(f"{thread.invites[0].path}/calendar.ics")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
        assert event["SUMMARY"] == "臨時理事会"
        assert event["LOCATION"] == "本部 3階"
        assert event.decoded("DTSTART") == first_slot(NOON)
        for secret in ("@", thread.invites[0].token):
            assert secret not in answer.text

    def test_is_not_there_before_the_decision_and_after_a_cancellation(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA)
        anna = thread.invites[0]
        early = product.http.get(f"{anna.path}/calendar.ics")
        assert early.status_code == 404
        assert "日程はまだ決まっていません" in early.text
        assert f'href="{anna.path}"' in early.text
        product.http.post(anna.respond, json=selected(thread.slots[0])).raise_for_status()
        change(product.db, SchedulingThread, SchedulingThread.id == thread.id, status="cancelled", cancelled_at=NOON)
        assert product.http.get(f"{anna.path}/calendar.ics").status_code == 409
        assert product.http.get("/i/unknown/calendar.ics").status_code == 404
