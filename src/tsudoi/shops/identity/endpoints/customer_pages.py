"""What the help page shows to somebody who has proved an address: who was found, the reservations, and the ways on."""

from starlette.requests import Request
from starlette.responses import Response

from tsudoi.core.errors import Problem, RateLimited, Unauthenticated
from tsudoi.core.runtime import Runtime
from tsudoi.shops.identity.endpoints.pages import page
from tsudoi.shops.identity.service.help_sessions import keep_open
from tsudoi.shops.identity.service.showing import help_message
from tsudoi.shops.principals import Customer
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot, cancelled, upcoming
from tsudoi.shops.snapshots.service import snapshot_of
from tsudoi.shops.storefront.rules import VisitedShop

_TEMPLATES = {
    "found": "found.html",
    "not_found": "not_found.html",
    "multiple": "not_found.html",
    "broken": "not_found.html",
    "failed": "failed.html",
    "unasked": "failed.html",
}


async def known_customer(request: Request, runtime: Runtime) -> Customer | None:
    """The customer whose session this browser has for this shop, if any."""
    try:
        credentials = Customer.read_credentials(request, runtime.settings)
        return await runtime.db.read(Customer.authenticate, credentials)
    except Unauthenticated:
        return None


async def customer_page(runtime: Runtime, customer: Customer) -> Response:
    token, ring = customer.credentials.token, runtime.part(KeyRing)
    await runtime.db.write(keep_open, token, customer.expires_at)
    snapshot, _ = await runtime.db.read(snapshot_of, ring, token, customer.shop.id)
    return snapshot_page(runtime, customer.shop, snapshot)


def snapshot_page(
    runtime: Runtime, shop: VisitedShop, snapshot: CustomerSnapshot, problem: Problem | None = None
) -> Response:
    """`problem`: what went wrong just now. What was known before stays on the page."""
    now = runtime.db.clock.now()
    status, headers = (200, None) if problem is None else (problem.status, problem.headers)
    return page(
        runtime.settings,
        _TEMPLATES[snapshot.state],
        shop,
        status,
        headers,
        it=snapshot,
        reservations=upcoming(snapshot, now),
        cancelled=cancelled(snapshot, now),
        message=help_message(snapshot),
        notice=_notice(snapshot, problem),
    )


def _notice(snapshot: CustomerSnapshot, problem: Problem | None) -> str | None:
    """The page of a failure says by itself what went wrong, but not that it is too soon to ask STORES again."""
    if problem is None:
        return None
    return problem.message if snapshot.state == "found" or isinstance(problem, RateLimited) else None
