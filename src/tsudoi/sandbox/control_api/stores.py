"""What a shop does in the dashboard of STORES, and how STORES behaves.

    GET    /_sandbox/stores                        everything; DELETE empties it
    POST   /_sandbox/stores/examples               {"tokens": {"mc_1": "…"}, "today": "2026-11-20"}
    PUT    /_sandbox/stores/tokens/{token}         {"merchants": ["mc_1"]}; DELETE takes the token away
    PUT    /_sandbox/stores/customers/{id}         the whole record; PATCH changes some fields; GET; DELETE
    PUT    /_sandbox/stores/reservations/{id}      likewise, with `customer_canonical_id` and `booking_made_at`
    PUT    /_sandbox/stores/behaviour              what is left out goes back to its default; GET shows it

Records have the names that STORES gives them. Fields that STORES does not have are kept and answered too.
"""

from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.stores.account import StoresBehaviour
from tsudoi.sandbox.stores.examples import DEFAULT_TOKENS, load
from tsudoi.sandbox.wire import OrjsonResponse, is_whole

Record = dict[str, Any]

_BEHAVIOUR = TypeAdapter(StoresBehaviour)
_TIMES = ("booking_start", "booking_made_at", "latest_changed_at")


async def everything(request: ControlRequest) -> Response:
    account = request.world.stores
    return OrjsonResponse(
        {
            "tokens": account.tokens,
            "customers": list(account.customers.values()),
            "reservations": list(account.reservations.values()),
            "behaviour": asdict(account.behaviour),
        }
    )


async def clear(request: ControlRequest) -> Response:
    request.world.stores.clear()
    return Response(status_code=204)


async def load_examples(request: ControlRequest) -> Response:
    tokens, today = request.body.fields("tokens").values, request.body.text("today", None)
    if not set(tokens) <= set(DEFAULT_TOKENS) or not all(isinstance(token, str) and token for token in tokens.values()):
        raise Refusal(400, f"'tokens' must give a text for {' and '.join(DEFAULT_TOKENS)}")
    account = request.world.stores
    load(account, tokens, _today(request) if today is None else _day(today))
    counts = {"customers": len(account.customers), "reservations": len(account.reservations)}
    return OrjsonResponse({**counts, "tokens": len(account.tokens)})


def _today(request: ControlRequest) -> date:
    return datetime.fromtimestamp(request.world.clock.now_seconds(), JST).date()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refusal(400, "'today' must be a day such as 2026-11-20") from error


async def put_token(request: ControlRequest) -> Response:
    merchants = request.body.entries("merchants")
    if not all(isinstance(each, str) and each for each in merchants):
        raise Refusal(400, "'merchants' must be a list of texts")
    request.world.stores.tokens[request.path("token")] = merchants
    return OrjsonResponse({"merchants": merchants})


async def delete_token(request: ControlRequest) -> Response:
    request.world.stores.tokens.pop(request.path("token"), None)
    return Response(status_code=204)


async def put_customer(request: ControlRequest) -> Response:
    given = request.body.values
    _check(given)
    return OrjsonResponse(request.world.stores.put_customer(_number(request), given))


async def patch_customer(request: ControlRequest) -> Response:
    account = request.world.stores
    given = {**_wanted(request, account.customers), **request.body.values}
    _check(given)
    return OrjsonResponse(account.put_customer(_number(request), given))


async def get_customer(request: ControlRequest) -> Response:
    return OrjsonResponse(_wanted(request, request.world.stores.customers))


async def delete_customer(request: ControlRequest) -> Response:
    request.world.stores.customers.pop(_number(request), None)
    return Response(status_code=204)


async def put_reservation(request: ControlRequest) -> Response:
    given = request.body.values
    _check(given)
    return OrjsonResponse(request.world.stores.put_reservation(_number(request), given, request.world.clock.now_ms()))


async def patch_reservation(request: ControlRequest) -> Response:
    """A change moves `latest_changed_at`, unless the change names that time itself."""
    account, changes = request.world.stores, request.body.values
    given = {**_wanted(request, account.reservations), **changes}
    if "latest_changed_at" not in changes:
        del given["latest_changed_at"]
    _check(given)
    return OrjsonResponse(account.put_reservation(_number(request), given, request.world.clock.now_ms()))


async def get_reservation(request: ControlRequest) -> Response:
    return OrjsonResponse(_wanted(request, request.world.stores.reservations))


async def delete_reservation(request: ControlRequest) -> Response:
    request.world.stores.reservations.pop(_number(request), None)
    return Response(status_code=204)


def _check(given: Record) -> None:
    """The fields by which STORES searches must have the kinds that it can compare."""
    if not isinstance(given.get("merchant_canonical_id"), str) or not given["merchant_canonical_id"]:
        raise Refusal(400, "'merchant_canonical_id' is missing or of the wrong type")
    for name in ("name", "email", "primary_phone_number", "phone_number", "status"):
        if not isinstance(given.get(name), str | None):
            raise Refusal(400, f"'{name}' must be a text")
    for name in _TIMES:
        if name in given and not _is_moment(given[name]):
            raise Refusal(400, f"'{name}' must be an ISO 8601 time with its offset")


def _is_moment(text: Any) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except (TypeError, ValueError):
        return False


def _number(request: ControlRequest) -> int:
    text = request.path("id")
    if not is_whole(text) or int(text) < 1:
        raise Refusal(400, "The id must be a whole number")
    return int(text)


def _wanted(request: ControlRequest, kept: dict[int, Record]) -> Record:
    record = kept.get(_number(request))
    if record is None:
        raise not_found("No such record")
    return record


async def get_behaviour(request: ControlRequest) -> Response:
    return OrjsonResponse(asdict(request.world.stores.behaviour))


async def put_behaviour(request: ControlRequest) -> Response:
    unknown = set(request.body.values) - set(asdict(StoresBehaviour()))
    if unknown:
        raise Refusal(400, f"There is no {', '.join(sorted(unknown))}")
    try:
        request.world.stores.behaviour = _BEHAVIOUR.validate_python(request.body.values)
    except ValidationError as error:
        wrong = ", ".join(str(each["loc"][0]) for each in error.errors())
        raise Refusal(400, f"Of the wrong kind: {wrong}") from error
    return await get_behaviour(request)


def _record_routes(kind: str, handlers: dict[str, Any]) -> list[Route]:
    return [control(method, f"/stores/{kind}/{{id}}", handler) for method, handler in handlers.items()]


ROUTES = [
    control("GET", "/stores", everything),
    control("DELETE", "/stores", clear),
    control("POST", "/stores/examples", load_examples),
    control("PUT", "/stores/tokens/{token}", put_token),
    control("DELETE", "/stores/tokens/{token}", delete_token),
    control("GET", "/stores/behaviour", get_behaviour),
    control("PUT", "/stores/behaviour", put_behaviour),
    *_record_routes(
        "customers",
        {"PUT": put_customer, "PATCH": patch_customer, "GET": get_customer, "DELETE": delete_customer},
    ),
    *_record_routes(
        "reservations",
        {"PUT": put_reservation, "PATCH": patch_reservation, "GET": get_reservation, "DELETE": delete_reservation},
    ),
]
