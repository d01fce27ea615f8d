"""What people type is text wherever it is shown: on the page of an invitation, in mails, and in calendar files."""

from collections.abc import Callable

import pytest

from tests.factories.product import Box, Product
from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import Desk, desk_at
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.mails.models import MailMessage

pytestmark = sqlite_only

EVIL = '<img src=x onerror="alert(1)">{{7*7}}${7*7}'
SHOWN = "&lt;img"


@pytest.fixture
def desk(make_product: Callable[..., Product], box: Box, clock: ManualClock) -> Desk:
    """The organisation itself has such a name too."""
    settings = {"smtp_url": box.smtp_url, "mail_from": "町会 <office@example.jp>", "organisation_name": EVIL}
    return desk_at(make_product(**settings), clock)


def test_nothing_that_was_typed_becomes_markup(desk: Desk) -> None:
    people = [{"name": EVIL[:90], "email": "raj@example.com"}, {"name": "林", "email": "mei@example.jp"}]
    rule = {"type": "ALL", "participants": []}
    made = desk.create(
        title=EVIL, description=f"{EVIL}\r\n{EVIL}", place=EVIL, invitees=people, rule=rule, answers_visible=True,
        slots=[desk.slot(days=2, label=EVIL), desk.slot(days=3)],
    )  # fmt: skip
    anna, mei = made["candidates"]
    slots = [slot["slot_id"] for slot in made["slots"]]
    pages = [
        desk.product.http.get(f"/i/{mei['invite_token']}{more}").text for more in ("", "/unsubscribe", f"?tz={EVIL}")
    ]
    assert desk.respond(anna, slots[0], comment=EVIL).status_code == 200
    form = {"status": "selected", f"slot-{EVIL}": "yes", "comment": EVIL}
    pages.append(desk.product.http.post(f"/i/{mei['invite_token']}/respond", data=form).text)
    pages.append(desk.product.http.get(f"/i/{mei['invite_token']}").text)
    one = f"/{made['thread']['id']}"
    assert desk.post(f"{one}/finalize", {"selected_slot_id": slots[0], "reason": EVIL}).status_code == 200
    pages.append(desk.product.http.get(f"/i/{anna['invite_token']}").text)
    assert desk.post(f"{one}/cancel", {"reason": EVIL}).status_code == 200
    pages.append(desk.product.http.get(f"/i/{anna['invite_token']}").text)
    mails = [row["html"] for row in desk.rows(MailMessage)]
    assert len(mails) >= 4
    for text in [*pages, *mails]:
        assert "<img src=x" not in text
        assert 'onerror="' not in text
        assert "{{7*7}}" in text, "shown as it was typed, and not computed"
    assert all(SHOWN in text for text in [*pages, *mails])


def test_a_calendar_file_has_no_line_of_somebody_elses_making(desk: Desk) -> None:
    wicked = "会\\nEND:VCALENDAR;ATTENDEE:x,\u2028BEGIN:VEVENT"
    refused = desk.post(body={"title": wicked, "invitees": []})
    assert refused.status_code == 400, "a line separator"
    title = wicked.replace("\u2028", " ")
    words = "一行目\r\nEND:VEVENT\r\nATTENDEE:mailto:x@example.com"
    person = {"name": "林;\\,", "email": "mei@example.jp"}
    made = desk.create(title=title, description=words, place=title, invitees=[person])
    assert desk.respond(made["candidates"][0], made["slots"][0]["slot_id"]).json()["evaluation"]["finalized"] is True
    [calendar] = [row["calendar"] for row in desk.rows(MailMessage) if row["calendar"]]
    text = calendar if isinstance(calendar, str) else str(calendar)
    lines = text.replace("\r\n ", "").splitlines()
    assert [line for line in lines if line in ("END:VEVENT", "END:VCALENDAR")] == ["END:VEVENT", "END:VCALENDAR"]
    assert not [line for line in lines if line.startswith("ATTENDEE") and "x@example.com" in line]
