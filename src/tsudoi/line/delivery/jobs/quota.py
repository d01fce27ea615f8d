"""What is left of LINE's monthly limit after the unsent messages of every context."""

import structlog

from tsudoi.access.registration import ActiveContexts
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import Quota
from tsudoi.line.delivery.errors import QuotaExceeded
from tsudoi.line.delivery.rules import Cost, cost_of

_log = structlog.stdlib.get_logger(__name__)


def ask_quota(runtime: Runtime) -> Quota | None:
    """Read the quota from LINE; None if LINE does not answer. Never raises, because it runs during sending."""
    line = runtime.part(LineClient)
    try:
        quota = LineAccount(line, runtime.db.clock).quota()
    except Exception:  # noqa: BLE001 (an unknown quota is a valid result)
        _log.exception("line_quota_failed")
        return None
    return quota if isinstance(quota, Quota) else None


def cost(runtime: Runtime, recipients: int) -> Cost:
    """The cost of a message to so many people, for a preview and for the decision to send it."""
    # Our own count is read first, so that a message sent in between is counted twice rather than not at all.
    promised = runtime.db.read_now(runtime.part(ActiveContexts).promised_messages)
    return cost_of(recipients, ask_quota(runtime), promised)


def require_quota(runtime: Runtime, recipients: int, *, confirmed: bool) -> int | None:
    """Returns how many messages may go out, or None where that is not limited or not known.

    If it is fewer than `recipients`, the sender must have confirmed a partial send. An unknown quota does not stop the
    sending: messages that LINE refuses are tried again, and shown.
    """
    if recipients == 0:
        return None
    found = cost(runtime, recipients)
    if found.enough is False and not confirmed:
        raise QuotaExceeded(found.cost, found.left or 0)
    return found.left
