"""Who gets in at STORES, and what the control API takes."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

Client = httpx2.Client


class TestAgents:
    @pytest.mark.parametrize("agent", ["python-requests/2.32", "Python-urllib/3.12", "python-httpx/0.28", "PYTHON-X"])
    def test_libraries_get_a_page_in_place_of_json(self, stores: Client, agent: str) -> None:
        answer = stores.get("/customers", headers={"user-agent": agent})
        assert answer.status_code == 403
        assert answer.headers["content-type"].startswith("text/html")
        assert "1010" in answer.text

    def test_the_check_can_be_switched_off(self, control: Client, stores: Client) -> None:
        control.put("/_sandbox/stores/behaviour", json={"user_agent_check": False}).raise_for_status()
        assert stores.get("/customers", headers={"user-agent": "python-requests/2.32"}).status_code == 200

    def test_a_refused_agent_is_listed_too(self, stores: Client, requests_to: Callable[[str], list[Any]]) -> None:
        stores.get("/customers", headers={"user-agent": "python-x"})
        assert [(row["headers"]["user-agent"], row["status"]) for row in requests_to("stores")] == [("python-x", 403)]


class TestTokens:
    def test_unknown_ones_are_refused(self, control: Client, stores: Client) -> None:
        for header in ("", "Bearer tok_9", "Basic tok_1", "tok_1"):
            answer = stores.get("/customers", headers={"authorization": header})
            assert (answer.status_code, answer.json()) == (401, {"errors": [{"message": "Unauthorized"}]}), header
        control.put("/_sandbox/stores/behaviour", json={"unknown_token": 403}).raise_for_status()
        assert stores.get("/customers", headers={"authorization": "Bearer tok_9"}).status_code == 403

    def test_without_data_there_is_no_token(self, calling: Callable[..., Client]) -> None:
        assert calling("/reserve/202101", authorization="Bearer tok_1").get("/customers").status_code == 401

    def test_a_token_that_is_taken_away(self, control: Client, stores: Client) -> None:
        control.delete("/_sandbox/stores/tokens/tok_1").raise_for_status()
        assert stores.get("/customers").status_code == 401

    def test_examples_with_tokens_of_the_caller(self, control: Client, calling: Callable[..., Client]) -> None:
        body = {"tokens": {"mc_1": "own-1", "mc_2": "own-2"}}
        loaded = control.post("/_sandbox/stores/examples", json=body).json()
        assert loaded == {"customers": 32, "reservations": 48, "tokens": 2}
        client = calling("/reserve/202101", authorization="Bearer own-2")
        assert client.get("/customers").json()["customers"][0]["merchant_canonical_id"] == "mc_2"
        both = control.post("/_sandbox/stores/examples", json={"tokens": {"mc_1": "one", "mc_2": "one"}}).json()
        assert both["tokens"] == 1
        for wrong in ({"mc_3": "x"}, {"mc_1": 1}, {"mc_1": ""}):
            assert control.post("/_sandbox/stores/examples", json={"tokens": wrong}).status_code == 400
        assert control.post("/_sandbox/stores/examples", json={"today": "tomorrow"}).status_code == 400


class TestTheLimit:
    def test_after_so_many_in_a_minute_each_token_has_to_wait(
        self, control: Client, stores: Client, calling: Callable[..., Client]
    ) -> None:
        control.put("/_sandbox/stores/behaviour", json={"requests_per_minute": 3}).raise_for_status()
        statuses = [stores.get("/customers/1001").status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        refused = stores.get("/customers/1001")
        assert refused.json() == {"errors": [{"message": "Too Many Requests"}]}
        assert "retry-after" not in refused.headers
        other = calling("/reserve/202101", authorization="Bearer tok_2")
        assert other.get("/customers/2001").status_code == 200
        control.post("/_sandbox/clock", json={"advance_seconds": 61}).raise_for_status()
        assert stores.get("/customers/1001").status_code == 200

    def test_there_is_none_by_default(self, stores: Client) -> None:
        assert {stores.get("/customers/1001").status_code for _ in range(70)} == {200}


class TestSteering:
    def test_a_record_is_put_changed_shown_and_deleted(self, control: Client, stores: Client) -> None:
        path = "/_sandbox/stores/customers/77"
        control.put(
            path, json={"merchant_canonical_id": "mc_1", "name": "新 人", "family_name": "新"}
        ).raise_for_status()
        changed = control.patch(path, json={"email": "shin@example.com"}).json()
        assert changed == control.get(path).json()
        shown = stores.get("/customers/77").json()["customer"]
        assert (shown["name"], shown["email"], shown["family_name"]) == ("新 人", "shin@example.com", "新")
        control.delete(path).raise_for_status()
        assert control.get(path).status_code == 404
        assert control.patch(path, json={"name": "x"}).status_code == 404
        assert stores.get("/customers/77").status_code == 404

    def test_a_change_moves_the_time_of_the_last_change(self, control: Client, stores: Client) -> None:
        path = "/_sandbox/stores/reservations/50001"
        before = control.get(path).json()
        control.patch(path, json={"status": "canceled_by_customer"}).raise_for_status()
        after = stores.get("/reservations/50001").json()["reservation"]
        assert after["status"] == "canceled_by_customer"
        assert after["booking_start"] == before["booking_start"]
        assert after["latest_changed_at"] != before["latest_changed_at"]
        fixed = {"latest_changed_at": "2026-01-01T00:00:00+09:00"}
        assert control.patch(path, json=fixed).json()["latest_changed_at"] == fixed["latest_changed_at"]

    def test_a_customer_who_leaves_keeps_the_reservations(self, control: Client, stores: Client) -> None:
        control.delete("/_sandbox/stores/customers/1001").raise_for_status()
        assert stores.get("/reservations/50001").json()["reservation"]["customer"] is None

    def test_everything_is_shown_and_emptied(self, control: Client, stores: Client) -> None:
        shown = control.get("/_sandbox/stores").json()
        assert (len(shown["customers"]), len(shown["reservations"])) == (32, 48)
        assert shown["tokens"] == {"tok_1": ["mc_1"], "tok_2": ["mc_2"]}
        assert shown["behaviour"] == control.get("/_sandbox/stores/behaviour").json()
        control.delete("/_sandbox/stores").raise_for_status()
        assert control.get("/_sandbox/stores").json()["customers"] == []
        assert stores.get("/customers").status_code == 401

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            ("customers/x", {"merchant_canonical_id": "mc_1"}),
            ("customers/0", {"merchant_canonical_id": "mc_1"}),
            ("customers/1", {}),
            ("customers/1", {"merchant_canonical_id": 1}),
            ("customers/1", {"merchant_canonical_id": "mc_1", "email": 1}),
            ("reservations/1", {"merchant_canonical_id": "mc_1", "booking_start": "2026-11-22T00:00:00"}),
            ("reservations/1", {"merchant_canonical_id": "mc_1", "booking_made_at": None}),
            ("tokens/t", {"merchants": "mc_1"}),
            ("tokens/t", {"merchants": [1]}),
            ("behaviour", {"other_merchants": "maybe"}),
            ("behaviour", {"unknown_token": 500}),
            ("behaviour", {"weather": "fine"}),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, control: Client, path: str, body: dict[str, Any]) -> None:
        assert control.put(f"/_sandbox/stores/{path}", json=body).status_code == 400
        shown = control.get("/_sandbox/stores").json()
        assert (shown["customers"], shown["reservations"], shown["tokens"]) == ([], [], {})

    def test_behaviour_that_is_left_out_goes_back(self, control: Client) -> None:
        control.put("/_sandbox/stores/behaviour", json={"unknown_token": 403, "total": 5}).raise_for_status()
        assert control.put("/_sandbox/stores/behaviour", json={"total": 0}).json() == {
            "other_merchants": "not_found",
            "unknown_token": 401,
            "requests_per_minute": None,
            "user_agent_check": True,
            "phone_filter": "exact",
            "email_filter": "substring",
            "ids": "right",
            "total": 0,
        }
