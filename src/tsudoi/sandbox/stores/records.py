"""The fields of a customer and of a reservation, under the names that STORES gives them.

A field that is not known here is kept and answered as it was given.
"""

from datetime import datetime, timedelta
from typing import Any

from tsudoi.sandbox.clock import JST

Record = dict[str, Any]

STATUSES = ("accepted", "pending", "canceled_by_host", "canceled_by_customer")
# Known to the sandbox alone: whose reservation it is, and when it was made.
_HIDDEN = ("customer_canonical_id", "booking_made_at")
_CUSTOMER: Record = {
    "name": "",
    "email": None,
    "primary_phone_number": None,
    "phone_number": None,
    "membership_number": None,
    "customer_memo": None,
    "profile_fields": [],
    "subscriptions": [],
    "ticket_books": [],
}
_RESERVATION: Record = {
    "booking_service_canonical_id": "bs_1",
    "booking_service_name": "個別レッスン",
    "checked_in_at": None,
    "num_attendees": 1,
    "questionnaires": None,
    "payment_method": {"name": "none", "used_products": []},
    "status": "accepted",
}
_OF_PERSON = (
    *("canonical_id", "name", "email", "primary_phone_number", "phone_number", "membership_number"),
    "profile_fields",
)


def customer(canonical_id: int, given: Record) -> Record:
    return {**_CUSTOMER, **given, "canonical_id": canonical_id}


def reservation(canonical_id: int, given: Record, now: int) -> Record:
    """Without times of its own it begins at the next full hour, and was made and changed just now."""
    moment = datetime.fromtimestamp(now / 1000, JST)
    begins = given.get("booking_start", iso(moment.replace(minute=0, second=0) + timedelta(hours=1)))
    times = {
        "booking_start": begins,
        "checkout_at": iso(datetime.fromisoformat(begins) + timedelta(hours=1)),
        "latest_changed_at": iso(moment),
        "booking_made_at": iso(moment),
    }
    return {"customer_canonical_id": None, **_RESERVATION, **times, **given, "canonical_id": canonical_id}


def listed_customer(record: Record) -> Record:
    """Lists do not have the names of products."""
    products = {name: record[name] for name in ("subscriptions", "ticket_books") if record[name]}
    return {**record} | {name: [{**one, "product_name": None} for one in bought] for name, bought in products.items()}


def shown_reservation(record: Record, person: Record | None) -> Record:
    """What STORES shows. A person or a name that was put into the reservation itself counts."""
    found = None if person is None else {name: person[name] for name in _OF_PERSON}
    person_fields = {"customer_name": "" if person is None else person["name"], "customer": found}
    return {name: value for name, value in {**person_fields, **record}.items() if name not in _HIDDEN}


def digits(text: Any) -> str:
    return "".join(one for one in str(text or "") if one in "0123456789")


def iso(moment: datetime) -> str:
    return moment.astimezone(JST).isoformat(timespec="seconds")
