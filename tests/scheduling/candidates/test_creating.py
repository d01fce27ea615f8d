"""The fourth step of document 001: people whom a model suggests for a new thread, and what happens without them."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.factories.booking import make_department, make_staff
from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.scheduling.organizing.desk import Desk, desk_at
from tests.servers import eventually
from tsudoi.core.clock import ManualClock
from tsudoi.gateway.clients import language_models
from tsudoi.scheduling.thread.models import SchedulingSlot, SchedulingThread, ThreadInvite, ThreadSelection

MakeDesk = Callable[..., Desk]
NOBODY = "Thread created with 0 candidate invitations sent"


@pytest.fixture
def make_desk(make_product: ProductMaker, box: Box, clock: ManualClock) -> MakeDesk:
    """An organiser whose product may ask both models, with a member who has an address and one who has none."""

    def make(**more: Any) -> Desk:
        keys = {"gemini_api_key": "gemini-key-of-the-sandbox-0000", "openai_api_key": "openai-key-of-the-sandbox-0000"}
        bases = {"gemini_api_base": box.url, "openai_api_base": f"{box.url}/openai/v1"}
        mail = {"smtp_url": box.smtp_url, "mail_from": "office@example.jp"}
        desk = desk_at(make_product(**{**keys, **bases, **mail, **more}), clock)
        desk.enrol(101, name="防災 太郎", email="taro@example.jp")
        desk.enrol(102, name="広報 花子")
        return desk

    return make


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    return make_desk()


def behave(box: Box, **how: Any) -> None:
    box.http.put("/_sandbox/models", json=how).raise_for_status()


def asked(box: Box) -> list[str]:
    return [one["api"] for one in box.http.get("/_sandbox/models").json()["asked"]]


def create(desk: Desk, title: str = "防災訓練", **more: Any) -> dict[str, Any]:
    answer = desk.post(body={"title": title, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


class TestSuggestedPeople:
    @pytest.mark.row("1.2.13")
    def test_are_invited_with_name_address_and_reason(self, desk: Desk, box: Box) -> None:
        made = create(desk)
        (candidate,) = made["candidates"]
        assert (candidate["name"], candidate["email"]) == ("防災 太郎", "taro@example.jp")
        assert candidate["invitee_key"] == "lm:101"
        assert candidate["reason"]
        assert made["message"] == "Thread created with 1 candidate invitations sent"
        (invite,) = desk.rows(ThreadInvite)
        assert invite["candidate_reason"] == candidate["reason"]
        assert len(desk.rows(ThreadSelection)) == 1
        desk.product.drain()
        assert [mail["to"] for mail in box.mails()] == [["taro@example.jp"]]

    @pytest.mark.row("1.2.13")
    def test_a_stranger_is_dropped_and_gets_no_mail(self, desk: Desk, box: Box) -> None:
        for mode in ("unknown_id", "stranger"):
            behave(box, answer=mode)
            made = create(desk)
            assert [one["invitee_key"] in ("lm:101", "lm:102") for one in made["candidates"]] == [True], mode
        desk.product.drain()
        assert {address for mail in box.mails() for address in mail["to"]} <= {"taro@example.jp"}

    @sqlite_only
    def test_a_staff_person_is_asked_by_mail(self, desk: Desk, box: Box) -> None:
        make_department(desk.product.db, "3A", name="放射線科")
        make_staff(
            desk.product.db, "900", family_name="佐藤", given_name="花子", email="s@example.jp", department_id="3A"
        )
        (candidate,) = create(desk, "放射線の機器について")["candidates"]
        assert candidate["invitee_key"].startswith("u:staff:")
        desk.product.drain()
        assert [mail["to"] for mail in box.mails()] == [["s@example.jp"]]

    @sqlite_only
    def test_nobody_is_suggested_where_people_are_named(self, desk: Desk, box: Box) -> None:
        create(desk, invitees=[])
        create(desk, audience_ids=[])
        create(desk, invitees=[{"name": "Raj", "email": "raj@example.com"}])
        assert asked(box) == []

    @sqlite_only
    def test_a_draft_is_shown_first_and_nobody_is_told(self, desk: Desk, box: Box) -> None:
        assert len(create(desk, send=False)["candidates"]) == 1
        desk.product.drain()
        assert box.mails() == []


@sqlite_only
@pytest.mark.row("1.2.12")
class TestWhichModel:
    def test_without_a_key_there_is_no_call(self, make_desk: MakeDesk, box: Box) -> None:
        desk = make_desk(gemini_api_key=None, openai_api_key=None, ai_fallback_enabled=True)
        assert create(desk)["message"] == NOBODY
        assert asked(box) == []

    def test_a_failing_gemini_without_the_fallback(self, desk: Desk, box: Box) -> None:
        box.breaks("error_500_before", "gemini")
        assert create(desk)["candidates"] == []
        assert asked(box) == ["gemini"]

    def test_a_failing_gemini_with_the_fallback(self, make_desk: MakeDesk, box: Box) -> None:
        box.breaks("error_500_before", "gemini")
        assert len(create(make_desk(ai_fallback_enabled=True))["candidates"]) == 1
        assert asked(box) == ["gemini", "openai"]


@sqlite_only
class TestFailures:
    @pytest.mark.row("1.2.14")
    def test_the_thread_is_there_whatever_the_model_does(
        self, desk: Desk, box: Box, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(language_models, "POLICY", replace(language_models.POLICY, deadline=timedelta(seconds=0.5)))
        cases = [{"answer": mode} for mode in ("junk", "empty", "cut", "refused")]
        kinds = ("rate_limited", "error_500_before", "timeout_before_accept", "drop_connection")
        for number, case in enumerate([*cases, *({"kind": kind} for kind in kinds)], 1):
            if "kind" in case:
                behave(box)
                box.breaks(case["kind"], "gemini")
            else:
                behave(box, **case)
            started = time.monotonic()
            made = create(desk)
            assert time.monotonic() - started < 20
            assert (made["candidates"], made["message"], len(made["slots"])) == ([], NOBODY, 3), case
            assert len(desk.rows(SchedulingThread)) == number
        assert desk.rows(ThreadInvite) == []


@pytest.mark.row("1.2.15")
def test_the_thread_exists_before_the_model_is_asked(desk: Desk, box: Box) -> None:
    behave(box, hold=True)
    made: list[dict[str, Any]] = []
    request = threading.Thread(target=lambda: made.append(create(desk)))
    request.start()
    try:
        eventually(lambda: asked(box) == ["gemini"])
        assert len(desk.rows(SchedulingThread)) == 1
        assert len(desk.rows(SchedulingSlot)) == 3
        assert desk.rows(ThreadInvite) == []
    finally:
        behave(box)
        request.join()
    assert len(made[0]["candidates"]) == len(desk.rows(ThreadInvite)) == 1
