"""Time-outs and retries: which value acts, on which system, and what is never tried again."""

import time
from typing import Any

import pytest
from sqlalchemy import insert

from tests.factories.chain import STORES_OPERATIONS, Chain, chain_of
from tests.product_fixtures import sqlite_only
from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.core.db.interface import Tx
from tsudoi.gateway.api_comm.parameters import PARAMETERS
from tsudoi.shops.shop.models import OptionMaster, ShopOption

pytestmark = sqlite_only

ALARM = {"rule_code": "TEST_ALARM", "summary": "試験"}


def tries(chain: Chain, shop_id: int = 1) -> int:
    chain.forget()
    chain.call("stores.list_reservations", shop_id=shop_id)
    return len(chain.seen())


def seconds_of(chain: Chain, operation: str, payload: dict[str, Any]) -> float:
    started = time.monotonic()
    chain.call(operation, payload)
    return time.monotonic() - started


class TestOrder:
    @pytest.mark.row("4.2.1", "4.3.43", "4.3.44", "4.3.46")
    def test_shop_data_before_parameters_before_environment_before_default(
        self, chain: Chain, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        chain.parameter("stores_breaker_failures", 10)
        chain.breaks("error_status", status=500)
        assert tries(chain) == 3, "the default: two further attempts"
        folder = tmp_path_factory.mktemp("env")
        with chain_of(chain.box, chain.db, folder, api_retry_count=0) as other:
            assert tries(other) == 1, "the environment"
            other.parameter("api_retry_count", 1)
            assert tries(other) == 2, "sys_params for everybody"
            other.parameter("api_retry_count", 3, shop_id=1)
            assert (tries(other), tries(other, shop_id=2)) == (4, 2), "sys_params of the shop, for this shop alone"

            def choose(tx: Tx) -> None:
                option = {"id": 1, "option_code": "api_retry_count", "option_name": "再試行"}
                times = {"created_at": tx.now, "updated_at": tx.now}
                tx.execute(insert(OptionMaster).values(**option, **times))
                tx.execute(insert(ShopOption).values(shop_id=1, option_id=1, value=0, updated_at=tx.now))

            other.db.write_now(choose)
            assert tries(other) == 1, "the shop's own data"
            other.parameter("stores_api_retry_count", 1)
            assert tries(other) == 2, "what is written for STORES counts before what is written for all"

    @pytest.mark.row("4.3.43", "4.3.44")
    def test_stores_has_its_own_number_of_retries(self, chain: Chain) -> None:
        chain.parameter("stores_breaker_failures", 10)
        chain.breaks("error_status", status=500)
        chain.parameter("api_retry_count", 0)
        chain.parameter("stores_api_retry_count", 2)
        assert tries(chain) == 3
        chain.parameter("stores_api_retry_count", None)
        assert tries(chain) == 1

    def test_a_value_that_makes_no_sense_is_skipped_and_reported_once(self, chain: Chain) -> None:
        chain.breaks("error_status", status=500)
        chain.parameter("stores_api_retry_count", "many")
        chain.parameter("api_retry_count", 0)
        assert [tries(chain), tries(chain)] == [1, 1]
        ignored = [one["payload_json"] for one in chain.rows(SysEvent) if one["event_type"] == "parameter_ignored"]
        assert ignored == [{"key": "stores_api_retry_count", "source": "sys_params_global"}]


class TestTimeouts:
    @pytest.mark.row("4.3.40")
    def test_every_system_is_given_up_after_the_time(self, chain: Chain) -> None:
        chain.parameter("api_timeout_sec", 1)
        chain.parameter("api_retry_count", 0)
        chain.rule("TEST_ALARM", "chatwork")
        chain.faults(
            *(
                {"kind": "slow", "endpoint": one, "seconds": 8}
                for one in ("stores", "chatwork", "sms", "openai", "info")
            )
        )
        assert 1 <= seconds_of(chain, "stores.list_reservations", {}) < 6
        assert 1 <= seconds_of(chain, "notify.escalation", ALARM) < 6
        for target in ("stores", "chatwork", "sms", "line", "openai"):
            assert 1 <= seconds_of(chain, "system.check_connectivity", {"targets": [target]}) < 6, target

    @pytest.mark.row("4.3.42", "4.3.45")
    def test_stores_has_its_own_time(self, chain: Chain) -> None:
        chain.parameter("api_timeout_sec", 4)
        chain.parameter("stores_api_timeout_sec", 1)
        chain.parameter("stores_api_retry_count", 0)
        chain.rule("TEST_ALARM", "chatwork")
        chain.faults(*({"kind": "slow", "endpoint": one, "seconds": 2} for one in ("stores", "chatwork")))
        given_up = chain.call("stores.list_reservations")["error"]["details"]
        assert given_up["external_status_code"] is None
        assert chain.call("notify.escalation", ALARM)["data"]["channels_used"] == ["chatwork"]


class TestRetries:
    @pytest.mark.row("4.3.41", "4.3.45")
    def test_reads_of_other_systems_are_repeated_as_often_as_all_say(self, chain: Chain) -> None:
        chain.parameter("api_retry_count", 2)
        chain.parameter("stores_api_retry_count", 0)
        chain.faults(*({"kind": "error_500_before", "endpoint": one} for one in ("info", "openai", "chatwork", "sms")))
        chain.call("system.check_connectivity", {"targets": ["line", "openai", "chatwork", "sms"]})
        counts = {system: len(chain.seen(system)) for system in ("line", "openai", "chatwork", "twilio")}
        assert counts == {"line": 3, "openai": 3, "chatwork": 3, "twilio": 3}

    @pytest.mark.row("4.3.13", "4.3.14", "4.4.21")
    def test_a_rate_limit_is_told_and_never_tried_again(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 3)
        chain.link("101")
        chain.breaks("rate_limited", retry_after=30)
        for operation in STORES_OPERATIONS:
            chain.forget()
            found = chain.call(operation)
            assert (found["status"], found["code"]) == ("error", "STORES_RATE_LIMITED")
            assert found["error"]["type"] == "external_api"
            details = found["error"]["details"]
            assert (details["external_status_code"], details["retryable"], details["retry_after_sec"]) == (
                429,
                True,
                30,
            )
            assert len(chain.seen()) == 1

    def test_only_silence_and_trouble_of_the_server_are_tried_again(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 2)
        chain.parameter("stores_breaker_failures", 10)
        expected = {400: 1, 401: 1, 403: 1, 404: 1, 409: 1, 500: 3, 502: 3, 503: 3, 504: 3, 501: 1}
        for status, number in expected.items():
            chain.breaks("error_status", status=status)
            assert tries(chain) == number, status
        chain.breaks("drop_connection")
        assert tries(chain) == 3

    def test_a_message_that_may_have_been_sent_is_not_sent_again(self, chain: Chain) -> None:
        chain.parameter("api_retry_count", 3)
        chain.parameter("api_timeout_sec", 1)
        chain.rule("TEST_ALARM", "chatwork", "sms", throttle_minutes=0)
        for kind in ("error_500_after", "timeout_after_accept", "rate_limited"):
            chain.faults(*({"kind": kind, "endpoint": one, "seconds": 0} for one in ("chatwork", "sms")))
            chain.forget()
            chain.call("notify.escalation", ALARM)
            assert (len(chain.seen("chatwork")), len(chain.seen("twilio"))) == (1, 1), kind


@pytest.mark.row("4.3.47", "4.8.2")
def test_what_is_left_for_later_changes_nothing(chain: Chain) -> None:
    chain.customer(101)
    for key in ("stores_api_max_calls_per_request", "stores_api_read_only", "stores_customer_snapshot_ttl_min"):
        chain.parameter(key, 0)
        assert key not in {one.key for one in PARAMETERS}
    assert chain.call("stores.get_customer")["code"] == "STORES_CUSTOMER_DETAIL_FOUND"
