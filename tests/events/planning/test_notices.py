"""The words of the notices. Pure."""

from datetime import datetime

import pytest

from tsudoi.core.clock import JST
from tsudoi.events.event.rules import DEFAULT_BODY, heading
from tsudoi.events.planning.rules.notices import change, changed, invitation

HELD_AT = datetime(2026, 12, 12, 18, 0, tzinfo=JST)
OLD = {"title": "理事会", "held_at": HELD_AT}
LATER = datetime(2026, 12, 13, 9, 5, tzinfo=JST)


@pytest.mark.found("24.A10")
class TestTheHeadingOfAText:
    def test_is_the_line_that_the_console_writes(self) -> None:
        assert heading("理事会", HELD_AT) == "「理事会」 12月12日（土）18:00"

    def test_follows_a_change_without_a_line_of_its_own_in_the_notice(self) -> None:
        old = {**OLD, "body": f"「理事会」 12月12日（土）18:00\n{DEFAULT_BODY}"}
        new = changed(old, {"held_at": LATER})
        assert new["body"] == f"「理事会」 12月13日（日）09:05\n{DEFAULT_BODY}"
        (text,) = change(old, new, "link")
        assert "日時：2026/12/12 18:00 → 2026/12/13 09:05" in text["text"]
        assert "本文" not in text["text"]
        own = {**new, "body": "「理事会」 12月13日（日）09:05\n持ち物：印鑑"}
        assert "本文：" in change(old, own, "link")[0]["text"]

    def test_the_text_of_the_document_stays_as_it_is(self) -> None:
        assert changed({**OLD, "body": DEFAULT_BODY}, {"held_at": LATER})["body"] == DEFAULT_BODY
        assert invitation(DEFAULT_BODY, None, "link") == [{"type": "text", "text": f"{DEFAULT_BODY}\nlink"}]
