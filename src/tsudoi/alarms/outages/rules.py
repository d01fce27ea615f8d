"""Outages of outside systems that the whole product uses: their causes, and how many calls make one or end it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from tsudoi.gateway.api_comm.alarm_texts import CAUSES
from tsudoi.gateway.api_comm.shop_data import AlarmChannel, Severity
from tsudoi.gateway.call_reports import WatchedSystem

# So many failures in a row are an outage, and so many successes in a row end it.
FAILURES, SUCCESSES = 3, 2
# Calls that are made for no shop.
NO_SHOP = 0


@dataclass(frozen=True, slots=True)
class Outage:
    """The cause of an alarm: one system is out for everybody."""

    cause: str
    system: WatchedSystem
    severity: Severity
    # The channel that goes through this system, and cannot tell that it is out.
    channel: AlarmChannel | None = None

    @property
    def title(self) -> str:
        return CAUSES[self.cause].title


OUTAGES: Mapping[WatchedSystem, Outage] = {
    "email": Outage("OUTAGE_MAIL", "email", "critical", "email"),
    "line": Outage("OUTAGE_LINE", "line", "critical"),
    "stripe": Outage("OUTAGE_STRIPE", "stripe", "critical"),
    "models": Outage("OUTAGE_MODELS", "models", "warn"),
}
