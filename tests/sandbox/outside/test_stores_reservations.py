from datetime import datetime
from typing import Any

import httpx2
import pytest

Client = httpx2.Client
RESERVATIONS = "/_sandbox/stores/reservations"
FIELDS = {
    *("canonical_id", "booking_service_canonical_id", "booking_service_name", "booking_start", "checkout_at"),
    *("latest_changed_at", "checked_in_at", "customer_name", "customer", "num_attendees", "questionnaires"),
    *("payment_method", "status", "merchant_canonical_id"),
}


@pytest.fixture
def empty(control: Client, stores: Client) -> Client:
    """Shop 1 with its customers and without any reservation."""
    for number in [one["canonical_id"] for one in control.get("/_sandbox/stores").json()["reservations"]]:
        control.delete(f"{RESERVATIONS}/{number}").raise_for_status()
    return stores


def put(control: Client, number: int, **fields: Any) -> dict[str, Any]:
    answer = control.put(f"{RESERVATIONS}/{number}", json={"merchant_canonical_id": "mc_1", **fields})
    assert answer.status_code == 200, answer.text
    kept: dict[str, Any] = answer.json()
    return kept


def found(stores: Client, **query: Any) -> list[int]:
    answer = stores.get("/reservations", params=query)
    assert answer.status_code == 200, answer.text
    return [one["canonical_id"] for one in answer.json()["reservations"]]


class TestTheList:
    def test_a_reservation_has_the_fields_of_stores(self, stores: Client) -> None:
        body = stores.get("/reservations").json()
        assert body["pagination"] == {"page": 1, "total": 2}
        assert all(set(one) == FIELDS for one in body["reservations"])
        first = body["reservations"][0]
        assert set(first["payment_method"]) == {"name", "used_products"}
        assert first["booking_start"].endswith("+09:00")
        assert {"canonical_id", "name", "profile_fields"} <= set(first["customer"])

    def test_examples_have_every_status_and_sometimes_no_questionnaire(self, stores: Client) -> None:
        rows = [one for page in (1, 2) for one in stores.get(f"/reservations?page={page}").json()["reservations"]]
        assert {one["status"] for one in rows} == {"accepted", "pending", "canceled_by_host", "canceled_by_customer"}
        assert {type(one["questionnaires"]) for one in rows} == {list, type(None)}
        assert len({one["booking_service_canonical_id"] for one in rows}) < len(rows)

    def test_the_day_moves_the_dates_and_nothing_else(self, control: Client, stores: Client) -> None:
        before = stores.get("/reservations/50001").json()["reservation"]
        control.post("/_sandbox/stores/examples", json={"today": "2026-11-21"}).raise_for_status()
        after = stores.get("/reservations/50001").json()["reservation"]
        moved = datetime.fromisoformat(after["booking_start"]) - datetime.fromisoformat(before["booking_start"])
        assert moved.total_seconds() == 86400
        assert {name for name in before if before[name] != after[name]} == {
            *("booking_start", "checkout_at", "latest_changed_at"),
        } | ({"checked_in_at"} if before["checked_in_at"] else set())


class TestFilters:
    def test_times_are_moments_whatever_their_offset(self, control: Client, empty: Client) -> None:
        put(control, 1, booking_start="2026-11-22T00:00:00+09:00")
        put(control, 2, booking_start="2026-11-22T23:59:59+09:00")
        put(control, 3, booking_start="2026-11-23T00:00:01+09:00")
        window = {"booking_start_from": "2026-11-22T00:00:00+09:00", "booking_start_to": "2026-11-23T00:00:00+09:00"}
        assert found(empty, **window) == [1, 2]
        assert found(empty, booking_start_from="2026-11-22T15:00:01+00:00") == [3]

    def test_when_it_was_made(self, control: Client, empty: Client) -> None:
        put(control, 1, booking_made_at="2026-11-01T10:00:00+09:00")
        put(control, 2, booking_made_at="2026-11-05T10:00:00+09:00")
        assert found(empty, booking_made_from="2026-11-02T00:00:00+09:00") == [2]
        assert found(empty, booking_made_to="2026-11-02T00:00:00+09:00") == [1]

    def test_by_status_also_one_that_is_new(self, control: Client, empty: Client) -> None:
        put(control, 1)
        put(control, 2, status="waiting_for_moon")
        assert found(empty, status="accepted") == [1]
        assert found(empty, status="waiting_for_moon") == [2]
        assert found(empty, status="none_of_them") == []

    def test_by_shop(self, control: Client, empty: Client) -> None:
        put(control, 1)
        control.put(f"{RESERVATIONS}/2", json={"merchant_canonical_id": "mc_2"}).raise_for_status()
        assert found(empty) == [1]
        assert found(empty, merchant_canonical_ids="mc_2") == []

    def test_sorted(self, control: Client, empty: Client) -> None:
        put(control, 1, booking_made_at="2026-11-03T10:00:00+09:00", booking_start="2026-11-20T10:00:00+09:00")
        put(control, 2, booking_made_at="2026-11-01T10:00:00+09:00", booking_start="2026-11-21T10:00:00+09:00")
        assert found(empty) == [1, 2]
        assert found(empty, sort="booking_made_asc") == [2, 1]
        assert found(empty, sort="booking_start_desc") == [2, 1]

    @pytest.mark.parametrize(
        "query",
        [
            {"booking_start_from": "2026-11-22T00:00:00"},
            {"booking_start_to": "soon"},
            # A plus sign that was not encoded arrives as a blank.
            {"booking_made_from": "2026-11-22T00:00:00 09:00"},
            {"sort": "by_heart"},
            {"page": "two"},
        ],
    )
    def test_what_makes_no_sense_is_refused(self, stores: Client, query: dict[str, str]) -> None:
        answer = stores.get("/reservations", params=query)
        assert answer.status_code == 400
        assert list(answer.json()) == ["errors"]


class TestTheDetail:
    def test_is_the_same_as_in_the_list(self, stores: Client) -> None:
        listed = stores.get("/reservations").json()["reservations"][3]
        assert stores.get(f"/reservations/{listed['canonical_id']}").json() == {"reservation": listed}

    def test_follows_the_person(self, control: Client, empty: Client) -> None:
        put(control, 1, customer_canonical_id=1001)
        control.patch("/_sandbox/stores/customers/1001", json={"name": "山田 改名"}).raise_for_status()
        shown = empty.get("/reservations/1").json()["reservation"]
        assert (shown["customer_name"], shown["customer"]["name"]) == ("山田 改名", "山田 改名")

    def test_shows_what_a_test_puts_into_it(self, control: Client, empty: Client) -> None:
        put(
            control, 1, customer_canonical_id=1001, customer_name="花子", customer={"birthday": "x"}, memo=[1, {"a": 2}]
        )
        shown = empty.get("/reservations/1").json()["reservation"]
        assert (shown["customer_name"], shown["customer"], shown["memo"]) == ("花子", {"birthday": "x"}, [1, {"a": 2}])
        assert "customer_canonical_id" not in shown
        assert "booking_made_at" not in shown

    def test_of_nobody(self, control: Client, empty: Client) -> None:
        put(control, 1)
        shown = empty.get("/reservations/1").json()["reservation"]
        assert (shown["customer_name"], shown["customer"]) == ("", None)
        assert empty.get("/reservations/2").status_code == 404
