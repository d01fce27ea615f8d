"""The breaker of a shop: a dead STORES is not asked for a while, and one call finds out whether it is back."""

from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest

from tests.factories.chain import Chain
from tests.servers import eventually
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.clock import ManualClock
from tsudoi.gateway.api_comm.breaker import PROBE
from tsudoi.shops.secrets.models import ShopSecret


@pytest.fixture
def dead(chain: Chain) -> Chain:
    """STORES is dead for shop 1, and its breaker is open."""
    chain.parameter("stores_api_retry_count", 0)
    chain.breaks("error_status", status=503, token="tok_1")
    for _ in range(5):
        assert "reason" not in chain.call("stores.list_reservations")["error"]["details"]
    chain.forget()
    return chain


def asked(chain: Chain, **more: Any) -> bool:
    """Whether the call reached STORES."""
    before = len(chain.seen())
    chain.call("stores.list_reservations", **more)
    return len(chain.seen()) > before


def test_an_open_breaker_answers_at_once(dead: Chain) -> None:
    found = dead.call("stores.get_customer")
    assert (found["status"], found["code"]) == ("error", "STORES_CUSTOMER_LOOKUP_FAILED")
    details = {"reason": "circuit_open", "external_status_code": None, "retryable": True}
    assert found["error"] == {"type": "external_api", "details": details}
    assert dead.seen() == []
    assert asked(dead, shop_id=2), "the other shop is not concerned"


def test_one_call_tries_again_and_closes_it(dead: Chain, clock: ManualClock) -> None:
    clock.advance(timedelta(seconds=30))
    assert asked(dead)
    assert not asked(dead), "the probe failed, so that it is open again"
    clock.advance(timedelta(seconds=30))
    dead.box.mends()
    assert asked(dead)
    assert asked(dead)
    (state,) = (one for one in dead.rows(OutsideState) if one["shop_id"] == 1 and one["system"] == "stores")
    assert (state["failures_in_a_row"], state["open_until_utc"]) == (0, None)


def test_of_many_calls_at_once_one_is_the_probe(dead: Chain, clock: ManualClock) -> None:
    clock.advance(timedelta(seconds=30))
    dead.breaks("slow", seconds=1, token="tok_1")
    start, codes = Barrier(8), []

    def ask() -> None:
        start.wait()
        codes.append(dead.call("stores.list_reservations")["status"])

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["error"] * 7 + ["success"]
    assert len(dead.seen()) == 1


def test_a_probe_that_never_came_back_is_given_up(dead: Chain, clock: ManualClock) -> None:
    clock.advance(timedelta(seconds=30))
    data = dead.api._run["stores.get_customer"].__self__._watch.data  # type: ignore[attr-defined]
    assert data.take_probe(1, "stores", clock.now() + PROBE)
    assert not asked(dead)
    clock.advance(PROBE)
    assert asked(dead)


def test_a_refused_question_does_not_close_a_shop(chain: Chain) -> None:
    """Otherwise one odd address, typed six times, would keep everybody from their reservations."""
    chain.breaks("error_status", status=400)
    assert all(asked(chain) for _ in range(12))
    for status in (401, 403):
        chain.breaks("error_status", status=status)
        assert all(asked(chain) for _ in range(6))
    assert not [one for one in chain.rows(Ticket) if one["rule_code"] == "API_ERROR_CRITICAL" and one["shop_id"] != 1]


def test_the_office_sets_after_how_many_failures_and_for_how_long(chain: Chain, clock: ManualClock) -> None:
    chain.parameter("stores_api_retry_count", 0)
    chain.parameter("stores_breaker_failures", 2, shop_id=1)
    chain.parameter("stores_breaker_seconds", 300)
    chain.breaks("drop_connection")
    assert [asked(chain) for _ in range(3)] == [True, True, False]
    clock.advance(timedelta(seconds=299))
    assert not asked(chain)
    clock.advance(timedelta(seconds=1))
    assert asked(chain)


def test_a_person_who_tries_it_out_is_not_stopped_and_counts_nothing(dead: Chain) -> None:
    before = dead.rows(OutsideState)
    found = dead.call("stores.list_reservations", once=True)
    assert found["error"]["details"]["external_status_code"] == 503
    assert len(dead.seen()) == 1
    kept = ("failures_in_a_row", "open_until_utc")
    assert [[one[key] for key in kept] for one in dead.rows(OutsideState)] == [
        [one[key] for key in kept] for one in before
    ]
    dead.box.mends()
    assert dead.call("stores.list_reservations", once=True)["status"] == "success"
    assert asked(dead), "it works, so that everybody may ask again"


def test_a_success_writes_down_when_it_worked_at_most_once_a_minute(chain: Chain, clock: ManualClock) -> None:
    chain.call("stores.list_reservations")
    first = clock.now()
    eventually(lambda: [one["last_success_at_utc"] for one in chain.rows(OutsideState)] == [first])
    assert chain.rows(ShopSecret)[0]["last_used_at"] == first
    clock.advance(timedelta(seconds=59))
    chain.call("stores.list_reservations")
    clock.advance(timedelta(seconds=1))
    chain.call("stores.list_reservations")
    eventually(lambda: [one["last_success_at_utc"] for one in chain.rows(OutsideState)] == [clock.now()])
