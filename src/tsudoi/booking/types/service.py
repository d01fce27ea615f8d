from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tsudoi.booking.types.errors import LimitBelowBooked, NoSuchType, TypeInUse
from tsudoi.booking.types.models import ReservationType
from tsudoi.booking.types.rules import takes_konbini
from tsudoi.booking.types.schemas import NewType, TypeChange
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import Detail, InvalidInput

# As SQL, because reservations refer to this noun and not the other way round.
_MARK_RESERVATIONS = RawSql(
    "UPDATE reservations SET once_per_year = :once WHERE reservation_type_id = :type_id AND once_per_year <> :once"
)


def create_type(tx: Tx, new: NewType, actor: str, *, payments_on: bool) -> int:
    values = _stored(new.model_dump())
    _refuse_faults(values, values, payments_on=payments_on)
    statement = insert(ReservationType).values(**values, created_at=tx.now, updated_at=tx.now)
    made: int = tx.scalar(statement.returning(ReservationType.id))
    audit.record(tx, actor, "TYPE_CREATE", f"reservation_type:{made}", new=values)
    return made


def change_type(tx: Tx, type_id: int, change: TypeChange, actor: str, *, payments_on: bool) -> None:
    """A new price does not change what somebody who holds a seat has to pay."""
    before = _locked(tx, type_id)
    values = _stored(change.model_dump(exclude_unset=True))
    old = {field: before[field] for field in values}
    if old == values:
        return
    _refuse_faults(values, {**before, **values}, payments_on=payments_on)
    tx.execute(update(ReservationType).where(ReservationType.id == type_id).values(**values, updated_at=tx.now))
    if "limit_per_year" in values:
        _keep_reservations_in_step(tx, type_id, values["limit_per_year"])
    audit.record(tx, actor, "TYPE_CHANGE", f"reservation_type:{type_id}", old=old, new=values)


def delete_type(tx: Tx, type_id: int, actor: str) -> None:
    """Delete a type that nothing refers to. The foreign keys decide, so that no table can be forgotten."""
    before = _locked(tx, type_id)
    try:
        with tx.connection.begin_nested():
            tx.execute(delete(ReservationType).where(ReservationType.id == type_id))
    except IntegrityError as used:
        raise TypeInUse from used
    audit.record(tx, actor, "TYPE_DELETE", f"reservation_type:{type_id}", old={"name": before["name"]})


def _refuse_faults(given: dict[str, Any], after: dict[str, Any], *, payments_on: bool) -> None:
    faults: list[Detail] = []
    if given.get("price_jpy") is not None and not payments_on:
        faults.append(Detail("priceJpy", "PAYMENTS_OFF"))
    price = after["price_jpy"]
    # A change of something else must not fail because of an old combination.
    if given.keys() & {"konbini", "price_jpy"} and after["konbini"] and price is not None and not takes_konbini(price):
        faults.append(Detail("konbini", "PRICE_OUT_OF_RANGE"))
    if faults:
        raise InvalidInput(details=faults)


def _keep_reservations_in_step(tx: Tx, type_id: int, limit: int | None) -> None:
    """The unique index over `once_per_year = 1` enforces a limit of 1; the other limits are checked when one books."""
    try:
        with tx.connection.begin_nested():
            _MARK_RESERVATIONS.changed(tx, {"once": int(limit == 1), "type_id": type_id})
    except IntegrityError as booked_twice:
        raise LimitBelowBooked from booked_twice


def _locked(tx: Tx, type_id: int) -> dict[str, Any]:
    statement = select(ReservationType).where(ReservationType.id == type_id).with_for_update(key_share=True)
    row = tx.execute(statement).mappings().first()
    if row is None:
        raise NoSuchType
    return dict(row)


def _stored(values: dict[str, Any]) -> dict[str, Any]:
    """The columns for yes and no are integers."""
    return {field: int(value) if isinstance(value, bool) else value for field, value in values.items()}
