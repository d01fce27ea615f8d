"""What `ApiComm.call` costs above the bare client of STORES, and what a dead STORES costs once the breaker is open.

Both sides write the same row of the call log, one after the other in turns, so that what others do on the machine
meets both alike.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2

from bench.table import Row
from tests.factories.chain import chain_settings, make_shop
from tests.postgres import PostgresServer
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.schema import migrate
from tsudoi.gateway.api_comm.facade import ApiComm
from tsudoi.gateway.api_comm.policies import CallLimits
from tsudoi.gateway.call_log import CallOrigin, on_behalf_of
from tsudoi.gateway.clients.stores import StoresClient
from tsudoi.gateway.http import HttpGateway
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running
from tsudoi.shops.api_data.service import api_comm_for

TURNS, WARM, SHUT = 400, 40, 200
AGENT = {"user-agent": "bench"}
REQUEST = {"channel": "help", "actor_type": "customer", "shop_id": 1, "payload": {"stores_customer_id": "101"}}


def measure() -> list[Row]:
    config = SandboxConfig(
        port=0,
        channel_secret="bench",
        channel_access_token="bench",
        login_channel_id="1",
        liff_id="1-a",
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:1/liff/",
    )
    rows: list[Row] = []
    with running(config) as box, tempfile.TemporaryDirectory() as folder:
        rows += _on("SQLite FULL", box, folder, "")
        with PostgresServer.started(durable=True) as server, server.database() as url:
            rows += _on("PostgreSQL", box, folder, url)
    return rows


def _on(name: str, box: RunningSandbox, folder: str, url: str) -> list[Row]:
    settings = chain_settings(box, Path(folder), database_url=url)  # type: ignore[arg-type]
    migrate(settings.database)
    with ExitStack() as stack:
        db = open_database(settings.database, SystemClock())
        stack.callback(db.close)
        gateway = HttpGateway(db)
        stack.callback(gateway.close)
        db.write_now(lambda tx: make_shop(tx, 1))
        http = stack.enter_context(httpx2.Client(base_url=box.url, headers=AGENT, trust_env=False))
        http.delete("/_sandbox/stores").raise_for_status()
        http.put("/_sandbox/stores/tokens/tok_1", json={"merchants": ["mc_1"]}).raise_for_status()
        http.put("/_sandbox/stores/customers/101", json={"merchant_canonical_id": "mc_1"}).raise_for_status()
        api, client = api_comm_for(settings, db, gateway), StoresClient.of(settings, gateway)
        rows = [_overhead(name, api, client), _shut(name, api, http)]
        http.delete("/_sandbox/faults").raise_for_status()
        return rows


def _overhead(name: str, api: ApiComm, client: StoresClient) -> Row:
    policy = CallLimits({}).stores("help", once=False)
    origin = CallOrigin("bench", "help", "bench", 1, lambda _status: None)

    def bare() -> None:
        with on_behalf_of(origin):
            assert client.customer("tok_1", 101, policy).status == 200

    def called() -> None:
        assert api.call("stores.get_customer", REQUEST).succeeded

    ours, theirs = _in_turns(called, bare)
    more, cpu = (statistics.median(a - b for a, b in zip(ours[n], theirs[n], strict=True)) for n in (0, 1))
    return Row(
        f"ApiComm.call over the bare client, {name}",
        f"p50 {statistics.median(ours[0]):.2f} ms: {more:+.2f} ms, CPU {cpu:+.2f} ms",
        f"p50 {statistics.median(theirs[0]):.2f} ms",
        statistics.median(theirs[0]) / statistics.median(ours[0]),
        "< 1 ms more",
    )


def _shut(name: str, api: ApiComm, http: httpx2.Client) -> Row:
    fault = {"rules": [{"kind": "error_status", "status": 503, "endpoint": "stores"}]}
    http.put("/_sandbox/faults", json=fault).raise_for_status()
    result: Any = None
    for _ in range(10):
        result = api.call("stores.get_customer", REQUEST)
    assert result.error.details["reason"] == "circuit_open"
    times = sorted(_timed(lambda: api.call("stores.get_customer", REQUEST))[0] for _ in range(SHUT))
    told = f"p50 {statistics.median(times):.2f} p99 {times[int(SHUT * 0.99)]:.2f} ms"
    return Row(f"ApiComm.call while the breaker is open, {name}", told, aim="< 300 ms for the page")


Times = tuple[list[float], list[float]]


def _in_turns(first: Callable[[], None], second: Callable[[], None]) -> tuple[Times, Times]:
    """For each of both: the time by the clock, and that of the processor, which varies less on a busy machine."""
    for _ in range(WARM):
        first()
        second()
    pairs = [(_timed(first), _timed(second)) for _ in range(TURNS)]
    ours, theirs = [one for one, _ in pairs], [two for _, two in pairs]
    return ([one[0] for one in ours], [one[1] for one in ours]), (
        [two[0] for two in theirs],
        [two[1] for two in theirs],
    )


def _timed(action: Callable[[], object]) -> tuple[float, float]:
    started, used = time.perf_counter(), time.process_time()
    action()
    return (time.perf_counter() - started) * 1000, (time.process_time() - used) * 1000
