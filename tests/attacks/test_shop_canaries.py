"""G17: the token of a shop pushed through every path; it may stand in no answer, log, table or channel."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import create_engine, inspect, text

from tests.factories.processes import SECRETS, Server, started
from tests.factories.product import ADMIN, PASSWORD, SHOP_KEYS
from tests.servers import browser
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running

TOKEN = "canary_token_of_a_shop_0815"
TYPED = "canary typed with spaces 4711"
RECIPIENTS = ("kanaria@example.jp", "090-4711-0815")


@pytest.fixture
def box() -> Iterator[RunningSandbox]:
    config = SandboxConfig(
        port=0,
        channel_secret=SECRETS["LINE_CHANNEL_SECRET"],
        channel_access_token=SECRETS["LINE_CHANNEL_ACCESS_TOKEN"],
        login_channel_id=SECRETS["LINE_LOGIN_CHANNEL_ID"],
        liff_id=SECRETS["LIFF_ID"],
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
    )
    with running(config) as found:
        yield found


@pytest.fixture
def server(tmp_path: Path, migrated_sqlite: Path, box: RunningSandbox) -> Iterator[Server]:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    settings = {"ADMIN_USERNAME": ADMIN, "ADMIN_PASSWORD": PASSWORD, "LOG_LEVEL": "DEBUG"}
    chatwork = {"CHATWORK_API_BASE": f"{box.url}/chatwork/v2", "CHATWORK_API_TOKEN": SandboxConfig.chatwork_api_token}
    bases = {
        "LINE_API_BASE": box.url,
        "STORES_API_BASE": f"{box.url}/reserve/202101",
        "SHOP_SECRETS_KEYS": SHOP_KEYS,
        "CHATWORK_ROOM_ID": "4711",
        **chatwork,
    }
    with started(tmp_path, "serve", **settings, **bases) as found:
        yield found


def live(office: httpx2.Client, control: httpx2.Client) -> str:
    """The way of a token, well and badly; gives everything that the office was told on it."""
    heard: list[str] = []

    def says(method: str, path: str, body: Any = None, **headers: str) -> httpx2.Response:
        answer = office.request(method, f"/api/admin{path}", json=body, headers=headers)
        heard.append(answer.text)
        return answer

    shop = says("POST", "/shops", {"code": "ngy1", "name": "栄", "merchant_canonical_id": "mc_1"}).json()["id"]
    secret = f"/shops/{shop}/secrets/STORES_API_TOKEN"
    for wrong in (TYPED, [TOKEN], {"a": TOKEN}, TOKEN + "\x00", TOKEN * 50):
        assert says("PUT", secret, {"value": wrong}).status_code == 400
    says("PUT", secret, {"value": TOKEN, "token": TOKEN})
    says("PUT", f"/shops/{shop}/secrets/{TOKEN}", {"value": TOKEN})
    says("PATCH", f"/shops/{shop}", {"token": TOKEN})
    assert says("PUT", secret, {"value": TOKEN}, **{"idempotency-key": "once"}).status_code == 200
    says("PUT", secret, {"value": TOKEN}, **{"idempotency-key": "once"})
    rules = [
        {"kind": "error_status", "endpoint": "stores", "status": status, "times": 1, "body": f"no: {TOKEN}"}
        for status in (401, 500, 403)
    ]
    for rule in [*rules, {"kind": "html_page", "endpoint": "stores", "body": TOKEN}, None]:
        control.put("/_sandbox/faults", json={"rules": [rule] if rule else []}).raise_for_status()
        says("POST", f"{secret}/test")
        says("POST", "/connectivity", {"targets": ["stores", "chatwork"]})
    stored = {"severity": "warn", "channels": ["email", "sms"], "email_to": RECIPIENTS[0], "sms_to": RECIPIENTS[1]}
    says("PUT", "/escalation-rules/API_ERROR_CRITICAL", stored)
    says("POST", "/escalation-rules/API_ERROR_CRITICAL/dry-run", {"shop_id": shop})
    for path in (
        "/shops",
        f"/shops/{shop}/secrets",
        "/calls",
        "/tickets",
        "/connectivity",
        "/audit-logs",
        "/sys-params",
    ):
        says("GET", path)
    for call in office.get("/api/admin/calls").json()["calls"]:
        says("GET", f"/calls/{call['id']}")
    return "".join(heard)


def tables(folder: Path) -> str:
    engine = create_engine(f"sqlite:///{folder / 'data' / 'tsudoi.sqlite3'}")
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        found = {name: connection.execute(text(f'SELECT * FROM "{name}"')).all() for name in names}
    engine.dispose()
    assert found["shop_secrets"]
    assert found["api_call_logs"]
    return str(found)


@pytest.mark.row("4.7.2", "4.7.3", "4.2.6")
def test_the_token_of_a_shop_stands_nowhere_but_at_stores(server: Server, box: RunningSandbox, tmp_path: Path) -> None:
    with browser(box.url) as control, server.client() as office:
        control.post("/_sandbox/stores/examples", json={"tokens": {"mc_1": TOKEN}}).raise_for_status()
        csrf = office.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
        office.headers["x-csrf-token"] = csrf
        heard = live(office, control)
        requests = control.get("/_sandbox/requests").json()["requests"]
        channels = control.get("/_sandbox/chatwork").text + control.get("/_sandbox/sms").text
    server.stop()
    kept, log = tables(tmp_path), server.said()
    assert '"event":"request"' in log, "the log was not talkative"
    places = {"answers": heard, "tables": kept, "log": log, "channels": channels}
    assert [name for name, said in places.items() if TOKEN in said or TYPED in said] == []
    masked = heard.replace(RECIPIENTS[0], "", 1).replace(RECIPIENTS[1], "", 1)
    assert [one for one in RECIPIENTS if one in log or one in masked] == []
    seen = [name for request in requests for name, value in request["headers"].items() if TOKEN in value]
    assert set(seen) == {"authorization"}
    assert {request["system"] for request in requests if TOKEN in str(request["headers"])} == {"stores"}
