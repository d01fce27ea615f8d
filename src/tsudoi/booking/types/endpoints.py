from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.lists import Cursor, Limit, OnlyActive, SearchWords
from tsudoi.booking.types import queries, service
from tsudoi.booking.types.errors import LimitBelowBooked, TypeInUse
from tsudoi.booking.types.schemas import NewType, TypeChange, TypeItem, TypePage
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime

router = APIRouter(prefix="/api/admin/reservation-types", tags=["booking"], route_class=TransactionRoute)

TypeId = Annotated[int, Path(ge=1, le=2**53, description="The reservation type.")]


@router.get("", summary="Reservation types")
def types(
    tx: ReadTx,
    _admin: Admin,
    words: SearchWords = "",
    active: OnlyActive = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> TypePage:
    """All types, the oldest first, with the number of their slots."""
    return queries.type_page(tx, words, active, limit, cursor)


@router.post("", status_code=201, summary="Create a reservation type")
def create(tx: Tx, admin: Admin, runtime: Runtime, body: NewType) -> TypeItem:
    """Without `limitPerYear` everybody can book once per fiscal year; with null as often as they like.

    400 with the reason `PAYMENTS_OFF` for `priceJpy` while Stripe's keys are not set.
    """
    made = service.create_type(tx, body, admin.actor, payments_on=runtime.settings.payments_on)
    return queries.type_item(tx, made)


@router.get("/{type_id}", summary="One reservation type")
def reservation_type(tx: ReadTx, _admin: Admin, type_id: TypeId) -> TypeItem:
    """The type with this id."""
    return queries.type_item(tx, type_id)


@router.patch("/{type_id}", summary="Change a reservation type", responses=raises(LimitBelowBooked))
def change(tx: Tx, admin: Admin, runtime: Runtime, type_id: TypeId, body: TypeChange) -> TypeItem:
    """Changes only the fields that are sent. Slots of an inactive type are neither listed nor bookable.

    A new price counts for new reservations only.

    409 `LIMIT_BELOW_BOOKED` if the new limit is 1 and somebody has two live reservations in one fiscal year.
    """
    service.change_type(tx, type_id, body, admin.actor, payments_on=runtime.settings.payments_on)
    return queries.type_item(tx, type_id)


@router.delete("/{type_id}", status_code=204, summary="Delete a reservation type", responses=raises(TypeInUse))
def delete(tx: Tx, admin: Admin, type_id: TypeId) -> None:
    """409 `IN_USE` while slots refer to the type; deactivate it instead."""
    service.delete_type(tx, type_id, admin.actor)
