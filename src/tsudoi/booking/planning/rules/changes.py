"""Why a slot cannot be changed together with others. Pure.

A change of a single slot raises errors for the same reasons; here they are codes, because the others may still change.
"""

from collections.abc import Mapping
from typing import Any, Literal

from tsudoi.booking.planning.rules.drafts import window_faults

MOST_SHOWN = 500

ChangeRefusal = Literal["CAPACITY_BELOW_BOOKED", "IN_USE", "INVALID_WINDOW"]


def differences(present: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The wanted values that the slot does not have yet."""
    return {name: value for name, value in wanted.items() if value != present[name]}


def change_refused_because(present: Mapping[str, Any], new: Mapping[str, Any]) -> ChangeRefusal | None:
    """`new`: the values that differ from the present ones."""
    after = {**present, **new}
    if "capacity" in new and after["capacity"] < present["booked_count"]:
        return "CAPACITY_BELOW_BOOKED"
    if not {"booking_start", "booking_end"}.isdisjoint(new) and window_faults(
        after["booking_start"], after["booking_end"]
    ):
        return "INVALID_WINDOW"
    return None
