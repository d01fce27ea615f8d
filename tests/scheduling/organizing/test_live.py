"""The office follows a thread as it changes."""

import pytest

from tests.access.listening import Listener, listening
from tests.scheduling.organizing.desk import MEI, RAJ, URL, Desk
from tsudoi.access import event_stream
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE
from tsudoi.scheduling.organizing.schemas.board import ThreadLive

BY_HAND = {**DEFAULT_RULE, "finalize_policy": {"auto_finalize": False, "policy": "EARLIEST_VALID"}}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.3)


class TestFollowing:
    def test_begins_with_how_things_stand_and_goes_on_with_every_change(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=BY_HAND)
        path = f"/{made['thread']['id']}"
        with listening(f"{desk.product.url}{URL}{path}/live", desk.bearer, None) as listener:
            listener.until(lambda heard: bool(heard.messages))
            assert listener.answer_headers["content-type"].startswith("text/event-stream")
            first = listener.messages[0]
            assert (first.kind, first.body["reload"]) == ("snapshot", True)
            assert (newest(listener).status, newest(listener).answered) == ("active", 0)
            desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
            listener.until(lambda heard: newest(heard).answered == 1)
            seen = newest(listener).revision
            desk.delete(f"{path}/slots/{made['slots'][2]['slot_id']}")
            listener.until(lambda heard: newest(heard).revision > seen)
            desk.post(f"{path}/cancel", {})
            listener.until(lambda heard: newest(heard).status == "cancelled")
        revisions = [ThreadLive.model_validate(message.body).revision for message in listener.messages]
        assert revisions == sorted(revisions)


def newest(listener: Listener) -> ThreadLive:
    return ThreadLive.model_validate(listener.messages[-1].body)
