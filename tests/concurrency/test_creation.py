"""G4 for creation, and two offices that decide the same thing at the same moment."""

from collections import Counter
from random import Random

import pytest

from tests.concurrency.threads import at_once
from tests.events.planning.desk import Desk, desk_at
from tests.factories.product import Box, Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.events.broadcast.models import EventBroadcast, EventDelivery
from tsudoi.events.event.models import Event, EventTarget

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

KEYS, COPIES, THREADS = size(8, 100), 10, 8


@pytest.fixture
def desk(product: Product, box: Box, clock: ManualClock) -> Desk:
    return desk_at(product, box, clock)


class TestCopiesOfOneRequest:
    def test_make_one_event_and_one_broadcast_per_key(self, desk: Desk) -> None:
        """Who hears that it is in flight asks again, as a browser does."""
        requests = [f"key-{number}" for number in range(KEYS)] * COPIES
        Random(4).shuffle(requests)

        def send(number: int) -> list[tuple[str, int, bytes]]:
            return [_answer(desk, key) for key in requests[number::THREADS]]

        answers = [answer for batch in at_once(THREADS, send) for answer in batch]
        assert {status for _, status, _ in answers} == {201}
        assert len(answers) == KEYS * COPIES
        by_key = {key: {body for name, _, body in answers if name == key} for key in requests}
        assert all(len(bodies) == 1 for bodies in by_key.values()), "byte-equal"
        assert len({bodies.pop() for bodies in by_key.values()}) == KEYS
        assert Counter(row["title"] for row in desk.rows(Event)) == dict.fromkeys(by_key, 1)
        assert len(desk.rows(EventBroadcast)) == KEYS
        assert len(desk.files()) == 2 * KEYS
        assert desk.told() == dict.fromkeys((101, 102, 103), KEYS)

    def test_at_the_very_same_moment(self, desk: Desk) -> None:
        answers = at_once(COPIES, lambda _number: desk.create("k1"))
        heard = Counter(answer.status_code for answer in answers)
        assert set(heard) <= {201, 409}
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {"IN_FLIGHT"}
        assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
        assert len(desk.rows(Event)) == 1
        assert desk.told() == {101: 1, 102: 1, 103: 1}

    def test_with_other_contents_one_content_wins(self, desk: Desk) -> None:
        answers = at_once(4, lambda number: desk.create("k1", title=f"会{number}"))
        heard = Counter(answer.status_code for answer in answers)
        assert heard == {201: 1, 422: 3}
        assert len(desk.rows(Event)) == 1


def _answer(desk: Desk, key: str) -> tuple[str, int, bytes]:
    while (answer := desk.create(key, title=key)).status_code == 409:
        assert answer.json()["code"] == "IN_FLIGHT"
    return key, answer.status_code, answer.content


class TestTwoOfficesAtOnce:
    """Without keys, because each has its own: the rows themselves must keep them apart."""

    def test_remind_everybody_once(self, desk: Desk) -> None:
        event_id = desk.made()
        answers = at_once(4, lambda _number: desk.post(f"/{event_id}/reminders"))
        assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 3}
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"NOBODY_TO_REMIND"}
        assert desk.told() == {101: 2, 102: 2, 103: 2}

    def test_remind_overlapping_people_once(self, desk: Desk) -> None:
        event_id = desk.made()
        chosen = ([101, 102], [102, 103], [101, 103], [102])
        answers = at_once(4, lambda number: desk.post(f"/{event_id}/reminders", member_ids=chosen[number]))
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert sum(answer.json()["targets"] for answer in answers if answer.status_code == 201) == 3
        assert desk.told() == {101: 2, 102: 2, 103: 2}

    def test_resend_to_everybody_once(self, desk: Desk) -> None:
        desk.quota(100, used=99)
        event_id = desk.made(confirm_over_quota="true")
        desk.quota(200, used=100)
        answers = at_once(4, lambda _number: desk.post(f"/{event_id}/resend"))
        assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 3}
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"NOBODY_TO_RESEND"}
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        assert len(desk.rows(EventBroadcast)) == 2

    def test_add_the_same_people_once(self, desk: Desk) -> None:
        event_id = desk.made(target_member_ids="[101]")
        desk.enrol(3, first=201)
        chosen = ([102, 201, 202], [201, 202, 203], [202, 203, 103], [102, 103])
        answers = at_once(4, lambda number: desk.post(f"/{event_id}/targets", member_ids=chosen[number]))
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert desk.told() == dict.fromkeys((101, 102, 103, 201, 202, 203), 1)
        assert len(desk.rows(EventTarget)) == len(desk.rows(EventDelivery)) == 6

    def test_change_what_they_saw_and_one_is_told_so(self, desk: Desk) -> None:
        event_id = desk.made()
        answers = at_once(4, lambda number: desk.change(event_id, title=f"会{number}", sequence=0, notify=True))
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 3}
        assert desk.detail(event_id)["sequence"] == 1
        assert desk.told() == {101: 2, 102: 2, 103: 2}

    def test_cancel_once(self, desk: Desk) -> None:
        event_id = desk.made()
        answers = at_once(4, lambda _number: desk.post(f"/{event_id}/cancellation", notify=True))
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 3}
        assert desk.told() == {101: 2, 102: 2, 103: 2}

    def test_cancel_while_the_other_asks_more_people(self, desk: Desk) -> None:
        """Whoever comes first: nobody is left with an invitation and without the notice that it is off."""
        event_id = desk.made(target_member_ids="[101]")

        def act(number: int) -> int:
            if number == 0:
                return desk.post(f"/{event_id}/cancellation", notify=True).status_code
            return desk.post(f"/{event_id}/targets", member_ids=[102, 103]).status_code

        cancelled, added = at_once(2, act)
        desk.worker_finishes()
        assert (cancelled, added) in ((200, 201), (200, 409))
        for member_id in (102, 103):
            words = desk.texts(member_id)
            assert not words or any("中止" in one for one in words), words
        assert "中止" in desk.texts(101)[-1]
