"""Tries a stored secret, because a person asks for it."""

from tsudoi.core import audit
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.api_comm.facade import ApiComm
from tsudoi.gateway.api_comm.results import ApiCommRequest, ApiCommResult
from tsudoi.shops.secrets.schemas import SecretTest

_REFUSED = (401, 403)
_REASONS = {
    "token_missing": "トークンが登録されていません。",
    "merchant_not_configured": "STORESのマーチャントIDが登録されていません。",
    "token_unreadable": "登録されたトークンを読み取れません。もう一度登録してください。",
}


def try_token(runtime: Runtime, shop_id: int, key: str, actor: str) -> SecretTest:
    """Ask STORES once for the shop's reservations. It blocks: a server calls it in a thread of its own."""
    request = ApiCommRequest(channel="shop", actor_type="hq", shop_id=shop_id, payload={"page": 1})
    asked = runtime.part(ApiComm).call("stores.list_reservations", request, once=True, asked_by=actor)
    found = SecretTest(ok=asked.succeeded, code=asked.code, message=_message(asked), latency_ms=asked.meta.latency_ms)
    result = {"secret_name": key, "result": found.code}
    runtime.db.write_now(audit.record, actor, "SHOP_SECRET_TEST", f"shop:{shop_id}", new=result)
    return found


def _message(asked: ApiCommResult) -> str:
    """A sentence of ours. What STORES wrote is not shown, because it may repeat what it was sent."""
    if asked.error is None:
        return "STORES予約に接続できました。"
    details = asked.error.details
    status = details.get("external_status_code")
    if status in _REFUSED:
        return "STORES予約がこのトークンを受け付けませんでした。トークンとマーチャントIDを確認してください。"
    if asked.code == "STORES_RATE_LIMITED":
        return "STORES予約の利用回数の上限に達しています。時間をおいてお試しください。"
    if status is not None:
        return f"STORES予約がエラー（{status}）を返しました。時間をおいてお試しください。"
    return _REASONS.get(str(details.get("reason")), "STORES予約から応答がありませんでした。")
