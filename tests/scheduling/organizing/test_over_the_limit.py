"""Over LINE's monthly limit, whatever tells people needs one confirmation, and then goes on by other ways."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.factories.product import Box, Product
from tests.scheduling.organizing.desk import Desk, desk_at
from tests.scheduling.organizing.test_changing import ALL, path
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage

# How a member is reached once LINE refuses: 101 has an address, 102 has none.
WITH_ADDRESS, WITHOUT = 101, 102


@dataclass
class LimitedDesk:
    """A thread with two linked members, decided by hand, and LINE's limit used up."""

    desk: Desk
    box: Box
    made: dict[str, Any]

    @property
    def slot_id(self) -> str:
        found: str = self.made["slots"][0]["slot_id"]
        return found

    def post(self, verb: str, **body: Any) -> httpx2.Response:
        return self.desk.post(path(self.made, f"/{verb}"), body)

    def use_up(self) -> None:
        self.desk.product.drain()
        self.box.http.put("/_sandbox/quota", json={"type": "limited", "value": 4, "total_usage": 4}).raise_for_status()

    def left_behind(self) -> tuple[int, int, str]:
        status = self.desk.get(path(self.made, "/status")).json()["thread"]["status"]
        return len(self.desk.rows(ThreadMessage)), len(self.desk.rows(AuditLog)), status

    def ways(self, kind: str) -> dict[str, str]:
        return {row["invitee_key"]: row["channel"] for row in self.desk.rows(ThreadMessage, type=kind)}


@pytest.fixture
def product(make_product: Callable[..., Product], box: Box) -> Product:
    return make_product(smtp_url=box.smtp_url, mail_from="office@example.jp")


@pytest.fixture
def limited(product: Product, clock: ManualClock, box: Box) -> LimitedDesk:
    desk = desk_at(product, clock)
    for number in (WITH_ADDRESS, WITHOUT):
        desk.enrol(number, line_user_id=box.friend(str(number)), email="a@example.jp" if number == 101 else None)
    made = desk.create(member_ids=[WITH_ADDRESS, WITHOUT], invitees=None, rule=ALL)
    found = LimitedDesk(desk, box, made)
    found.use_up()
    return found


def answered(limited: LimitedDesk) -> None:
    for candidate in limited.made["candidates"]:
        body = {"invitee_key": candidate["invitee_key"], "status": "declined"}
        assert limited.post("answers", **body).status_code == 200


def decided(limited: LimitedDesk) -> None:
    order = {"selected_slot_id": limited.slot_id, "reason": "会長の都合", "notify": False}
    limited.post("finalize", **order).raise_for_status()


def told_of(limited: LimitedDesk, verb: str, kind: str, **body: Any) -> None:
    """Refused without a word about it, and nothing is left behind; with it the people are told by the ways left."""
    before = limited.left_behind()
    refused = limited.post(verb, **body)
    assert (refused.status_code, refused.json()["code"]) == (409, "QUOTA_EXCEEDED"), refused.text
    assert refused.json()["details"] == [{"field": "confirm_over_quota", "reason": "QUOTA_EXCEEDED"}]
    assert refused.json()["error"] == "QUOTA_EXCEEDED"
    assert limited.left_behind() == before
    done = limited.post(verb, **body, confirm_over_quota=True)
    assert done.is_success, done.text
    limited.desk.product.drain()
    assert limited.ways(kind) == {f"lm:{WITH_ADDRESS}": "mail", f"lm:{WITHOUT}": "call"}


class TestOverTheMonthlyLimit:
    def test_a_decision_is_confirmed(self, limited: LimitedDesk) -> None:
        told_of(limited, "finalize", "decision", selected_slot_id=limited.slot_id, reason="会長の都合")

    def test_a_cancellation_is_confirmed(self, limited: LimitedDesk) -> None:
        told_of(limited, "cancel", "cancelled")

    def test_taking_a_decision_back_is_confirmed(self, limited: LimitedDesk) -> None:
        decided(limited)
        told_of(limited, "reopen", "reopened")

    def test_new_slots_are_confirmed(self, limited: LimitedDesk) -> None:
        answered(limited)
        told_of(limited, "slots", "slots_added", slots=[limited.desk.slot(9)])

    def test_asking_people_again_is_confirmed(self, limited: LimitedDesk) -> None:
        answered(limited)
        told_of(limited, "invitees", "reminder", member_ids=[WITH_ADDRESS, WITHOUT], force=True)

    def test_inviting_further_people_is_confirmed(self, limited: LimitedDesk) -> None:
        limited.desk.enrol(103, line_user_id=limited.box.friend("103"))
        before = limited.left_behind()
        assert limited.post("invitees", member_ids=[103]).json()["code"] == "QUOTA_EXCEEDED"
        assert limited.left_behind() == before
        assert limited.post("invitees", member_ids=[103], confirm_over_quota=True).status_code == 201
        limited.desk.product.drain()
        assert limited.ways("invite")["lm:103"] == "call"


class TestWithoutMessagesByLine:
    def test_nothing_has_to_be_confirmed(self, limited: LimitedDesk) -> None:
        """Nobody is told, or by mail only, or the order is refused for another reason."""
        unlink = {"line_user_id": None}
        order = {"selected_slot_id": limited.slot_id}
        assert limited.post("finalize", **order).json()["code"] == "RULE_NOT_SATISFIED"
        assert limited.post("reopen").json()["code"] == "NOT_FINALIZED"
        assert limited.post("invitees", invitees=[{"name": "林", "email": "mei@example.jp"}]).status_code == 201
        decided(limited)
        assert limited.post("finalize", **order).json()["told"] == 0
        assert limited.post("invitees", member_ids=[WITHOUT]).json()["code"] == "THREAD_FINALIZED"
        assert limited.post("reopen", notify=False).json()["thread"]["status"] == "active"
        limited.desk.product.db.write_now(
            lambda tx: tx.execute(Member.__table__.update().values(**unlink))  # type: ignore[attr-defined]
        )
        assert limited.post("cancel").json()["thread"]["status"] == "cancelled"
        assert limited.post("cancel").json()["told"] == 0

    def test_a_wrong_value_is_refused(self, limited: LimitedDesk) -> None:
        before = limited.left_behind()
        for verb in ("finalize", "cancel", "reopen", "invitees", "slots"):
            refused = limited.post(verb, confirm_over_quota="yes")
            assert refused.status_code == 400, verb
            assert "confirm_over_quota" in {one["field"] for one in refused.json()["details"]}, verb
        assert limited.left_behind() == before
