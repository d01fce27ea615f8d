"""Checks the outside systems, because a person asks for it. Nothing checks them by itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import insert

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Unavailable
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.api_comm.facade import ApiComm
from tsudoi.gateway.api_comm.results import ApiCommRequest
from tsudoi.shops.connectivity.models import ConnectivityCheck
from tsudoi.shops.connectivity.schemas import CheckOutcome, health_code, target_results

_MESSAGES = {
    "HEALTH_OK": "すべて正常です。",
    "HEALTH_WARN": "注意が必要な接続先があります。",
    "HEALTH_ERROR": "疎通できない接続先があります。",
}


def check_now(runtime: Runtime, targets: Sequence[str] | None, actor: str) -> CheckOutcome:
    """Ask each system once. It blocks: a server calls it in a thread of its own."""
    payload = {} if targets is None else {"targets": list(dict.fromkeys(targets))}
    request = ApiCommRequest(channel="ai", actor_type="system", shop_id=None, payload=payload)
    found = runtime.part(ApiComm).call("system.check_connectivity", request, asked_by=actor)
    if found.data is None:
        raise Unavailable
    results = target_results(found.data)
    done = {"targets": list(results), "result": found.code}
    runtime.db.write_now(audit.record, actor, "CONNECTIVITY_CHECK", "connectivity", new=done)
    return CheckOutcome(
        code=health_code(found.code),
        message=_MESSAGES.get(found.code),
        results=results,
        request_id=found.meta.request_id,
    )


def note_check(tx: Tx, code: str, results: Mapping[str, Any], asked_by: str, request_id: str) -> None:
    tx.execute(
        insert(ConnectivityCheck).values(
            checked_at_utc=tx.now, code=code, results_json=dict(results), asked_by=asked_by, request_id=request_id
        )
    )
