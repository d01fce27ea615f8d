"""What every call to STORES shares: the token of the shop, its limit, and the agents that are turned away."""

import re
from datetime import datetime
from typing import Any

from starlette.responses import HTMLResponse, Response

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.outside import OutsideRequest, OutsideSystem, bearer_of
from tsudoi.sandbox.wire import OrjsonResponse, is_whole

PER_PAGE = 20
_LIBRARY_AGENT = re.compile(r"python-", re.IGNORECASE)
_BANNED = (
    "<!DOCTYPE html><html lang=en-US><head><title>Access denied</title></head>"
    "<body><h1>Access denied</h1><p>Error code 1010</p>"
    "<p>This website does not accept requests with the signature of your browser.</p></body></html>"
)


class BannedAgent(Refusal):
    """The firewall in front of STORES turns the caller away, with a page in place of JSON."""

    def __init__(self) -> None:
        super().__init__(403, "error 1010: this agent is banned", headers={"Server": "cloudflare"})


def _turn_away_libraries(request: OutsideRequest) -> None:
    agent = request.http.headers.get("user-agent", "")
    if request.world.stores.behaviour.user_agent_check and _LIBRARY_AGENT.match(agent):
        raise BannedAgent


def _authorize(request: OutsideRequest) -> None:
    account = request.world.stores
    if account.merchants_of(request.token) is None:
        status = account.behaviour.unknown_token
        raise Refusal(status, "Unauthorized" if status == 401 else "Forbidden")  # noqa: PLR2004 (as the switch says)
    if account.exceeds_limit(request.token, request.now):
        raise Refusal(429, "Too Many Requests")


def _refuse(refusal: Refusal) -> Response:
    if isinstance(refusal, BannedAgent):
        return HTMLResponse(_BANNED, refusal.status)
    return OrjsonResponse({"errors": [{"message": refusal.message}]}, refusal.status)


STORES = OutsideSystem("/reserve/202101", bearer_of, _authorize, _refuse, guard=_turn_away_libraries)


def merchants_of(request: OutsideRequest) -> list[str]:
    """The shops that the token sees, narrowed to those that the caller names."""
    seen = request.world.stores.merchants_of(request.token) or []
    named = request.query("merchant_canonical_ids")
    return seen if named is None else [each for each in seen if each in named.split(",")]


def moment_of(request: OutsideRequest, name: str) -> datetime | None:
    text = request.query(name)
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Refusal(400, f"{name} is invalid") from error
    if moment.tzinfo is None:
        raise Refusal(400, f"{name} is invalid")
    return moment


def page_of(request: OutsideRequest, found: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    """The pagination and the records of the page. `total` is the number of pages."""
    text = request.query("page") or "1"
    if not is_whole(text) or int(text) < 1:
        raise Refusal(400, "page is invalid")
    page, claimed = int(text), request.world.stores.behaviour.total
    total = -(-len(found) // PER_PAGE) if claimed is None else claimed
    pagination = {"page": page} if total == "missing" else {"page": page, "total": total}
    shown = found[(page - 1) * PER_PAGE : page * PER_PAGE]
    return {"pagination": pagination}, [with_id(request, one) for one in shown]


def with_id(request: OutsideRequest, record: dict[str, Any]) -> dict[str, Any]:
    """The record as it is, or as a STORES would hand it out that mixes up its records."""
    match request.world.stores.behaviour.ids:
        case "missing":
            return {key: value for key, value in record.items() if key != "canonical_id"}
        case "another":
            return {**record, "canonical_id": record["canonical_id"] + 1}
    return record


def detail_of(request: OutsideRequest, kept: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """The record of the number in the path. The number of another shop's record is no way around the token."""
    number = request.path("id")
    record = kept.get(int(number)) if is_whole(number) else None
    if record is None:
        raise Refusal(404, "Not Found")
    account = request.world.stores
    if record["merchant_canonical_id"] in (account.merchants_of(request.token) or ()):
        return with_id(request, record)
    match account.behaviour.other_merchants:
        case "forbidden":
            raise Refusal(403, "Forbidden")
        case "not_found":
            raise Refusal(404, "Not Found")
    return record
