"""Where LINE posts its webhooks, and the check that somebody answers there."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from tsudoi.sandbox.errors import Detail, Refusal, invalid_body, not_found
from tsudoi.sandbox.line_api.exchange import Answer, Endpoint, Exchange
from tsudoi.sandbox.messages.complaints import is_reachable_url
from tsudoi.sandbox.webhook_log import Attempt
from tsudoi.sandbox.webhooks import Postman

URL_LENGTH = 500


def get_endpoint(exchange: Exchange) -> Answer:
    if exchange.world.webhook_url is None:
        raise not_found()
    return Answer({"endpoint": exchange.world.webhook_url, "active": exchange.world.webhook_active})


def set_endpoint(exchange: Exchange) -> Answer:
    exchange.world.webhook_url = _checked_url(exchange.json().get("endpoint"))
    return Answer()


async def test_endpoint(exchange: Exchange) -> Answer:
    """Without an address of its own the test goes to the one that is set, with no events in it."""
    body = exchange.json() if exchange.raw else {}
    given = body.get("endpoint")
    url = exchange.world.webhook_url if given is None else _checked_url(given)
    if url is None:
        raise Refusal(400, "Webhook endpoint is not set")
    postman: Postman = exchange.request.app.state.postman
    attempt = await postman.post(postman.envelope([]), note="test", url=url)
    return Answer(_report(attempt))


def _report(attempt: Attempt) -> dict[str, Any]:
    """Zero stands for an answer that never came."""
    status = attempt.status or 0
    detail = f"{status} {HTTPStatus(status).phrase}" if status in {s.value for s in HTTPStatus} else str(status)
    moment = datetime.fromtimestamp(attempt.at / 1000, UTC).isoformat(timespec="milliseconds")
    return {
        "success": attempt.error is None,
        "timestamp": moment.replace("+00:00", "Z"),
        "statusCode": status,
        "reason": "OK" if attempt.error is None else attempt.error.upper(),
        "detail": detail if status else "No response was received",
    }


def _checked_url(url: Any) -> str:
    if not is_reachable_url(url, URL_LENGTH):
        raise invalid_body([Detail("endpoint", "Must be a valid HTTPS URL")])
    return str(url)


ENDPOINTS = [
    Endpoint("GET", "/v2/bot/channel/webhook/endpoint", "webhook_endpoint", get_endpoint),
    Endpoint("PUT", "/v2/bot/channel/webhook/endpoint", "webhook_endpoint", set_endpoint),
    Endpoint("POST", "/v2/bot/channel/webhook/test", "webhook_endpoint", test_endpoint),
]
