from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.events.broadcast import queries
from tsudoi.events.broadcast.schemas import EventDeliveries

router = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]


@router.get("/{event_id}/deliveries", summary="Delivery results")
async def deliveries(event_id: EventId, _admin: AdminDep, db: DatabaseDep) -> EventDeliveries:
    """Every broadcast of an event with its results, and the names of those who may not have received it."""
    return await db.read(queries.deliveries, event_id)
