"""`system.check_connectivity`: whether the outside systems answer, without telling anybody anything."""

from typing import Any
from unittest.mock import patch

import pytest

from tests.factories.chain import Chain, chain_of, chain_settings
from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.access import health
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.gateway.api_comm.system_health_gateway import judge
from tsudoi.gateway.clients.outside_answers import OutsideAnswer
from tsudoi.shops.connectivity.models import ConnectivityCheck

SYSTEMS = ("stores", "chatwork", "twilio", "line", "openai")
STUB = {"status": "stub", "message": "v1.4ではスタブモードです"}


def check(chain: Chain, *targets: str) -> dict[str, Any]:
    return chain.call("system.check_connectivity", {"targets": list(targets)} if targets else {})


@sqlite_only
class TestCheck:
    @pytest.mark.row("4.4.51", "4.4.52", "4.4.53", "4.4.54", "4.4.55", "4.3.49")
    def test_all_is_well_and_the_stub_lowers_nothing(self, chain: Chain) -> None:
        for number in (3, 4, 5):
            chain.add_shop(number)
        found = check(chain)
        assert (found["status"], found["code"], found["error"]) == ("success", "HEALTH_OK", None)
        assert list(found["data"]) == ["stores", "chatwork", "sms", "line", "openai", "remotelock"]
        assert found["data"].pop("remotelock") == STUB
        for one in found["data"].values():
            assert set(one) == {"status", "latency_ms", "message"}
            assert (one["status"], one["message"]) == ("ok", "正常に疎通しました")
            assert one["latency_ms"] >= 0
        seen = {system: chain.seen(system) for system in SYSTEMS}
        assert {system: len(requests) for system, requests in seen.items()} == dict.fromkeys(SYSTEMS, 1)
        assert {one["method"] for requests in seen.values() for one in requests} == {"GET"}
        (asked,) = seen["stores"]
        assert (asked["path"], asked["query"]) == (
            "/reserve/202101/reservations",
            {"page": "1", "merchant_canonical_ids": "mc_1"},
        )
        assert (chain.messages(), chain.texts(), chain.rows(Ticket)) == ([], [], [])
        assert chain.box.http.get("/_sandbox/counts").json()["mails"] == 0

    @pytest.mark.row("4.3.48", "4.4.53", "4.4.55")
    def test_a_failure_is_an_error_with_data_and_tells_nobody(self, chain: Chain) -> None:
        chain.parameter("stores_api_retry_count", 3)
        chain.breaks("error_status", status=500)
        found = check(chain)
        assert (found["status"], found["code"], found["error"]["type"]) == ("error", "HEALTH_ERROR", "external_api")
        assert found["data"]["stores"]["status"] == "fail"
        assert len(chain.seen()) == 1
        for _ in range(5):
            check(chain, "stores")
        assert (chain.messages(), chain.rows(Ticket)) == ([], [])
        assert chain.rows(ConnectivityCheck)[0]["code"] == "HEALTH_ERROR"
        assert chain.call("stores.list_reservations")["error"]["details"]["external_status_code"] == 500

    @pytest.mark.row("4.4.50")
    def test_only_what_was_asked_for(self, chain: Chain) -> None:
        assert list(check(chain, "line")["data"]) == ["line"]
        assert chain.seen() == []
        for bad in (["fax"], "line", [1], ["line", "fax"]):
            found = chain.call("system.check_connectivity", {"targets": bad})
            assert (found["code"], found["error"]["details"]["field_errors"][0]["field"]) == (
                "INVALID_REQUEST",
                "targets",
            )

    @pytest.mark.row("4.4.53")
    def test_what_is_not_configured_is_a_warning(self, chain: Chain, tmp_path_factory: pytest.TempPathFactory) -> None:
        names = ("chatwork_api_token", "sms_token", "openai_api_key", "line_channel_access_token")
        chain.execute("DELETE FROM shop_secrets")
        with chain_of(chain.box, chain.db, tmp_path_factory.mktemp("x"), **dict.fromkeys(names)) as bare:
            found = check(bare)
        assert (found["status"], found["code"]) == ("success", "HEALTH_WARN")
        assert {one["message"] for name, one in found["data"].items() if name != "remotelock"} == {"設定されていません"}
        assert not any(chain.seen(system) for system in SYSTEMS)

    def test_each_kind_of_trouble_at_each_system(self, chain: Chain) -> None:
        chain.parameter("api_retry_count", 0)
        places = {"stores": "stores", "chatwork": "chatwork", "sms": "sms", "openai": "openai", "info": "line"}
        kinds: list[tuple[dict[str, Any], str]] = [
            ({"kind": "rate_limited"}, "warn"),
            ({"kind": "error_500_before"}, "fail"),
            ({"kind": "drop_connection"}, "fail"),
        ]
        for kind, status in kinds:
            chain.faults(*({**kind, "endpoint": one} for one in places))
            found = check(chain)["data"]
            assert {found[name]["status"] for name in places.values()} == {status}, kind

    def test_the_shop_that_is_asked_for(self, chain: Chain) -> None:
        chain.parameter("stores_healthcheck_shop_id", 2)
        check(chain, "stores")
        chain.parameter("stores_healthcheck_shop_id", 77)
        check(chain, "stores")
        assert [one["query"]["merchant_canonical_ids"] for one in chain.seen()] == ["mc_2", "mc_1"]


@pytest.mark.row("4.4.53")
def test_how_an_answer_is_judged() -> None:
    cases: list[tuple[OutsideAnswer | None, int, str]] = [
        (OutsideAnswer(200, {}), 2_999, "ok"),
        (OutsideAnswer(200, {}), 3_000, "warn"),
        (OutsideAnswer(200, None, is_page=True), 10, "fail"),
        (OutsideAnswer(429, {}), 10, "warn"),
        (OutsideAnswer(401, {}), 10, "fail"),
        (OutsideAnswer(403, {}), 10, "fail"),
        (OutsideAnswer(503, {}), 10, "fail"),
        (OutsideAnswer(302), 10, "fail"),
        (OutsideAnswer(None, reason="ReadTimeout"), 10, "fail"),
        (None, 0, "warn"),
    ]
    assert [judge(answer, latency)["status"] for answer, latency, _ in cases] == [status for *_, status in cases]


@sqlite_only
@pytest.mark.row("4.3.50", "4.8.1", "4.1.10", "4.7.1")
def test_nothing_asks_stores_by_itself_and_nothing_is_reachable_over_http(
    make_product: ProductMaker, box: Box, chain: Chain
) -> None:
    settings = chain_settings(box, chain.settings.data_dir)
    wanted = ("stores_api_base", "chatwork_api_base", "chatwork_api_token", "shop_secrets_keys")
    product = make_product(**{name: getattr(settings, name) for name in wanted})
    chain.link("101")
    chain.forget()
    product.drain()
    for context in product.worker._runtime.part(_active_contexts()).contexts:
        for job in context.clockwork:
            job.job(product.runtime)
    with patch.object(health, "PROBE_AGAIN_SECONDS", 0):
        for _ in range(10):
            product.http.get("/readyz")
    assert chain.seen() == []
    paths = product.http.get("/api/openapi.json").json()["paths"]
    assert not [path for path in paths if "api_comm" in path or "apicomm" in path or "stores." in path]
    assert product.http.post("/api/apicomm/stores.get_customer", json={}).status_code == 404


def _active_contexts() -> Any:
    from tsudoi.access.registration import ActiveContexts  # noqa: PLC0415 (only this test needs the whole product)

    return ActiveContexts


@sqlite_only
def test_a_check_for_which_there_is_no_shop(box: Box, chain: Chain) -> None:
    chain.execute("UPDATE shops SET shop_status = 'closed'")
    assert check(chain, "stores")["data"]["stores"]["status"] == "warn"
