"""The eight operations of API_COMM: their names, who may ask for them, and how their failures are called."""

from collections.abc import Mapping
from dataclasses import dataclass

CHANNELS = ("help", "line", "shop", "ai", "cron")
ACTORS = ("customer", "merchant", "hq", "system")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. The component keeps the form of its document, because other programs compare it."""

    name: str
    component: str
    failure_code: str
    channels: tuple[str, ...] = CHANNELS
    actors: tuple[str, ...] = ACTORS
    needs_shop: bool = False
    # Statuses of STORES that are an answer to the question, and no failure.
    expected_statuses: frozenset[int] = frozenset()

    @property
    def asks_stores(self) -> bool:
        return self.name.startswith("stores.")


_GONE = frozenset({404, 410})
_PEOPLE = ("customer", "merchant", "hq")
_ALL = (
    Operation(
        "stores.resolve_customer_by_contact",
        "StoresGateway.resolve_customer_by_contact",
        "STORES_CUSTOMER_LOOKUP_FAILED",
        ("help", "line"),
        ("customer",),
        needs_shop=True,
    ),
    Operation(
        "stores.resolve_customer_by_line_user",
        "StoresGateway.resolve_customer_by_line_user",
        "STORES_CUSTOMER_LOOKUP_FAILED",
        ("line",),
        ("customer",),
        needs_shop=True,
        expected_statuses=_GONE | {403},
    ),
    Operation(
        "stores.get_customer",
        "StoresGateway.get_customer",
        "STORES_CUSTOMER_LOOKUP_FAILED",
        ("help", "line", "shop", "ai"),
        _PEOPLE,
        needs_shop=True,
        expected_statuses=_GONE,
    ),
    Operation(
        "stores.list_reservations",
        "StoresGateway.list_reservations",
        "STORES_RESERVATIONS_LOOKUP_FAILED",
        needs_shop=True,
    ),
    Operation(
        "stores.get_reservation",
        "StoresGateway.get_reservation",
        "STORES_RESERVATION_LOOKUP_FAILED",
        ("help", "line", "shop", "ai"),
        _PEOPLE,
        needs_shop=True,
        expected_statuses=_GONE,
    ),
    Operation("remotelock.get_key_info_stub", "RemoteLockGateway.get_key_info_stub", "REMOTELOCK_STUB_MODE"),
    Operation("notify.escalation", "NotificationGateway.escalation", "ESCALATION_FAILED"),
    Operation(
        "system.check_connectivity",
        "SystemHealthGateway.check_connectivity",
        "HEALTH_ERROR",
        ("ai",),
        ("system",),
    ),
)
OPERATIONS: Mapping[str, Operation] = {one.name: one for one in _ALL}
