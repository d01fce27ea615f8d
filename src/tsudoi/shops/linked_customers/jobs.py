"""The customer behind a LINE user in a shop. STORES is asked once in a session, and again when the person says so."""

from tsudoi.access.principals import Visitor
from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.core.visitor_reservations import VisitorReservations
from tsudoi.shops.linked_customers.rules import gap_of, is_usable, shown_reservations
from tsudoi.shops.links.queries import linked_shops
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots import jobs
from tsudoi.shops.snapshots.rules.customers import UNASKED, CustomerSnapshot, broken
from tsudoi.shops.snapshots.rules.outcomes import problem_of_snapshot
from tsudoi.shops.snapshots.service import count_refresh, keep_snapshot, note_failure, snapshot_of
from tsudoi.shops.storefront.queries import shops_by_id
from tsudoi.shops.storefront.rules import VisitedShop

LINE: jobs.Channel = "line"


async def customer_in_shop(runtime: Runtime, visitor: Visitor, shop: VisitedShop) -> CustomerSnapshot:
    """`unasked` where the LINE user is not linked: then STORES is not asked at all."""
    links = await runtime.db.read(linked_shops, visitor.user_id)
    if shop.id not in links:
        return UNASKED
    return await _known(runtime, runtime.part(KeyRing), visitor, shop.id, links[shop.id])


async def _known(
    runtime: Runtime, ring: KeyRing, visitor: Visitor, shop_id: int, stores_customer_id: str
) -> CustomerSnapshot:
    token = visitor.credentials.token
    snapshot, taken_at = await runtime.db.read(snapshot_of, ring, token, shop_id)
    if is_usable(snapshot, taken_at, stores_customer_id, runtime.db.clock.now()):
        return snapshot
    found = await jobs.identify_by_link(runtime, shop_id, visitor.user_id)
    await runtime.db.write(keep_snapshot, ring, token, shop_id, LINE, found)
    return found


async def refresh(runtime: Runtime, visitor: Visitor, shop: VisitedShop) -> tuple[CustomerSnapshot, Problem | None]:
    """The person says that a reservation has changed: one question, at most once a minute."""
    (await runtime.db.write(count_refresh, visitor.rate_key, shop.id)).raise_if_refused()
    links = await runtime.db.read(linked_shops, visitor.user_id)
    if shop.id not in links:
        return UNASKED, None
    found = await jobs.read_again(runtime, shop.id, LINE, links[shop.id])
    problem = problem_of_snapshot(found)
    if found.state == "failed":
        # What was known stays.
        await runtime.db.write(note_failure, shop.id, LINE, found.code, found.status)
        return found, problem
    kept = broken(links[shop.id]) if found.state == "not_found" else found
    await runtime.db.write(keep_snapshot, runtime.part(KeyRing), visitor.credentials.token, shop.id, LINE, kept)
    return kept, problem


async def reservations_at_stores(runtime: Runtime, visitor: Visitor) -> VisitorReservations:
    """Of every shop with which the LINE user is linked, for the list of all reservations."""
    ring = runtime.part(KeyRing)
    links = await runtime.db.read(linked_shops, visitor.user_id)
    shops = await runtime.db.read(shops_by_id, set(links))
    known = {shop: await _known(runtime, ring, visitor, shop_id, links[shop_id]) for shop_id, shop in shops.items()}
    now = runtime.db.clock.now()
    gaps = [gap_of(shop, snapshot) for shop, snapshot in known.items()]
    return VisitorReservations(
        tuple(one for shop, snapshot in known.items() for one in shown_reservations(shop, snapshot, now)),
        tuple(gap for gap in gaps if gap is not None),
    )
