"""What LINE's monthly limit leaves, counting what every context has promised."""

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
    """What LINE says; None where it cannot be asked. Never raises: it is asked in the middle of sending."""
    line = runtime.part(LineClient)
    try:
        quota = LineAccount(line, runtime.db.clock).quota()
    except Exception:  # noqa: BLE001 (not to know is an answer here)
        _log.exception("line_quota_failed")
        return None
    return quota if isinstance(quota, Quota) else None


def cost(runtime: Runtime, recipients: int) -> Cost:
    """The cost of a message to so many people, for a preview and for the decision to send it."""
    # Our own count comes first: what goes out in between is then counted twice rather than not at all.
    promised = runtime.db.read_now(runtime.part(ActiveContexts).promised_messages)
    return cost_of(recipients, ask_quota(runtime), promised)


def require_quota(runtime: Runtime, recipients: int, *, confirmed: bool) -> int | None:
    """Returns how many messages may go out, or None where that is not limited or not known.

    Where it is fewer than `recipients` somebody must have confirmed it. LINE that cannot be asked is no reason to
    refuse: what it does not take is tried again, and shown.
    """
    if recipients == 0:
        return None
    found = cost(runtime, recipients)
    if found.enough is False and not confirmed:
        raise QuotaExceeded(found.cost, found.left or 0)
    return found.left
