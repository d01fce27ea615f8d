"""`notify.escalation`: one ticket for one trouble, the channels of its rule, and what each of them did."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories.chain import Chain, chain_of
from tests.product_fixtures import sqlite_only
from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.clock import ManualClock

DETAILS = {"component": "StoresGateway.resolve_customer_by_contact", "last_status_code": 500}


def escalate(chain: Chain, rule_code: str = "TEST_ALARM", summary: str = "試験です", **more: Any) -> dict[str, Any]:
    payload = {"rule_code": rule_code, "summary": summary, "details": more.pop("details", DETAILS)}
    return chain.call("notify.escalation", payload, **more)


def attempts(chain: Chain) -> list[tuple[str, str, str, str | None]]:
    keys = ("kind", "channel", "outcome", "reason")
    return [tuple(row[key] for key in keys) for row in chain.rows(EscalationAttempt)]


class TestChannels:
    @pytest.mark.row("4.4.46", "4.4.47", "4.2.4", "4.6.3")
    def test_the_channels_of_the_rule_are_told(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork", "sms", severity="critical")
        found = escalate(chain)
        assert (found["status"], found["code"], found["error"]) == ("success", "ESCALATION_TRIGGERED", None)
        (ticket,) = chain.rows(Ticket)
        data = found["data"]
        assert (data["rule_code"], data["channels_used"], data["ticket_id"]) == (
            "TEST_ALARM",
            ["chatwork", "sms"],
            ticket["id"],
        )
        (message,) = chain.messages()
        assert message.startswith("[info][title]【重大】TEST_ALARM[/title]試験です\n店舗：ngy1\n")
        assert f"チケット：{ticket['id']}" in message
        (text,) = chain.texts()
        assert (text["to"], "試験です" in text["body"]) == ("+819012345678", True)
        assert chain.box.http.get("/_sandbox/counts").json()["mails"] == 0
        events = [one for one in chain.rows(SysEvent) if one["event_type"] == "escalation_triggered"]
        assert [one["payload_json"]["ticket_id"] for one in events] == [ticket["id"]]
        assert (ticket["status"], ticket["occurrences"], ticket["shop_id"]) == ("open", 1, 1)
        assert ticket["request_id"] == found["meta"]["request_id"]

    @sqlite_only
    def test_mail_and_the_second_kind_of_sms_provider(
        self, chain: Chain, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        more = {"sms_provider": "karaden", "sms_api_base": f"{chain.box.url}/karaden", "sms_from": "7"}
        chain.rule("TEST_ALARM", "email", "sms", email_to="a@example.jp, b@example.jp")
        with chain_of(chain.box, chain.db, tmp_path_factory.mktemp("karaden"), **more) as other:
            assert escalate(other)["data"]["channels_used"] == ["email", "sms"]
        (text,) = chain.texts()
        assert (text["provider"], text["to"]) == ("karaden", "+819012345678")
        assert chain.box.http.get("/_sandbox/counts").json()["mails"] == 2
        rows = [row for row in chain.calls() if row["component"] == "NotificationGateway.escalation"]
        assert sorted({row["target"] for row in rows}) == ["karaden", "smtp"]

    @sqlite_only
    @pytest.mark.row("4.4.48")
    def test_if_nobody_takes_it_it_has_failed_and_the_ticket_is_there(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork", "email", "sms")
        chain.faults(*({"kind": "error_status", "status": 403, "endpoint": one} for one in ("chatwork", "sms")))
        chain.rule("TEST_ALARM", "chatwork", "sms")
        found = escalate(chain)
        assert (found["status"], found["code"], found["error"]["type"]) == (
            "error",
            "ESCALATION_FAILED",
            "external_api",
        )
        assert found["data"]["channels_used"] == []
        assert [one["id"] for one in chain.rows(Ticket)] == [found["data"]["ticket_id"]]
        assert attempts(chain) == [
            ("alarm", "chatwork", "failed", "status_403"),
            ("alarm", "sms", "failed", "status_403"),
        ]

    @sqlite_only
    def test_one_channel_is_enough_and_the_other_one_is_reported(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork", "sms")
        chain.breaks("error_status", "chatwork", status=500)
        data = escalate(chain)["data"]
        assert data["channels_used"] == ["sms"]
        assert data["channels"] == [
            {"channel": "chatwork", "outcome": "unknown", "reason": "status_500"},
            {"channel": "sms", "outcome": "sent", "reason": None},
        ]

    @sqlite_only
    def test_with_fallback_the_next_channel_stands_in_and_says_so(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork", "email", "sms", params={"fallback": True}, throttle_minutes=0)
        assert escalate(chain)["data"]["channels_used"] == ["chatwork"]
        chain.breaks("error_status", "chatwork", status=401)
        assert escalate(chain)["data"]["channels_used"] == ["email"]
        assert chain.texts() == []
        (mail,) = chain.box.http.get("/_sandbox/mails").json()["mails"]
        assert "ChatWorkに送れなかったため" in str(mail)
        chain.box.mends()
        states = {one["system"]: one for one in chain.rows(OutsideState)}
        assert states["chatwork"]["last_error"] == "status_401"

    @sqlite_only
    def test_no_sms_at_night_unless_it_is_critical(self, chain: Chain, clock: ManualClock) -> None:
        clock.advance(timedelta(hours=10))  # 22:00 in Japan
        chain.rule("TEST_ALARM", "sms", throttle_minutes=0)
        found = escalate(chain)
        assert (found["code"], found["data"]["channels_used"], chain.texts()) == ("ESCALATION_TRIGGERED", [], [])
        assert attempts(chain) == [("alarm", "sms", "skipped", "quiet_hours")]
        chain.rule("TEST_ALARM", "sms", throttle_minutes=0, params={"quiet_hours": False})
        assert escalate(chain)["data"]["channels_used"] == ["sms"]
        chain.rule("TEST_ALARM", "sms", severity="critical", throttle_minutes=0)
        assert escalate(chain)["data"]["channels_used"] == ["sms"]
        clock.advance(timedelta(hours=9))  # 7:00
        chain.rule("TEST_ALARM", "sms", throttle_minutes=0)
        assert escalate(chain)["data"]["channels_used"] == ["sms"]


class TestRules:
    @sqlite_only
    @pytest.mark.row("4.4.45")
    def test_what_an_escalation_needs(self, chain: Chain) -> None:
        for payload, field in (({"summary": "x"}, "rule_code"), ({"rule_code": "A"}, "summary"), ({}, "summary")):
            found = chain.call("notify.escalation", payload)
            assert found["code"] == "INVALID_REQUEST"
            assert field in [one["field"] for one in found["error"]["details"]["field_errors"]]
        assert escalate(chain, shop_id=99)["code"] == "INVALID_REQUEST"

    @sqlite_only
    def test_an_unknown_rule_is_refused_and_noted(self, chain: Chain) -> None:
        found = escalate(chain, "NOBODY_KNOWS_IT")
        assert (found["code"], found["error"]["details"]["field_errors"][0]["field"]) == (
            "INVALID_REQUEST",
            "rule_code",
        )
        assert [one["event_type"] for one in chain.rows(SysEvent)] == ["escalation_rule_unknown"]
        assert chain.rows(Ticket) == []

    @sqlite_only
    def test_an_inactive_or_snoozed_rule_only_makes_the_ticket(self, chain: Chain, clock: ManualClock) -> None:
        chain.rule("TEST_ALARM", "chatwork", active=0)
        found = escalate(chain)
        assert (found["code"], found["data"]["channels_used"]) == ("ESCALATION_TRIGGERED", [])
        assert isinstance(found["data"]["ticket_id"], int)
        until = (clock.now() + timedelta(hours=1)).isoformat()
        chain.rule("TEST_ALARM", "chatwork", params={"snoozed_until": until})
        assert escalate(chain)["data"]["throttled"]
        clock.advance(timedelta(hours=1))
        assert escalate(chain)["data"]["channels_used"] == ["chatwork"]

    @sqlite_only
    def test_rules_that_came_with_the_product(self, chain: Chain, tmp_path_factory: pytest.TempPathFactory) -> None:
        assert escalate(chain, "API_ERROR_CRITICAL")["data"]["channels_used"] == ["chatwork"]
        without = {"chatwork_room_id": None}
        with chain_of(chain.box, chain.db, tmp_path_factory.mktemp("quiet"), **without) as other:
            found = escalate(other, "STORES_AUTH_FAILED")
        assert (found["code"], found["data"]["channels_used"]) == ("ESCALATION_TRIGGERED", [])


class TestThrottle:
    @pytest.mark.row("4.4.49")
    def test_one_outage_is_one_alarm(self, chain: Chain, clock: ManualClock) -> None:
        chain.rule("TEST_ALARM", "chatwork")
        first = escalate(chain)["data"]
        later = [escalate(chain)["data"] for _ in range(4)]
        assert {one["ticket_id"] for one in later} == {first["ticket_id"]}
        assert all(one["throttled"] and one["channels_used"] == [] for one in later)
        assert len(chain.messages()) == 1
        assert [one["occurrences"] for one in chain.rows(Ticket)] == [5]
        clock.advance(timedelta(minutes=30))
        assert escalate(chain)["data"]["channels_used"] == ["chatwork"]
        assert len(chain.messages()) == 2

    def test_another_shop_component_or_rule_is_another_trouble(self, chain: Chain) -> None:
        for code in ("TEST_ALARM", "OTHER_ALARM"):
            chain.rule(code, "chatwork")
        escalate(chain)
        escalate(chain, "OTHER_ALARM")
        escalate(chain, shop_id=2)
        escalate(chain, shop_id=None)
        escalate(chain, details={"component": "Other"})
        assert len(chain.messages()) == len(chain.rows(Ticket)) == 5

    def test_a_closed_ticket_is_followed_by_a_new_one(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork")
        first = escalate(chain)["data"]["ticket_id"]
        closed = "UPDATE tickets SET status = 'closed', closed_at_utc = opened_at_utc"
        chain.execute(closed)
        second = escalate(chain)["data"]
        assert (second["ticket_id"] != first, second["channels_used"]) == (True, ["chatwork"])

    @sqlite_only
    def test_an_alarm_that_reached_nobody_is_tried_again_after_a_minute(self, chain: Chain, clock: ManualClock) -> None:
        chain.rule("TEST_ALARM", "chatwork")
        chain.breaks("error_status", "chatwork", status=403)
        assert escalate(chain)["code"] == "ESCALATION_FAILED"
        assert escalate(chain)["data"]["throttled"]
        chain.box.mends()
        clock.advance(timedelta(minutes=1))
        assert escalate(chain)["data"]["channels_used"] == ["chatwork"]


class TestByItself:
    @pytest.mark.row("4.6.2")
    def test_three_failures_in_a_row_are_one_alarm_and_one_all_clear(self, chain: Chain, clock: ManualClock) -> None:
        chain.parameter("stores_api_retry_count", 1)
        chain.breaks("error_status", status=500)
        for number in range(5):
            chain.call(("stores.list_reservations", "stores.get_customer")[number % 2])
            assert len(chain.messages()) == (1 if number >= 2 else 0)
        (ticket,) = chain.rows(Ticket)
        assert (ticket["rule_code"], ticket["title"]) == (
            "API_ERROR_CRITICAL",
            "STORES予約APIが3回連続で失敗しました。",
        )
        assert ticket["details_json"]["last_status_code"] == 500
        chain.box.mends()
        clock.advance(timedelta(seconds=30))
        assert [chain.call("stores.list_reservations")["status"] for _ in range(2)] == ["success"] * 2
        assert len(chain.messages()) == 2
        assert "STORES予約APIが復旧しました（失敗 5回）。" in chain.messages()[1]
        assert ("all_clear", "chatwork", "sent", None) in attempts(chain)
        (cleared,) = chain.rows(Ticket)
        assert (cleared["status"], cleared["all_clear_at_utc"]) == ("closed", clock.now())

    @sqlite_only
    def test_a_success_starts_the_count_again(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 0)
        for _ in range(3):
            chain.breaks("error_status", status=500, times=2)
            assert [chain.call("stores.list_reservations")["status"] for _ in range(3)] == ["error"] * 2 + ["success"]
        assert (chain.messages(), chain.rows(Ticket)) == ([], [])

    @sqlite_only
    def test_a_refused_token_is_told_at_once_and_once(self, chain: Chain) -> None:
        chain.breaks("error_status", status=401, token="tok_1")
        for _ in range(4):
            assert chain.call("stores.list_reservations")["code"] == "STORES_RESERVATIONS_LOOKUP_FAILED"
        assert [one["rule_code"] for one in chain.rows(Ticket)] == ["STORES_AUTH_FAILED"]
        assert len(chain.messages()) == 1
        chain.box.mends()
        chain.call("stores.list_reservations")
        assert len(chain.messages()) == 2

    @pytest.mark.found("24.C14")
    @pytest.mark.row("8.D.4")
    def test_the_all_clear_closes_the_ticket_of_its_own_cause_alone(self, chain: Chain, clock: ManualClock) -> None:
        """Somebody at the door has reported something else under the same rule, for the same shop."""
        chain.parameter("stores_api_retry_count", 0)
        by_hand = escalate(chain, "API_ERROR_CRITICAL", details={"component": "StoresGateway"})["data"]["ticket_id"]
        chain.breaks("error_status", status=500)
        for _ in range(3):
            chain.call("stores.list_reservations")
        found = {row["id"]: row["status"] for row in chain.rows(Ticket)}
        assert len(found) == 2, "what was asked for and what was found are two troubles"
        chain.box.mends()
        clock.advance(timedelta(seconds=30))
        chain.call("stores.list_reservations")
        (other,) = (row for row in chain.rows(Ticket) if row["id"] != by_hand)
        (manual,) = (row for row in chain.rows(Ticket) if row["id"] == by_hand)
        assert (other["status"], other["closed_by"]) == ("closed", "system")
        assert (manual["status"], manual["all_clear_at_utc"]) == ("open", None)
        assert ["復旧" in one for one in chain.messages()] == [False, False, True]

    @pytest.mark.found("24.C14")
    @sqlite_only
    def test_stores_that_breaks_again_within_the_half_hour_has_the_same_ticket(
        self, chain: Chain, clock: ManualClock
    ) -> None:
        chain.parameter("stores_api_retry_count", 0)
        for minutes in (1, 29):
            chain.breaks("error_status", status=500)
            for _ in range(3):
                chain.call("stores.list_reservations")
            chain.box.mends()
            clock.advance(timedelta(minutes=minutes))
            chain.call("stores.list_reservations")
        assert [row["status"] for row in chain.rows(Ticket)] == ["closed"]
        assert ["復旧" in one for one in chain.messages()] == [False, True]

    @sqlite_only
    def test_escalating_never_escalates(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 0)
        chain.faults(*({"kind": "error_500_before", "endpoint": one} for one in ("stores", "chatwork")))
        for _ in range(4):
            found = chain.call("stores.list_reservations")
            assert found["code"] == "STORES_RESERVATIONS_LOOKUP_FAILED"
        assert len(chain.rows(Ticket)) == 1
        assert len(chain.seen("chatwork")) == 1


class TestWords:
    @pytest.mark.found("24.C14")
    @sqlite_only
    def test_an_alarm_leads_to_its_ticket_and_names_no_part_of_the_program(self, chain: Chain) -> None:
        chain.rule("API_ERROR_CRITICAL", "chatwork", "email", "sms", severity="critical")
        chain.parameter("stores_api_retry_count", 0)
        chain.breaks("error_status", status=500)
        for _ in range(3):
            chain.call("stores.list_reservations")
        (ticket,) = chain.rows(Ticket)
        link = f"http://127.0.0.1:1/admin/tickets/{ticket['id']}"
        (message,) = chain.messages()
        assert message.startswith("[info][title]【重大】STORES予約につながりません[/title]STORES予約APIが3回連続で")
        assert f"くわしく：{link}\n" in message
        assert all(word in message for word in ("店舗：ngy1", "影響：", "いつから：2025/08/16 12:00", "すること："))
        (text,) = chain.texts()
        assert text["body"].endswith(f" {link}")
        (mail,) = chain.box.mails()
        assert link in str(mail)
        chain.box.mends()
        for said in (message, text["body"], str(mail.get("text", mail))):
            assert not [one for one in ("StoresGateway", "API_ERROR_CRITICAL", "stores.list") if one in said]

    @sqlite_only
    def test_nobody_is_rung_by_an_inserted_text_and_nobody_is_named(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork", "email", "sms", severity="critical")
        summary = "[toall] [To:1] taro@example.com\n090-1234-9999 が入れません"
        details = {"customer_name": "山田 太郎", "phone": 9012349999, "component": "A.b", "stores_customer_id": "123"}
        escalate(chain, summary=summary, details=details)
        (message,) = chain.messages()
        assert "［toall］ ［To:1］" in message
        (ticket,) = chain.rows(Ticket)
        assert ticket["details_json"] == {
            "customer_name": "***",
            "phone": "***",
            "component": "A.b",
            "stores_customer_id": "123",
        }
        told = f"{message} {chain.texts()} {ticket} {chain.box.http.get('/_sandbox/mails').json()}"
        assert not [secret for secret in ("taro@example.com", "1234-9999", "9012349999", "山田 太郎") if secret in told]
