"""What a session keeps of STORES' answers: enough for the pages, and no more. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import orjson

from tsudoi.core.clock import parse_text, utc_text
from tsudoi.gateway.api_comm.matching import masked_email, phone_last4
from tsudoi.shops.storefront.rules import is_cancelled

# found: one customer. not_found, multiple: nobody can say automatically who it is. broken: the link leads nowhere.
# failed: STORES could not be asked. unasked: it has not been asked yet.
SnapshotState = Literal["found", "not_found", "multiple", "broken", "failed", "unasked"]
_STATES: dict[str, SnapshotState] = {
    "unique": "found",
    "not_found": "not_found",
    "multiple_candidates": "multiple",
}
_MOST_SHOWN = 30
# A reservation whose end is not known is shown for so long after it began.
_ASSUMED_LENGTH = timedelta(hours=3)
# Who stands at the door of a reservation that was cancelled has to read that it was; days later it is only noise.
_CANCELLED_SHOWN = timedelta(hours=24)
_LONGEST_TEXT = 200
_TIMES = ("begins_at", "ends_at")


@dataclass(frozen=True, slots=True)
class KnownReservation:
    """A reservation at STORES, as far as its owner needs it here."""

    id: str
    title: str
    begins_at: datetime
    ends_at: datetime | None
    status: str

    @property
    def is_cancelled(self) -> bool:
        return is_cancelled(self.status)

    def is_over(self, now: datetime) -> bool:
        return (self.ends_at or self.begins_at + _ASSUMED_LENGTH) <= now

    def is_around(self, now: datetime) -> bool:
        return abs(self.begins_at - now) < _CANCELLED_SHOWN


@dataclass(frozen=True, slots=True)
class CustomerSnapshot:
    """The answers of STORES about one person, without anything that the pages do not show."""

    state: SnapshotState
    # `no_record`, `too_many_candidates`, `over_page_limit`, or `none`.
    reason: str = "none"
    # The code of API_COMM and the status with which it was answered.
    code: str = ""
    status: int = 200
    stores_customer_id: str | None = None
    name: str = ""
    email_masked: str | None = None
    phone_last4: str | None = None
    reservations: tuple[KnownReservation, ...] = ()
    # False: the customer is known, but STORES did not say which reservations there are.
    reservations_known: bool = False
    # The code by mail that led to this answer, so that the same proof does not ask twice.
    proof_id: int | None = None

    def to_json(self) -> str:
        return orjson.dumps({**asdict(self), "reservations": [_plain(one) for one in self.reservations]}).decode()


UNASKED = CustomerSnapshot("unasked")


def snapshot_of_json(text: str) -> CustomerSnapshot:
    found = orjson.loads(text)
    return CustomerSnapshot(**{**found, "reservations": tuple(map(_reservation_of_plain, found["reservations"]))})


def _plain(one: KnownReservation) -> dict[str, Any]:
    times = {name: getattr(one, name) for name in _TIMES}
    return {**asdict(one), **{name: None if at is None else utc_text(at) for name, at in times.items()}}


def _reservation_of_plain(plain: dict[str, Any]) -> KnownReservation:
    times = {name: None if plain[name] is None else parse_text(plain[name]) for name in _TIMES}
    return KnownReservation(**{**plain, **times})


def resolved(result: Mapping[str, Any], status: int) -> CustomerSnapshot:
    """The answer of `stores.resolve_customer_by_contact`."""
    if result["status"] != "success":
        return failed(result["code"], status)
    data = result["data"]
    state = _STATES.get(data["match_status"], "not_found")
    asked = CustomerSnapshot(state, data.get("not_found_reason") or "none", result["code"], status)
    return with_customer(asked, data["customer"]) if state == "found" else asked


def failed(code: str, status: int) -> CustomerSnapshot:
    return CustomerSnapshot("failed", code=code, status=status)


def broken(stores_customer_id: str) -> CustomerSnapshot:
    """The link of a LINE user names a customer whom STORES does not know."""
    return CustomerSnapshot("broken", code="STORES_CUSTOMER_LINK_BROKEN", stores_customer_id=stores_customer_id)


def gone(code: str, status: int) -> CustomerSnapshot:
    """STORES does not know the customer any more who was found before."""
    return CustomerSnapshot("not_found", "gone", code, status)


def with_customer(snapshot: CustomerSnapshot, customer: Mapping[str, Any]) -> CustomerSnapshot:
    """The same with this customer's data. Reservations are only in the detail of a customer."""
    listed = customer.get("reservations")
    number = customer.get("stores_customer_id") or snapshot.stores_customer_id
    if number is None:
        return failed("STORES_CUSTOMER_LOOKUP_FAILED", 502)
    return replace(
        snapshot,
        state="found",
        stores_customer_id=str(number),
        name=_text(customer.get("name")),
        email_masked=masked_email(customer.get("email")),
        phone_last4=phone_last4(customer.get("primary_phone_number")),
        reservations=reservations_of(listed) if isinstance(listed, list) else (),
        reservations_known=isinstance(listed, list),
    )


def reservations_of(listed: Iterable[Any]) -> tuple[KnownReservation, ...]:
    """By their beginnings. What cannot be read is left out, because nothing can be said about it."""
    found = [one for one in map(_reservation, listed) if one is not None]
    return tuple(sorted(found, key=_by_beginning))


def _by_beginning(one: KnownReservation) -> tuple[datetime, str]:
    return one.begins_at, one.id


def _reservation(raw: Any) -> KnownReservation | None:
    if not isinstance(raw, Mapping):
        return None
    begins = _time(raw.get("booking_start"))
    if begins is None:
        return None
    title = _text(raw.get("booking_service_name")) or "ご予約"
    return KnownReservation(
        str(raw.get("canonical_id", "")), title, begins, _time(raw.get("checkout_at")), _text(raw.get("status"))
    )


def _time(value: Any) -> datetime | None:
    try:
        return parse_text(value)
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str:
    return value.strip()[:_LONGEST_TEXT] if isinstance(value, str) else ""


def upcoming(snapshot: CustomerSnapshot, now: datetime) -> tuple[KnownReservation, ...]:
    """The reservations that are still to come or going on."""
    live = [one for one in snapshot.reservations if not one.is_over(now) and not one.is_cancelled]
    return tuple(live[:_MOST_SHOWN])


def cancelled(snapshot: CustomerSnapshot, now: datetime) -> tuple[KnownReservation, ...]:
    """The cancelled ones whose beginning is less than a day away, before or after this moment."""
    return tuple([one for one in snapshot.reservations if one.is_cancelled and one.is_around(now)][:_MOST_SHOWN])


def at_the_door(snapshot: CustomerSnapshot, now: datetime) -> tuple[KnownReservation, ...]:
    """What somebody at the door has to know: both of these, by their beginnings."""
    return tuple(sorted(upcoming(snapshot, now) + cancelled(snapshot, now), key=_by_beginning))


def current(snapshot: CustomerSnapshot, now: datetime) -> tuple[KnownReservation, ...]:
    """The same for a list of everything, which has the cancelled ones of later days too."""
    shown = [one for one in snapshot.reservations if not one.is_over(now) or (one.is_cancelled and one.is_around(now))]
    return tuple(shown[:_MOST_SHOWN])
