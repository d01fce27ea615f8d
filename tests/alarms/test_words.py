"""What an alarm says: what does not work, whom it concerns, since when, what to do, and where to read on."""

import re

import pytest

from tests.conftest import NOON
from tsudoi.alarms.outages.rules import OUTAGES
from tsudoi.gateway.api_comm.alarm_texts import CAUSES, AlarmFacts, alarm_text, all_clear_text, sms_body

LINK = "https://tsudoi.example.jp/admin/tickets/9876"
# Names of settings and of products are what the reader needs; names of our classes, rules and operations are not.
_OUR_NAMES = re.compile(r"[a-z]+_[a-z]+|[A-Z][a-z]+[A-Z][a-z]+\w*|OUTAGE_\w+|API_ERROR_\w+|STORES_AUTH\w+|API_COMM")


@pytest.mark.found("24.D4")
@pytest.mark.row("8.D.10")
@pytest.mark.parametrize("cause", CAUSES)
def test_the_words_of_each_cause(cause: str) -> None:
    facts = AlarmFacts(cause, "critical", "ngy1", 9876, LINK, None)
    details = {"component": "StoresGateway", "operation": "stores.get_customer", "last_status_code": 421}
    text = alarm_text(facts, "3回続けて失敗しました。", details, NOON)
    whole = "\n".join((text.title, *text.lines))
    for part in ("影響：", "いつから：2025/08/16 12:00", "すること：", "最後のステータス：421", f"くわしく：{LINK}"):
        assert part in whole
    assert ("ngy1" in whole) is (not cause.startswith("OUTAGE_")), "an outage concerns no single shop"
    over = all_clear_text(facts, 3)
    assert LINK in over.lines[-1]
    for said in (whole, text.short, "\n".join((over.title, *over.lines)), over.short):
        assert not _OUR_NAMES.search(said.replace(LINK, "")), said


@pytest.mark.found("24.D4")
def test_the_link_of_a_short_message_is_never_cut() -> None:
    facts = AlarmFacts("OUTAGE_MAIL", "critical", None, 9876, LINK, None)
    body = sms_body(alarm_text(facts, "あ" * 300, {}, NOON))
    assert len(body) == 140
    assert body.endswith(f" {LINK}")


@pytest.mark.found("24.D4")
def test_each_outage_has_words() -> None:
    assert {one.cause for one in OUTAGES.values()} == {cause for cause in CAUSES if cause.startswith("OUTAGE_")}
