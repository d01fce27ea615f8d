"""Lists of objects, newest first, in pages."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tsudoi.sandbox.stripe.refusals import invalid, no_such
from tsudoi.sandbox.stripe_api.forms import Parameters

PAGING = ("limit", "starting_after", "ending_before", "created", "expand")
_USUAL, _MOST = 10, 100
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "gt": lambda created, bound: created > bound,
    "gte": lambda created, bound: created >= bound,
    "lt": lambda created, bound: created < bound,
    "lte": lambda created, bound: created <= bound,
}


class Listed(Protocol):
    """Anything that can stand in a list."""

    id: str
    created: int

    def as_json(self) -> dict[str, Any]: ...


def page(url: str, found: Sequence[Listed], parameters: Parameters) -> dict[str, Any]:
    """`found` is in the order in which it was made."""
    limit = parameters.whole("limit") or _USUAL
    if not 1 <= limit <= _MOST:
        raise invalid(f"This value must be between 1 and {_MOST}", "limit", "parameter_invalid_integer")
    rows = [one for one in reversed(found) if _was_made(one.created, parameters)]
    after, before = parameters.text("starting_after"), parameters.text("ending_before")
    if after is not None:
        rows = rows[_place(rows, after, "starting_after") + 1 :]
    if before is not None:
        rows = rows[: _place(rows, before, "ending_before")][-limit:]
    shown = rows[:limit]
    return {
        "object": "list",
        "data": [one.as_json() for one in shown],
        "has_more": len(rows) > len(shown),
        "url": url,
    }


def _was_made(created: int, parameters: Parameters) -> bool:
    if "created" not in parameters:
        return True
    if isinstance(parameters.values["created"], str):
        return created == parameters.whole("created")
    bounds = parameters.inner("created")
    bounds.only(*_COMPARISONS)
    return all(_COMPARISONS[name](created, bounds.whole(name) or 0) for name in bounds.values)


def _place(rows: Sequence[Listed], object_id: str, param: str) -> int:
    for place, one in enumerate(rows):
        if one.id == object_id:
            return place
    raise no_such("object", object_id, param, 400)
