"""G9: schemathesis over our API description. No answer is 5xx, and each has a status and a body that are described."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks
from sqlalchemy import delete

from tests.booking.office import reserve
from tests.conftest import BACKENDS
from tests.factories.booking import Person, bearer, make_slot, make_staff, make_type
from tests.factories.customers import make_shop, shop_settings
from tests.factories.events import liff_cookie, make_event, make_members
from tests.factories.product import ADMIN, Box, Product
from tests.factories.shops import make_ticket
from tests.factories.threads import make_thread
from tests.factories.webhooks import user_id
from tests.product_fixtures import ProductMaker
from tests.sizes import FULL, size
from tsudoi.access.admins import service as admins
from tsudoi.app import create_api
from tsudoi.core.models import RateLimit

SEED = 20250816
# So many requests with what the description allows, and half as many with what it forbids, for each operation.
EXAMPLES = size(2, 20)
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
# Responses that do not end.
LEFT_OUT = re.compile(r"/live$")
ROLES = {
    "admin": re.compile(r"/api/(admin|threads)"),
    "member": re.compile(r"/api/liff"),
    "staff": re.compile(r"/api/(slots|reservations|waiting|staffs)"),
}


class Callers:
    """A product with something of everything in it, and everybody who calls it."""

    def __init__(self, product: Product) -> None:
        self.product, self.db = product, product.db
        product.make_admin()
        make_members(self.db, 101, 102)
        event_id, thread = make_event(self.db, [101, 102]), make_thread(self.db, 101, "raj@example.com")
        self.staff: Person = make_staff(self.db)
        type_id = make_type(self.db)
        slot_id = make_slot(self.db, type_id)
        # What a path names by these words exists, in half of all requests.
        self.known: dict[str, Any] = {
            "event_id": event_id,
            "thread_id": thread.id,
            "token": thread.invites[1].token,
            "type_id": type_id,
            "slot_id": slot_id,
            "reservation_id": reserve(self.db, self.staff, slot_id),
            "staff_uid": self.staff.staff_uid,
            "department_id": "3A",
            "shop_id": make_shop(self.db),
            "store_code": "ngy1",
            "ticket_id": make_ticket(self.db),
            "member_id": 102,
        }

    def known_in(self, path: str) -> dict[str, Any]:
        names = re.findall(r"{(\w+)}", path)
        # A slot of a thread is another thing than one of a hospital.
        known = {name: self.known[name] for name in names if name in self.known}
        return {} if {"thread_id", "slot_id"} <= set(known) else known

    @contextmanager
    def session(self, role: str) -> Iterator[requests.Session]:
        """Anew for each operation, because some of them end sessions or change the account."""
        self.db.write_now(lambda tx: tx.execute(delete(RateLimit)))
        with requests.Session() as made:
            made.trust_env = False
            if role == "admin":
                made.headers["authorization"] = f"Bearer {self.db.write_now(admins.create_token, ADMIN)}"
            elif role == "member":
                made.cookies.set("tsudoi_liff", liff_cookie(self.db, user_id(101)))
            elif role == "staff":
                made.headers.update(bearer(self.db, self.staff))
            yield made


class Exploration:
    """Calls one operation after the other, and notes what is not as described."""

    def __init__(self, callers: Callers) -> None:
        self.callers = callers
        self.found: list[str] = []
        self.statuses: Counter[int] = Counter()

    def explore(self, operation: Any, role: str, examples: int) -> None:
        known = self.callers.known_in(operation.path)
        with self.callers.session(role) as session:
            if known:
                self._call(operation, role, session, examples, known)
            if FULL or not known:
                self._call(operation, role, session, examples, {})
            if role != "nobody" and (operation.body or operation.query):
                self._call(operation, role, session, (examples + 1) // 2, known, GenerationMode.NEGATIVE)

    def _call(
        self,
        operation: Any,
        role: str,
        session: requests.Session,
        examples: int,
        known: Mapping[str, Any],
        mode: GenerationMode = GenerationMode.POSITIVE,
    ) -> None:
        strategy = operation.as_strategy(generation_mode=mode, path_parameters=dict(known) or None)

        @seed(SEED)
        @settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def one(case: Case[Any]) -> None:
            try:
                answer = case.call_and_validate(
                    base_url=self.callers.product.url, session=session, checks=CHECKS, timeout=60, allow_redirects=False
                )
            except FailureGroup as failures:
                self.found += [
                    f"{operation.label} as {role}: {one.title}: {one.message}" for one in failures.exceptions
                ]
            else:
                self.statuses[answer.status_code] += 1

        one()


@pytest.fixture
def callers(make_product: ProductMaker, box: Box) -> Callers:
    return Callers(make_product(**shop_settings(box)))


@pytest.mark.parametrize("backend", BACKENDS if FULL else ["sqlite"], indirect=True)
def test_every_answer_is_as_described(callers: Callers) -> None:
    exploration = Exploration(callers)
    schema = schemathesis.openapi.from_dict(create_api().openapi())
    operations = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
    for operation in operations:
        if LEFT_OUT.search(operation.path):
            continue
        role = next((role for role, paths in ROLES.items() if paths.match(operation.path)), "nobody")
        exploration.explore(operation, role, EXAMPLES)
        if role != "nobody":
            exploration.explore(operation, "nobody", EXAMPLES if FULL else 1)
    assert not exploration.found, "\n".join(exploration.found)
    # It reaches what lies behind the checks of input and of who is asking.
    assert exploration.statuses[200] > len(operations) / 2
    assert {201, 204, 400, 401, 404, 409} <= set(exploration.statuses)
