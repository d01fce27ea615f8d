"""The envelope: six keys whatever happens, and nothing is ever raised."""

import json
import time
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest

from tests.factories.chain import STORES_OPERATIONS, Chain, new_request_id
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import Tx
from tsudoi.gateway.api_comm.operations import OPERATIONS
from tsudoi.gateway.api_comm.results import ApiCommRequest
from tsudoi.gateway.clients.stores import StoresClient

pytestmark = sqlite_only

KEYS = {"status", "code", "message", "data", "error", "meta"}
PEOPLE = {"name": "山田 花子", "email": "canary@example.com", "phone_number": "09099998888", "token": "tok_1"}


def is_whole(found: dict[str, Any]) -> None:
    """Whatever the result is, it has this shape."""
    assert set(found) == KEYS
    assert set(found["meta"]) == {"request_id", "component", "latency_ms", "cached"}
    assert found["status"] in ("success", "error")
    assert (found["error"] is None) == (found["status"] == "success")
    if found["error"] is not None:
        assert set(found["error"]) == {"type", "details"}
        assert found["error"]["type"] in ("validation", "external_api", "system")
    assert found["message"] is None or isinstance(found["message"], str)
    assert isinstance(found["meta"]["latency_ms"], int)
    assert found["meta"]["latency_ms"] >= 0
    assert isinstance(found["meta"]["cached"], bool)
    UUID(found["meta"]["request_id"])
    json.dumps(found)


class TestShape:
    @pytest.mark.row("4.3.1", "4.3.27", "4.3.28", "4.3.29", "4.3.36", "4.3.38")
    def test_every_trouble_of_stores_is_an_envelope(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 0)
        chain.parameter("stores_api_timeout_sec", 1)
        chain.parameter("stores_breaker_failures", 10)
        chain.link("101")
        troubles: list[dict[str, Any]] = [
            *({"kind": "error_status", "status": status} for status in (400, 401, 404, 429, 500)),
            {"kind": "redirect"},
            {"kind": "html_page"},
            {"kind": "empty_body"},
            {"kind": "broken_json"},
            {"kind": "drop_connection"},
            {"kind": "slow", "seconds": 3},
        ]
        for trouble in troubles:
            chain.faults({"endpoint": "stores", **trouble})
            is_whole(chain.contact(email="user@example.com"))
        chain.box.mends()
        for operation in STORES_OPERATIONS:
            is_whole(chain.call(operation))

    @pytest.mark.row("4.3.2")
    def test_an_unknown_operation(self, chain: Chain) -> None:
        found = chain.call("stores.nope", {})
        is_whole(found)
        assert (found["code"], found["error"]["type"]) == ("INVALID_REQUEST", "validation")
        assert found["error"]["details"]["field_errors"][0]["field"] == "operation"

    @pytest.mark.row("4.3.3", "4.3.36")
    def test_the_names_of_the_components(self, chain: Chain) -> None:
        expected = {
            "stores.resolve_customer_by_contact": "StoresGateway.resolve_customer_by_contact",
            "stores.resolve_customer_by_line_user": "StoresGateway.resolve_customer_by_line_user",
            "stores.get_customer": "StoresGateway.get_customer",
            "stores.list_reservations": "StoresGateway.list_reservations",
            "stores.get_reservation": "StoresGateway.get_reservation",
            "remotelock.get_key_info_stub": "RemoteLockGateway.get_key_info_stub",
            "notify.escalation": "NotificationGateway.escalation",
            "system.check_connectivity": "SystemHealthGateway.check_connectivity",
        }
        assert {name: chain.call(name, {})["meta"]["component"] for name in OPERATIONS} == expected

    @pytest.mark.row("4.4.44", "4.1.9", "4.7.8")
    def test_the_stub_of_remote_lock_to_the_letter(self, chain: Chain) -> None:
        found = chain.call("remotelock.get_key_info_stub", {"anything": 1})
        is_whole(found)
        del found["meta"]
        assert found == {
            "status": "error",
            "code": "REMOTELOCK_STUB_MODE",
            "message": "v1.4ではRemoteLOCK API連携は実装されていません。",
            "data": None,
            "error": {"type": "external_api", "details": {"reason": "stub_only"}},
        }
        assert chain.calls() == []
        assert not [name for name in type(chain.settings).model_fields if "remote" in name]


class TestErrors:
    @pytest.mark.row("4.3.30", "4.3.32", "4.3.34")
    def test_the_status_of_stores_and_whether_it_is_worth_another_try(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 0)
        chain.parameter("stores_api_timeout_sec", 1)
        cases: list[tuple[dict[str, Any], int | None, bool]] = [
            *(({"kind": "error_status", "status": status}, status, True) for status in (500, 503, 429)),
            *(({"kind": "error_status", "status": status}, status, False) for status in (400, 401, 404)),
            ({"kind": "drop_connection"}, None, True),
            ({"kind": "slow", "seconds": 3}, None, True),
        ]
        for fault, status, retryable in cases:
            chain.faults({"endpoint": "stores", **fault})
            error = chain.call("stores.list_reservations")["error"]
            assert error["type"] == "external_api"
            assert (error["details"]["external_status_code"], error["details"]["retryable"]) == (status, retryable)
        bad = chain.call("stores.get_customer", {})["error"]
        assert (bad["type"], bad["details"]["retryable"]) == ("validation", False)

    @pytest.mark.row("4.3.30")
    def test_a_database_that_is_away(self, chain: Chain) -> None:
        chain.db.close()
        for operation in OPERATIONS:
            found = chain.call(
                operation, {"rule_code": "A", "summary": "b"} if operation.startswith("notify") else None
            )
            is_whole(found)
            if operation != "remotelock.get_key_info_stub":
                assert found["error"] == {"type": "system", "details": {"reason": "database", "retryable": True}}
                assert found["code"] == OPERATIONS[operation].failure_code

    def test_a_bug_of_ours(self, chain: Chain) -> None:
        with patch.object(StoresClient, "reservations", side_effect=RuntimeError("canary@example.com")):
            found = chain.call("stores.list_reservations")
        is_whole(found)
        assert found["error"] == {"type": "system", "details": {"reason": "internal", "retryable": False}}
        assert "canary" not in json.dumps(found)

    @pytest.mark.row("4.3.33", "4.3.39")
    def test_the_body_of_a_failure_is_masked(self, chain: Chain) -> None:
        bodies = [json.dumps({"errors": [{"message": " ".join(PEOPLE.values())}], **PEOPLE}), " ".join(PEOPLE.values())]
        for body in bodies:
            chain.breaks("error_status", status=500, body=body)
            found = chain.contact(email="user@example.com")
            assert found["error"]["details"]["external_body"]
            shown = json.dumps(found, ensure_ascii=False)
            assert not [value for value in PEOPLE.values() if value in shown]

    @pytest.mark.row("4.2.6")
    def test_nothing_holds_the_token(self, chain: Chain) -> None:
        chain.customer(101)
        request = ApiCommRequest("help", "customer", 1, {"stores_customer_id": "101"}, new_request_id())
        result = chain.api.call("stores.get_customer", request)
        assert result.code == "STORES_CUSTOMER_DETAIL_FOUND"
        facts = chain.api._run["stores.get_customer"].__self__._watch.data.shop(1)  # type: ignore[attr-defined]
        shown = [
            repr(request),
            repr(result),
            repr(facts),
            repr(chain.api._cache._entries),
            json.dumps(result.as_dict()),
        ]
        assert not [text for text in shown if "tok_1" in text]
        places = json.dumps(chain.seen())
        assert places.count("tok_1") == 1


class TestMeta:
    @pytest.mark.row("4.3.35", "4.4.5")
    def test_the_request_id_is_echoed_or_made(self, chain: Chain) -> None:
        mine = new_request_id()
        assert chain.call("stores.list_reservations", request_id=mine)["meta"]["request_id"] == mine
        made = chain.call("stores.list_reservations")["meta"]["request_id"]
        assert str(UUID(made)) == made
        assert [row["request_id"] for row in chain.calls()] == [mine, made]
        assert chain.call("stores.list_reservations", request_id="mine")["code"] == "INVALID_REQUEST"

    @pytest.mark.row("4.3.37")
    def test_the_time_of_this_call(self, chain: Chain) -> None:
        chain.breaks("slow", seconds=0.3)
        mine = new_request_id()
        assert 300 <= chain.call("stores.list_reservations", request_id=mine)["meta"]["latency_ms"] < 10_000
        started = time.monotonic()
        again = chain.call("stores.list_reservations", request_id=mine)
        assert again["meta"]["cached"]
        assert again["meta"]["latency_ms"] <= (time.monotonic() - started) * 1000 + 1


class TestRequest:
    @pytest.mark.row("4.4.1", "4.4.2", "4.4.3", "4.4.4", "4.4.6")
    def test_what_is_wrong_with_a_request_is_named(self, chain: Chain) -> None:
        cases: list[tuple[str, str, dict[str, Any]]] = [
            ("stores.list_reservations", "extra", {"extra": 1}),
            ("stores.list_reservations", "channel", {"channel": "fax"}),
            ("stores.list_reservations", "channel", {"channel": None}),
            ("stores.list_reservations", "actor_type", {"actor_type": "robot"}),
            ("stores.resolve_customer_by_line_user", "channel", {"channel": "help"}),
            ("stores.get_customer", "channel", {"channel": "cron"}),
            ("stores.get_customer", "actor_type", {"actor_type": "system"}),
            ("stores.resolve_customer_by_contact", "actor_type", {"actor_type": "hq"}),
            ("system.check_connectivity", "channel", {"channel": "cron"}),
            ("stores.list_reservations", "shop_id", {"shop_id": None}),
            ("stores.list_reservations", "shop_id", {"shop_id": 99}),
            ("stores.list_reservations", "shop_id", {"shop_id": "1"}),
            ("stores.list_reservations", "payload", {"payload": [1]}),
            ("stores.get_customer", "nickname", {"payload": {"stores_customer_id": "1", "nickname": "x"}}),
        ]
        for operation, field, change in cases:
            found = (
                chain.call(operation, **change)
                if "payload" not in change
                else chain.api.call(
                    operation,
                    {"channel": "help", "actor_type": "customer", "shop_id": 1, **change},
                ).as_dict()
            )
            is_whole(found)
            assert (found["code"], found["error"]["type"]) == ("INVALID_REQUEST", "validation"), (operation, change)
            assert field in [one["field"] for one in found["error"]["details"]["field_errors"]]
        assert chain.seen() == []

    @pytest.mark.row("4.4.6")
    def test_connectivity_needs_no_shop(self, chain: Chain) -> None:
        assert chain.call("system.check_connectivity", {"targets": ["remotelock"]})["code"] == "HEALTH_OK"

    def test_strange_requests_are_envelopes_too(self, chain: Chain) -> None:
        requests: list[Any] = [None, [], "x", 1, {}, {"payload": None}, {1: 2}]
        for strange in requests:
            is_whole(chain.api.call("stores.list_reservations", strange).as_dict())


class TestReadingOnly:
    @pytest.mark.row("4.1.8", "4.3.4", "4.2.3")
    def test_stores_hears_get_on_four_paths_and_each_call_has_a_row(self, chain: Chain) -> None:
        chain.link("101")
        chain.breaks("error_status", status=500, times=2)
        mine = new_request_id()
        for operation in STORES_OPERATIONS:
            chain.call(operation, request_id=mine)
        chain.call("system.check_connectivity", {"targets": ["stores"]})
        seen = chain.seen()
        paths = {"/reserve/202101/customers", "/reserve/202101/reservations"}
        details = {"/reserve/202101/customers/101", "/reserve/202101/reservations/501"}
        assert {one["method"] for one in seen} == {"GET"}
        assert {one["path"] for one in seen} == paths | details
        rows = chain.calls()
        assert len(rows) == len(seen)
        assert {row["request_id"] for row in rows[:-1]} == {mine}

    @pytest.mark.row("4.2.3")
    def test_a_row_says_on_whose_behalf_and_what_became_of_it(self, chain: Chain) -> None:
        chain.breaks("error_status", status=500, times=1)
        chain.call("stores.list_reservations", shop_id=2)
        chain.call("stores.get_customer")
        rows = [
            tuple(row[key] for key in ("channel", "component", "shop_id", "status_code", "error_code", "attempt"))
            for row in chain.calls()
        ]
        listing, detail = "StoresGateway.list_reservations", "StoresGateway.get_customer"
        assert rows == [
            ("help", listing, 2, 500, "STORES_RESERVATIONS_LOOKUP_FAILED", 1),
            ("help", listing, 2, 200, None, 2),
            ("help", detail, 1, 404, None, 1),
        ]


def test_a_token_that_was_sealed_for_another_shop_is_not_used(chain: Chain) -> None:
    def move(tx: Tx) -> None:
        tx.driver.execute("UPDATE shop_secrets SET v_enc = (SELECT v_enc FROM shop_secrets WHERE shop_id = 2)")

    chain.db.write_now(move)
    found = chain.call("stores.list_reservations")
    assert found["error"]["details"]["reason"] == "token_unreadable"
    assert chain.seen() == []
