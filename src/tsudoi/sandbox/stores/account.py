"""What STORES knows: the shops behind each token, their customers, and their reservations."""

from dataclasses import dataclass, field
from typing import Any, Literal

from tsudoi.sandbox.stores import records

Record = dict[str, Any]

_MINUTE_MS = 60_000


@dataclass
class StoresBehaviour:
    """What is not known about the real STORES, or differs from day to day, so that a test can choose."""

    # A detail of a shop that the token does not see: 403, 404, or handed out by mistake.
    other_merchants: Literal["forbidden", "not_found", "shown"] = "not_found"
    unknown_token: Literal[401, 403] = 401
    requests_per_minute: int | None = None
    user_agent_check: bool = True
    # Without its filter a list has everybody, so that a test can see how the product compares.
    phone_filter: Literal["exact", "ignored"] = "exact"
    email_filter: Literal["substring", "ignored"] = "substring"
    # Records without their id, or with the id of another one.
    ids: Literal["right", "missing", "another"] = "right"
    # What `pagination.total` claims in place of the true number of pages.
    total: int | Literal["missing"] | None = None


@dataclass
class StoresAccount:
    """All shops together. A token belongs to one shop or to several, and sees these alone."""

    tokens: dict[str, list[str]] = field(default_factory=dict)
    customers: dict[int, Record] = field(default_factory=dict)
    reservations: dict[int, Record] = field(default_factory=dict)
    behaviour: StoresBehaviour = field(default_factory=StoresBehaviour)
    _recent: dict[str, list[int]] = field(default_factory=dict)

    def merchants_of(self, token: str) -> list[str] | None:
        return self.tokens.get(token)

    def merchants(self) -> list[str]:
        """Every shop that a token or a record names."""
        named = [merchant for merchants in self.tokens.values() for merchant in merchants]
        kept = [*self.customers.values(), *self.reservations.values()]
        return sorted({*named, *(record["merchant_canonical_id"] for record in kept)})

    def exceeds_limit(self, token: str, now: int) -> bool:
        """Counts the request, and says whether it is one too many within a minute."""
        limit = self.behaviour.requests_per_minute
        if limit is None:
            return False
        recent = [at for at in self._recent.get(token, ()) if at > now - _MINUTE_MS]
        self._recent[token] = recent if len(recent) >= limit else [*recent, now]
        return len(recent) >= limit

    def put_customer(self, canonical_id: int, given: Record) -> Record:
        self.customers[canonical_id] = records.customer(canonical_id, given)
        return self.customers[canonical_id]

    def put_reservation(self, canonical_id: int, given: Record, now: int) -> Record:
        self.reservations[canonical_id] = records.reservation(canonical_id, given, now)
        return self.reservations[canonical_id]

    def next_customer_id(self) -> int:
        return max(self.customers, default=1000) + 1

    def next_reservation_id(self) -> int:
        return max(self.reservations, default=50_000) + 1

    def customer_of(self, reservation: Record) -> Record | None:
        return self.customers.get(reservation["customer_canonical_id"] or 0)

    def reservations_of(self, customer: Record) -> list[Record]:
        found = (one for one in self.reservations.values() if one["customer_canonical_id"] == customer["canonical_id"])
        return sorted(found, key=lambda one: one["booking_start"])

    def shown_reservation(self, reservation: Record) -> Record:
        return records.shown_reservation(reservation, self.customer_of(reservation))

    def shown_customer(self, customer: Record) -> Record:
        """The detail, with the reservations. The person is not repeated in each of them."""
        shown = [self.shown_reservation(one) for one in self.reservations_of(customer)]
        for one in shown:
            one.pop("customer", None)
        return {**customer, "reservations": customer.get("reservations", shown)}

    def clear(self) -> None:
        self.tokens, self.customers, self.reservations = {}, {}, {}
        self._recent = {}
