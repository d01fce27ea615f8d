"""What the office decides about an event, each decision seen before it is made."""

from tsudoi.events.planning.endpoints.changing import router as changing
from tsudoi.events.planning.endpoints.creating import router as creating
from tsudoi.events.planning.endpoints.previewing import router as previewing
from tsudoi.events.planning.endpoints.resending import router as resending

__all__ = ["changing", "creating", "previewing", "resending"]
