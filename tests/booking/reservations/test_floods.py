"""A person has limits on everything that tells somebody something, or gives a seat away."""

import pytest

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only


@sqlite_only
@pytest.mark.found("24.E1")
def test_a_person_has_a_limit_on_moves_cancellations_and_waiting(hospital: Hospital, person: PersonMaker) -> None:
    type_id = hospital.type("予防接種", cancel_until_hours=0, limit_per_year=None)
    slots = [hospital.slot(type_id, "2025-10-01", 600 + number * 15, capacity=5) for number in range(3)]
    somebody = person(line_user_id=user_id(1))
    reservation = somebody.http.post("/api/reservations", json={"slotId": slots[0]}).json()["id"]
    moves = [
        somebody.http.patch(f"/api/reservations/{reservation}", json={"slotId": slots[1 + number % 2]}).status_code
        for number in range(14)
    ]
    assert moves == [200] * 10 + [429] * 4
    refused = somebody.http.delete(f"/api/reservations/{reservation}")
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
    full = hospital.slot(type_id, "2025-10-02", 600, capacity=1)
    assert person().http.post("/api/reservations", json={"slotId": full}).status_code == 201
    waiting = []
    for _ in range(12):
        joined = somebody.http.post(f"/api/slots/{full}/waiting", json={})
        waiting.append(joined.status_code)
        if joined.status_code == 201:
            waiting.append(somebody.http.delete(f"/api/waiting/{joined.json()['id']}").status_code)
    assert waiting == [201, 204] * 10 + [429, 429]
