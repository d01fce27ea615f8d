from tests.booking.reservations.conftest import (
    box,
    hospital,
    impatient,
    make_product,
    office,
    person,
    plain_log,
    product,
    shared_box,
)

__all__ = [
    "box",
    "hospital",
    "impatient",
    "make_product",
    "office",
    "person",
    "plain_log",
    "product",
    "shared_box",
]
