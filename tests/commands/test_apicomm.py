"""`tsudoi apicomm` and `tsudoi connectivity`, as an operator types them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.factories.chain import Chain, chain_of, new_request_id, prepare
from tests.factories.product import Box
from tests.factories.terminal import Done, Terminal
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import Database

pytestmark = sqlite_only

NAMES = [
    "stores.resolve_customer_by_contact",
    "stores.resolve_customer_by_line_user",
    "stores.get_customer",
    "stores.list_reservations",
    "stores.get_reservation",
    "remotelock.get_key_info_stub",
    "notify.escalation",
    "system.check_connectivity",
]
REQUEST = {"request_id": None, "channel": "help", "actor_type": "customer", "shop_id": 1}
NEEDED = ("stores_api_base", "chatwork_api_base", "sms_api_base", "sms_account", "sms_from", "openai_api_base")
SECRET = ("chatwork_api_token", "sms_token", "openai_api_key", "shop_secrets_keys", "line_channel_access_token")


class Operator:
    """Types commands on the database of the chain."""

    def __init__(self, terminal: Terminal, chain: Chain, url: str) -> None:
        self._terminal, self.chain = terminal, chain
        plain = {name.upper(): str(getattr(chain.settings, name)) for name in (*NEEDED, "line_api_base")}
        secret = {name.upper(): getattr(chain.settings, name).get_secret_value() for name in SECRET}
        self.settings = {**plain, **secret, "DATABASE_URL": url}

    def __call__(self, *words: str, stdin: str = "", **more: str) -> Done:
        return self._terminal(*words, stdin=stdin, **{**self.settings, **more})

    def call(self, operation: str, payload: Any, **more: str) -> tuple[int, dict[str, Any]]:
        done = self("apicomm", "call", operation, "--request", json.dumps({**REQUEST, "payload": payload}), **more)
        (line,) = done.out.splitlines()
        return done.code, json.loads(line)


@pytest.fixture
def operator(
    db: Database,
    box: Box,
    database_url: str,
    tmp_path: Path,
    impatient: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Operator]:
    prepare(box, db)
    with chain_of(box, db, tmp_path) as chain:
        yield Operator(Terminal(tmp_path, monkeypatch, capsys), chain, database_url)


@pytest.mark.row("4.1.1")
def test_the_eight_operations(operator: Operator) -> None:
    done = operator("apicomm", "operations")
    assert (done.code, done.out.splitlines()) == (0, NAMES)


@pytest.mark.row("4.3.1", "4.3.2")
def test_a_call_prints_one_envelope_and_ends_with_its_status(operator: Operator) -> None:
    operator.chain.customer(101)
    code, found = operator.call("stores.get_customer", {"stores_customer_id": "101"})
    assert (code, found["code"]) == (0, "STORES_CUSTOMER_DETAIL_FOUND")
    code, found = operator.call("stores.nope", {})
    assert (code, found["code"]) == (1, "INVALID_REQUEST")
    for text in ("not json", "[]", "null", '"x"'):
        done = operator("apicomm", "call", "stores.get_customer", "--request", text)
        assert (done.code, json.loads(done.out)["code"]) == (1, "INVALID_REQUEST")
    done = operator("apicomm", "call")
    assert (done.code, done.out) == (1, "")
    assert "--request" in done.err


@pytest.mark.row("4.3.9", "4.3.11", "4.3.12")
def test_many_calls_in_one_process_share_what_their_request_has_asked(operator: Operator) -> None:
    mine = new_request_id()
    calls: list[Any] = [
        {
            "operation": "stores.get_customer",
            "request": {**REQUEST, "request_id": one, "payload": {"stores_customer_id": "101"}},
        }
        for one in (mine, mine, None, None)
    ]
    operator.chain.customer(101)
    lines = [json.dumps(one) for one in calls]
    done = operator("apicomm", "call", "--stdin", stdin="\n".join(lines) + "\n\n")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, [one["meta"]["cached"] for one in found]) == (0, [False, True, False, False])
    assert len(operator.chain.seen()) == 3
    done = operator("apicomm", "call", "--stdin", stdin="\n".join(["[]", "x", '{"operation": 5}', lines[0]]))
    codes = [json.loads(line)["code"] for line in done.out.splitlines()]
    assert (done.code, codes) == (1, ["INVALID_REQUEST"] * 3 + ["STORES_CUSTOMER_DETAIL_FOUND"])


@pytest.mark.row("4.3.30")
def test_without_a_database_the_envelope_says_so(operator: Operator) -> None:
    for url in ("postgresql://nobody@127.0.0.1:1/none", "sqlite:////nowhere/at/all.sqlite3"):
        code, found = operator.call("stores.get_customer", {"stores_customer_id": "101"}, DATABASE_URL=url)
        assert (code, found["code"]) == (1, "STORES_CUSTOMER_LOOKUP_FAILED")
        assert found["error"] == {"type": "system", "details": {"reason": "database", "retryable": True}}


@pytest.mark.row("4.4.56")
def test_connectivity_is_a_table_and_an_exit_code(operator: Operator) -> None:
    done = operator("connectivity")
    assert done.code == 0, done.out
    assert all(name in done.out for name in ("stores", "chatwork", "sms", "line", "openai", "remotelock", "HEALTH_OK"))
    assert operator("connectivity", OPENAI_API_KEY="").code == 1
    operator.chain.breaks("error_status", "chatwork", status=401)
    done = operator("connectivity")
    assert (done.code, "× fail" in done.out, "HEALTH_ERROR" in done.out) == (2, True, True)
