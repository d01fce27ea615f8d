"""What is written down before anything is sent, and what the office sees afterwards."""

import uuid
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from tests.events.broadcast.crowd import Hall, gather
from tests.factories.product import Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import code
from tsudoi.access.admins import service as admins
from tsudoi.events.broadcast import queries
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.events.broadcast.rules import explanation
from tsudoi.gateway.clients.line_outcomes import Rejected
from tsudoi.line.delivery.rules import judge
from tsudoi.roster.members.models import Member


class TestEnqueue:
    def test_writes_everything_down(self, office: Hall) -> None:
        people = gather(office.db, office.box, 5)
        office.enqueue(people, "reminder", reminder_day="2025-08-16")
        [broadcast] = office.rows(EventBroadcast)
        assert (broadcast["recipients"], broadcast["created_by"]) == (5, "admin:jimukyoku")
        assert [row["chunk_id"] for row in office.people()] == [1, 1, 2, 2, 3]
        assert [row["line_user_id"] for row in office.people()] == [one.line_user_id for one in people]
        assert {(row["status"], row["attempt_count"], row["uncertain"], row["logged"]) for row in office.people()} == {
            ("PENDING", 0, False, True)
        }
        assert not [chunk for chunk in office.chunks() if chunk["logged"]]
        keys = [row["retry_key"] for row in (*office.chunks(), *office.people())]
        assert [str(uuid.UUID(key)) for key in keys] == keys
        assert len(set(keys)) == 8

    def test_to_nobody_is_a_broadcast_too(self, office: Hall) -> None:
        assert office.send(office.enqueue([])) == PushResult()

    def test_a_second_reminder_on_the_same_day_is_refused_by_the_database(self, office: Hall) -> None:
        people = gather(office.db, office.box, 1)
        office.enqueue(people, "reminder", reminder_day="2025-08-16")
        with pytest.raises(IntegrityError):
            office.enqueue(people, "reminder", reminder_day="2025-08-16")
        office.enqueue(people, "reminder", reminder_day="2025-08-17")

    def test_a_reminder_that_failed_may_be_repeated(self, office: Hall) -> None:
        people = gather(office.db, office.box, 2)
        office.box.breaks("quota_exhausted", "multicast", times=1)
        office.send(office.enqueue(people, "reminder", reminder_day="2025-08-16"))
        again = office.enqueue(people, "reminder", reminder_day="2025-08-16")
        assert office.send(again) == PushResult(success=2)


class TestTotals:
    def test_are_of_the_invitations(self, office: Hall) -> None:
        people = gather(office.db, office.box, 5)
        office.send(office.enqueue(people[:4]))
        office.enqueue(people[4:], "late")
        office.send(office.enqueue(people, "change"))
        found = office.db.read_now(queries.totals, [office.event_id, 999])
        assert found == {office.event_id: PushResult(success=4, pending=1)}


@pytest.fixture
def http(office: Hall, make_product: ProductMaker) -> httpx2.Client:
    product: Product = make_product()
    token = product.db.write_now(admins.create_token, "jimukyoku")
    product.http.headers["authorization"] = f"Bearer {token}"
    return product.http


class TestDeliveries:
    def test_tells_who_was_not_told_and_why(self, office: Hall, http: httpx2.Client) -> None:
        office.refuse_strangers()
        people = gather(office.db, office.box, 8, strangers=[1])
        first = office.enqueue(people[:4])
        office.send(first)
        office.box.breaks("error_500_before", "multicast", times=1)
        second = office.enqueue(people[4:6], "late")
        office.send(second)
        office.clock.advance(timedelta(hours=30))
        office.send(second)
        third = office.enqueue(people[6:], "reminder")
        in_front = update(Member).where(Member.id == 8).values(display_order=1)
        office.db.write_now(lambda tx: tx.execute(in_front).rowcount)
        answer = http.get(f"/api/admin/events/{office.event_id}/deliveries")
        assert answer.status_code == 200, answer.text
        newest, late, invite = answer.json()["items"]
        assert (newest["broadcast_id"], newest["kind"], newest["pending"]) == (third, "reminder", 2)
        assert [one["member_id"] for one in newest["problems"]] == [8, 7]
        assert {one["status"] for one in newest["problems"]} == {"pending"}
        assert (late["unknown"], late["problems"][0]["status"]) == (2, "unknown")
        assert "確認" in late["problems"][0]["reason_text"]
        assert invite == {
            "broadcast_id": first,
            "kind": "invite",
            "created_at": "2025-08-16T12:00:00+09:00",
            "created_by": "admin:jimukyoku",
            "recipients": 4,
            "success": 3,
            "fail": 1,
            "unknown": 0,
            "pending": 0,
            "resendable": 0,
            "resends": [],
            "problems_total": 1,
            "problems": [
                {
                    "member_id": 2,
                    "name": "会員2",
                    "status": "fail",
                    "reason": office.people()[1]["last_error"],
                    "reason_text": explanation("FAILED", "400"),
                }
            ],
        }

    def test_lists_so_many_and_counts_all(self, office: Hall) -> None:
        office.invite(5)
        found = office.db.read_now(lambda tx: queries.problems(tx, office.event_id, most=3))
        assert [row.member_id for row in found] == [1, 2, 3]
        assert office.db.read_now(queries.deliveries, office.event_id).items[0].problems_total == 5

    @sqlite_only
    def test_of_an_event_that_is_not_there_are_not_found(self, http: httpx2.Client) -> None:
        assert code(http.get("/api/admin/events/999/deliveries")) == (404, "NOT_FOUND")
        del http.headers["authorization"]
        assert http.get("/api/admin/events/1/deliveries").status_code == 401


class TestReasons:
    def test_are_said_in_words(self) -> None:
        about_messages = judge(Rejected(400, "1 error(s) (messages[0].text: too long)"), uncertain=False, alone=False)
        reasons = ("QUOTA", "cancelled", "400: no", about_messages.reason, "401: no", "403: no", "429: no", "5", None)
        texts = [explanation("FAILED", reason) for reason in reasons]
        assert len(set(texts)) == len(reasons) - 2
        assert explanation("WAITING", None) != explanation("PENDING", "429: later")

    def test_carry_no_ids(self) -> None:
        reason = judge(Rejected(400, f"bad {'U' + 'a' * 32} " + "x" * 999), uncertain=False, alone=True).reason
        assert reason is not None
        assert "a" * 32 not in reason
        assert reason.endswith("x" * 999), "it is masked, and not cut"
