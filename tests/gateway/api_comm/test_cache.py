"""One request asks the same thing once, and never gets what another request or another shop has asked."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.concurrency.threads import at_once
from tests.factories.chain import Chain, new_request_id
from tests.product_fixtures import sqlite_only
from tsudoi.gateway.api_comm.cache import CacheKey, RequestCache
from tsudoi.gateway.api_comm.results import OperationResult

CONTACT = "stores.resolve_customer_by_contact"


@sqlite_only
class TestCalls:
    @pytest.mark.row("4.3.9", "4.3.10", "4.3.11")
    def test_the_same_question_of_the_same_request_is_asked_once(self, chain: Chain) -> None:
        chain.customer(101, email="user@example.com")
        mine = new_request_id()
        same: list[dict[str, Any]] = [
            {"email": "user@example.com", "phone_number": None, "name": "山田"},
            {"phone_number": None, "email": " USER@Example.com "},
            {"allow_multi_match": True, "email": "user@example.com", "merchant_canonical_id": None},
        ]
        found = [chain.call(CONTACT, payload, request_id=mine) for payload in same]
        assert [one["meta"]["cached"] for one in found] == [False, True, True]
        assert found[0]["data"] == found[1]["data"] == found[2]["data"]
        assert len(chain.seen()) == 1

    @pytest.mark.row("4.3.10", "4.3.12")
    def test_anything_else_is_asked(self, chain: Chain) -> None:
        mine = new_request_id()
        chain.call(CONTACT, {"email": "user@example.com"}, request_id=mine)
        others: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
            (CONTACT, {"email": "user@example.com"}, {"request_id": mine, "shop_id": 2}),
            (CONTACT, {"email": "other@example.com"}, {"request_id": mine}),
            (CONTACT, {"email": "user@example.com", "phone_number": "0312345678"}, {"request_id": mine}),
            ("stores.list_reservations", {}, {"request_id": mine}),
            (CONTACT, {"email": "user@example.com"}, {"request_id": new_request_id()}),
            (CONTACT, {"email": "user@example.com"}, {"request_id": None}),
            (CONTACT, {"email": "user@example.com"}, {"request_id": None}),
        ]
        found = [chain.call(operation, payload, **more) for operation, payload, more in others]
        assert not any(one["meta"]["cached"] for one in found)
        assert len({one["meta"]["request_id"] for one in found[-2:]}) == 2
        assert len(chain.seen()) == 1 + len(others)

    @pytest.mark.row("4.3.9")
    def test_at_the_same_moment_too(self, chain: Chain) -> None:
        chain.breaks("slow", seconds=0.3)
        mine = new_request_id()
        found = at_once(6, lambda _: chain.call("stores.list_reservations", request_id=mine))
        assert sorted(one["meta"]["cached"] for one in found) == [False] + [True] * 5
        assert len(chain.seen()) == 1
        assert chain.api._cache._turns == {}

    def test_nobody_and_a_rate_limit_are_remembered_and_a_failure_is_not(self, chain: Chain) -> None:
        mine = new_request_id()
        asked = [chain.call("stores.get_customer", request_id=mine)["meta"]["cached"] for _ in range(2)]
        assert asked == [False, True]
        chain.breaks("error_status", status=429)
        asked = [chain.call("stores.list_reservations", request_id=mine)["meta"]["cached"] for _ in range(2)]
        assert asked == [False, True]
        chain.breaks("error_status", status=400)
        asked = [chain.call("stores.get_reservation", request_id=mine)["meta"]["cached"] for _ in range(2)]
        assert asked == [False, False]

    def test_a_caller_cannot_change_what_the_next_one_gets(self, chain: Chain) -> None:
        chain.customer(101)
        mine = new_request_id()
        first = chain.call("stores.get_customer", request_id=mine)
        first["data"]["customer"]["name"] = "changed"
        second = chain.call("stores.get_customer", request_id=mine)
        second["data"]["customer"].clear()
        assert chain.call("stores.get_customer", request_id=mine)["data"]["customer"]["name"] == "客 101"

    def test_a_request_that_is_over_is_forgotten(self, chain: Chain) -> None:
        mine = new_request_id()
        chain.call("stores.list_reservations", request_id=mine)
        chain.api.forget(mine)
        assert not chain.call("stores.list_reservations", request_id=mine)["meta"]["cached"]


class TestMemory:
    def test_it_is_bounded_in_number_and_time(self) -> None:
        now = [0.0]
        cache = RequestCache(most=3, seconds=300, clock=lambda: now[0])
        keys = [CacheKey("r", number, "op", "{}") for number in range(4)]
        for key in keys:
            cache.put(key, OperationResult("A", data={"n": key.shop_id}))
        assert [cache.get(key) is not None for key in keys] == [False, True, True, True]
        now[0] = timedelta(minutes=5).total_seconds()
        assert cache.get(keys[3]) is None
        assert len(cache) == 0

    @settings(max_examples=200, deadline=None)
    @given(
        some.lists(
            some.tuples(
                some.sampled_from(["r1", "r2"]),
                some.sampled_from([1, 2, None]),
                some.sampled_from(["a", "b"]),
                some.sampled_from(["{}", '{"x":1}']),
                some.booleans(),
                some.integers(0, 120),
            ),
            max_size=40,
        )
    )
    def test_it_never_crosses_requests_shops_operations_or_payloads(
        self, steps: list[tuple[str, int | None, str, str, bool, int]]
    ) -> None:
        now = [0.0]
        cache = RequestCache(most=5, seconds=300, clock=lambda: now[0])
        model: dict[CacheKey, tuple[float, int]] = {}
        for number, (request_id, shop_id, operation, payload, writes, pause) in enumerate(steps):
            now[0] += pause
            key = CacheKey(request_id, shop_id, operation, payload)
            if writes:
                cache.put(key, OperationResult("A", data={"n": number}))
                model[key] = (now[0], number)
            found = cache.get(key)
            if found is not None:
                assert key in model
                assert found.data == {"n": model[key][1]}
                assert now[0] - model[key][0] < 300
            assert len(cache) <= 5
