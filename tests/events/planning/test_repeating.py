"""`Idempotency-Key`: a double click, a retry on a bad network, a server that died in between."""

import asyncio
import threading
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.events.planning.desk import JPEG, URL, Desk, faults, refusal
from tests.product_fixtures import sqlite_only
from tsudoi.core import idempotency
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.models import IdempotencyKey
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.broadcast.service.tasks import LEASE
from tsudoi.events.event.models import Event
from tsudoi.events.planning.endpoints import sending


def one_of_everything(desk: Desk) -> bool:
    counted = desk.traces()
    return (counted["events"], counted["event_broadcasts"], counted["files"]) == (1, 1, 2)


class TestTheSameAgain:
    def test_gets_the_same_bytes_and_has_no_second_effect(self, desk: Desk) -> None:
        first, second = desk.create("k1"), desk.create("k1")
        assert first.status_code == second.status_code == 201
        assert second.content == first.content
        assert "idempotent-replayed" not in first.headers
        assert second.headers["idempotent-replayed"] == "true"
        assert one_of_everything(desk)
        assert desk.told() == {101: 1, 102: 1, 103: 1}

    @sqlite_only
    def test_also_by_another_boundary_and_in_another_order(self, desk: Desk) -> None:
        first = desk.create("k1")
        parts = [("image", ("other-name.jpg", JPEG)), *((n, (None, v)) for n, v in reversed(desk.form().items()))]
        second = desk.http.post(URL, files=parts, headers={"idempotency-key": "k1"})
        assert (second.content, second.headers["idempotent-replayed"]) == (first.content, "true")
        assert one_of_everything(desk)

    @sqlite_only
    @pytest.mark.found("24.A1")
    def test_however_long_it_is_to_wait(self, desk: Desk) -> None:
        """The console waits a moment, and a repeated request may wait longer: it is still the same request."""
        first = desk.create("k1", wait=0)
        for wait in (1, None, 0):
            again = desk.create("k1", wait=wait)
            assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
        desk.worker_finishes()
        assert one_of_everything(desk)
        assert desk.told() == {101: 1, 102: 1, 103: 1}

    @sqlite_only
    @pytest.mark.found("24.A1")
    def test_for_everything_that_is_sent_about_an_event(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.enrol(1, first=104)
        requests: tuple[tuple[str, str, dict[str, Any]], ...] = (
            ("POST", "/targets", {"member_ids": [104]}),
            ("POST", "/reminders", {}),
            ("PATCH", "", {"title": "理事会", "notify": True}),
            ("POST", "/cancellation", {"notify": True}),
        )
        for number, (method, path, body) in enumerate(requests):
            asked = [
                desk.http.request(
                    method, f"{URL}/{spelled}{path}{query}", json=body, headers={"idempotency-key": f"a{number}"}
                )
                for spelled, query in ((event_id, ""), (event_id, "?wait=0"), (f"0{event_id}", "?wait=1&_=1"))
            ]
            assert {answer.content for answer in asked} == {asked[0].raise_for_status().content}
        desk.worker_finishes()
        assert len(desk.rows(EventBroadcast)) == 1 + len(requests)
        assert desk.told() == {101: 4, 102: 4, 103: 4, 104: 4}

    @sqlite_only
    def test_with_another_content_is_422(self, desk: Desk) -> None:
        desk.create("k1")
        other = bytearray(JPEG)
        other[-3] ^= 1
        for changed in ({"title": "別の会"}, {"image": bytes(other)}, {"body": ""}, {"extra_text_enabled": "1"}):
            assert refusal(desk.create("k1", **changed)) == (422, "IDEMPOTENCY_KEY_REUSED")
        assert one_of_everything(desk)

    @sqlite_only
    def test_under_another_key_or_none_is_another_event(self, desk: Desk) -> None:
        ids = {desk.made(key="k1"), desk.made(key="k2"), desk.made(), desk.made()}
        assert len(ids) == 4

    @sqlite_only
    def test_by_another_admin_is_another_event(self, desk: Desk) -> None:
        first = desk.made(key="k1")
        desk.product.make_admin("second")
        with desk.product.client() as other:
            csrf = desk.product.log_in(other, "second").json()["csrf_token"]
            files: dict[str, Any] = {name: (None, value) for name, value in desk.form().items()}
            headers = {"idempotency-key": "k1", "x-csrf-token": csrf}
            answer = other.post(URL, files={**files, "image": ("a.jpg", JPEG)}, headers=headers)
        assert "idempotent-replayed" not in answer.headers
        assert answer.json()["event_id"] != first

    @sqlite_only
    def test_a_key_that_is_none_is_named(self, desk: Desk) -> None:
        for key in (b"", b"x" * 256, "鍵".encode()):
            headers: list[tuple[bytes, bytes]] = [(b"idempotency-key", key)]
            answer = desk.http.post(f"{URL}/1/reminders", json={}, headers=headers)
            assert answer.json()["details"] == [{"field": "Idempotency-Key", "reason": "INVALID_FORMAT"}]


class TestTheSameChangeLater:
    """What was in time when it first came is past when it comes again."""

    SOON = "2025-08-16T12:10:00+09:00"

    @pytest.mark.parametrize("notify", [True, False])
    def test_gets_the_first_answer(self, desk: Desk, notify: bool) -> None:
        event_id = desk.made()
        first = desk.change(event_id, "k1", held_at=self.SOON, notify=notify)
        assert first.status_code == 200
        desk.clock.advance(timedelta(minutes=30))
        second = desk.change(event_id, "k1", held_at=self.SOON, notify=notify)
        assert (second.status_code, second.content) == (200, first.content)
        assert second.headers["idempotent-replayed"] == "true"
        assert faults(desk.change(event_id, "k2", held_at=self.SOON, notify=notify)) == {"held_at": "PAST_DATE"}
        assert desk.told() == dict.fromkeys((101, 102, 103), 2 if notify else 1)

    def test_or_finishes_what_was_cut_off(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        def dies(*_arguments: Any, **_options: Any) -> None:
            raise DatabaseUnavailable

        event_id = desk.made()
        with monkeypatch.context() as patch:
            patch.setattr(jobs, "send", dies)
            assert desk.change(event_id, "k1", held_at=self.SOON, notify=True).status_code == 503
        desk.clock.advance(timedelta(minutes=30))
        second = desk.change(event_id, "k1", held_at=self.SOON, notify=True)
        assert (second.status_code, second.json()["targets"]) == (200, 3)
        assert len(desk.rows(EventBroadcast)) == 2

    @sqlite_only
    def test_what_was_refused_leaves_the_key_free(self, desk: Desk) -> None:
        event_id = desk.made()
        assert faults(desk.change(event_id, "k1", title="", notify="maybe")).keys() == {"title", "notify"}
        assert desk.change(event_id, "k1", title="総会").status_code == 200


class TestMeanwhile:
    @sqlite_only
    def test_a_copy_hears_that_it_is_in_flight(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        going, go_on, real = threading.Event(), threading.Event(), jobs.send

        def slowly(*arguments: Any, **options: Any) -> None:
            going.set()
            go_on.wait(10)
            real(*arguments, **options)

        monkeypatch.setattr(jobs, "send", slowly)
        answers: list[httpx2.Response] = []
        first = threading.Thread(target=lambda: answers.append(desk.create("k1")))
        first.start()
        going.wait(10)
        meanwhile = desk.create("k1")
        assert refusal(meanwhile) == (409, "IN_FLIGHT")
        assert meanwhile.headers["retry-after"] == "1"
        assert refusal(desk.create("k1", title="別の会")) == (422, "IDEMPOTENCY_KEY_REUSED")
        go_on.set()
        first.join()
        assert desk.create("k1").content == answers[0].content
        assert one_of_everything(desk)


class TestCutOff:
    """Between the commit and the answer: the event is there, and nobody has heard of it."""

    @pytest.fixture
    def broken(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
        def dies(*_arguments: Any, **_options: Any) -> None:
            raise DatabaseUnavailable

        with monkeypatch.context() as patch:
            patch.setattr(jobs, "send", dies)
            assert desk.create("k1").status_code == 503
        assert one_of_everything(desk)
        assert desk.told() == {}
        return desk

    def test_the_same_request_finishes_the_first_ones_work(self, broken: Desk) -> None:
        """The first one had claimed what it was about to send; until its lease runs out, it may still be sending."""
        broken.clock.advance(LEASE)
        answer = broken.create("k1")
        assert answer.json()["push"] == {"success": 3, "fail": 0, "unknown": 0, "pending": 0}
        assert answer.json()["event_id"] == broken.rows(Event)[0]["id"]
        assert one_of_everything(broken)
        assert broken.told() == {101: 1, 102: 1, 103: 1}
        assert broken.create("k1").content == answer.content

    @sqlite_only
    def test_the_worker_may_be_quicker(self, broken: Desk) -> None:
        broken.worker_finishes()
        assert broken.create("k1").json()["push"]["success"] == 3
        assert broken.told() == {101: 1, 102: 1, 103: 1}

    @sqlite_only
    def test_another_content_is_still_refused(self, broken: Desk) -> None:
        assert refusal(broken.create("k1", title="別の会")) == (422, "IDEMPOTENCY_KEY_REUSED")
        assert one_of_everything(broken)

    def test_a_server_that_was_killed_leaves_the_key_taken_until_its_lease_ends(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def killed(*_arguments: Any, **_options: Any) -> None:
            raise DatabaseUnavailable

        with monkeypatch.context() as patch:
            patch.setattr(jobs, "send", killed)
            patch.setattr(idempotency, "release", killed)
            assert desk.create("k1").status_code == 503
        assert refusal(desk.create("k1")) == (409, "IN_FLIGHT")
        assert refusal(desk.create("k1", title="別の会")) == (422, "IDEMPOTENCY_KEY_REUSED")
        desk.clock.advance(timedelta(minutes=2, seconds=1))
        answer = desk.create("k1")
        assert answer.json() == {
            "event_id": desk.rows(Event)[0]["id"],
            "targets": 3,
            "push": {"success": 3, "fail": 0, "unknown": 0, "pending": 0},
        }
        assert one_of_everything(desk)
        assert desk.told() == {101: 1, 102: 1, 103: 1}

    @sqlite_only
    def test_a_quota_that_the_first_one_used_up_does_not_stop_the_second(self, broken: Desk) -> None:
        broken.worker_finishes()
        broken.quota(3, used=3)
        assert broken.create("k1").status_code == 201

    @sqlite_only
    def test_an_old_key_for_something_else_makes_something_else(self, desk: Desk) -> None:
        """Keys are forgotten after two days; what they made is not."""
        first = desk.made(key="k1")
        desk.product.db.write_now(lambda tx: tx.execute(IdempotencyKey.__table__.delete()))  # type: ignore[attr-defined]
        assert desk.made(key="k1", title="別の会") != first

    @sqlite_only
    def test_of_two_who_both_think_the_key_is_theirs_one_makes_it(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The first was silent for so long that its key passed on, and then went on all the same."""
        going, go_on, real = threading.Event(), threading.Event(), sending.within_quota

        async def silent(*arguments: Any, **options: Any) -> Any:
            if not going.is_set():
                going.set()
                await asyncio.to_thread(go_on.wait, 10)
            return await real(*arguments, **options)

        monkeypatch.setattr(sending, "within_quota", silent)
        answers: list[httpx2.Response] = []
        first = threading.Thread(target=lambda: answers.append(desk.create("k1")))
        first.start()
        going.wait(10)
        desk.product.db.write_now(
            lambda tx: tx.execute(IdempotencyKey.__table__.update().values(lease_until=tx.now))  # type: ignore[attr-defined]
        )
        second = desk.create("k1")
        go_on.set()
        first.join()
        assert answers[0].json()["event_id"] == second.json()["event_id"]
        assert one_of_everything(desk), "the slower one's files stay behind"
        assert desk.told() == {101: 1, 102: 1, 103: 1}


@sqlite_only
def test_every_other_decision_is_made_once_too(desk: Desk) -> None:
    event_id = desk.made()
    desk.enrol(1, first=201)
    decisions: list[tuple[str, dict[str, Any]]] = [
        (f"/{event_id}/targets", {"member_ids": [201]}),
        (f"/{event_id}/reminders", {}),
        (f"/{event_id}/cancellation", {"notify": True}),
    ]
    changed = [desk.change(event_id, "c", title="変更", notify=True) for _ in range(2)]
    assert changed[0].content == changed[1].content
    assert refusal(desk.change(event_id, "c", title="変更", notify=True, body=None))[0] == 422
    for path, body in decisions:
        first, second = desk.post(path, "d", **body), desk.post(path, "d", **body)
        assert first.is_success, first.text
        assert (second.content, second.headers["idempotent-replayed"]) == (first.content, "true")
    kinds = [row["kind"] for row in desk.rows(EventBroadcast)]
    assert kinds == ["invite", "change", "late", "reminder", "cancel"]
    assert desk.told() == {101: 4, 102: 4, 103: 4, 201: 3}


@sqlite_only
@pytest.mark.parametrize("what", ["reminders", "cancellation", "targets"])
def test_a_decision_that_was_cut_off_is_finished(desk: Desk, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    event_id = desk.made()
    desk.enrol(1, first=201)
    bodies: dict[str, dict[str, Any]] = {
        "reminders": {},
        "cancellation": {"notify": True},
        "targets": {"member_ids": [201]},
    }
    before = sum(desk.told().values())

    def dies(*_arguments: Any, **_options: Any) -> None:
        raise DatabaseUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "send", dies)
        assert desk.post(f"/{event_id}/{what}", "k", **bodies[what]).status_code == 503
    desk.worker_finishes()
    desk.quota(3, used=3)
    answer = desk.post(f"/{event_id}/{what}", "k", **bodies[what])
    assert answer.is_success, answer.text
    told = answer.json()["targets"]
    assert answer.json()["push"] == {"success": told, "fail": 0, "unknown": 0, "pending": 0}
    assert sum(desk.told().values()) == before + told
    assert len(desk.rows(EventBroadcast)) == 2
