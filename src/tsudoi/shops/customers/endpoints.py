from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.lists import Before, OnlyShop, PageSize
from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.shops.customers import queries, service
from tsudoi.shops.customers.errors import CustomerLinkTaken, NoSuchCustomerLink
from tsudoi.shops.customers.schemas import CustomerLinkItem, CustomerLinkPage, CustomerUnlink, NewCustomerLink

router = APIRouter(prefix="/api/admin/customer-links", tags=["shops"], route_class=TransactionRoute)

LinkId = Annotated[int, Path(ge=1, le=2**53, description="The link.")]
Words = Annotated[
    str,
    Query(max_length=100, pattern="^[^\\x00]*$", description="A part of the name in LINE, or a whole id."),
]


@router.get("", summary="Customers who are linked to LINE")
def links(
    tx: ReadTx,
    _admin: Admin,
    runtime: Runtime,
    shop_id: OnlyShop = None,
    query: Words = "",
    before: Before = None,
    limit: PageSize = 50,
) -> CustomerLinkPage:
    """Which LINE user is which customer of which shop, the newest first. STORES is not asked for this list."""
    return queries.link_page(tx, runtime.settings.stores_api_base, shop_id, query, before, limit)


@router.post("", status_code=201, summary="Link a customer by hand", responses=raises(NoSuchShop, CustomerLinkTaken))
def link(tx: Tx, admin: Admin, runtime: Runtime, body: NewCustomerLink) -> CustomerLinkItem:
    """409 `LINK_CONFLICT` if the LINE user or the customer is linked otherwise: a link is never overwritten."""
    link_id = service.link_by_hand(tx, body, admin.actor)
    return queries.link_item(tx, runtime.settings.stores_api_base, link_id)


@router.delete("/{link_id}", status_code=204, summary="Remove a link", responses=raises(NoSuchCustomerLink))
def unlink(tx: Tx, admin: Admin, link_id: LinkId, body: CustomerUnlink) -> None:
    """The person has to prove again who they are. The audit trail keeps the reason."""
    service.unlink(tx, link_id, body.reason, admin.actor)
