"""Who a LINE user is at a shop: a code by mail, the link, and what STORES says about it."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, VisitorDep, client_key, guard_of
from tsudoi.access.principals import Visitor
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Problem, RateLimited
from tsudoi.core.rate_limit import Limit
from tsudoi.core.runtime import Runtime
from tsudoi.shops.identity.endpoints.asking import mail_code
from tsudoi.shops.identity.errors import CodeSpent, MailIsOff, WrongCode
from tsudoi.shops.identity.rules.contacts import contact_of
from tsudoi.shops.identity.rules.proofs import LIFETIMES, LIFF_CODE, StoredProof
from tsudoi.shops.identity.schemas import (
    CodeForm,
    LineContactForm,
    LinkConfirmed,
    LinkedShop,
    MailRequested,
    ReportedChange,
    VisitedShopItem,
    VisitedShops,
)
from tsudoi.shops.identity.service.confirming import confirm_link, keep_answer
from tsudoi.shops.identity.service.keys import IdentityKeys
from tsudoi.shops.identity.service.proving import try_code
from tsudoi.shops.identity.service.showing import confirmed, contacts_of, linked_shop
from tsudoi.shops.linked_customers import jobs as linked
from tsudoi.shops.links.errors import CustomerLinkConflict
from tsudoi.shops.links.queries import linked_shops
from tsudoi.shops.links.rules import CustomerPair, LinkAction
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots import jobs
from tsudoi.shops.snapshots.errors import CustomerGone, StoresBusy, StoresFailed, StoresNotReady
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot
from tsudoi.shops.snapshots.rules.outcomes import problem_of_snapshot
from tsudoi.shops.snapshots.service import snapshot_of
from tsudoi.shops.storefront.errors import NoSuchStorefront, ShopClosed
from tsudoi.shops.storefront.queries import open_shop, open_shops
from tsudoi.shops.storefront.rules import VisitedShop

router = APIRouter(prefix="/api/liff", tags=["shops"])

# A right code stays right while STORES does not answer, and each try asks STORES.
ConfirmingVisitorDep = Annotated[
    Visitor, Depends(guard_of(Visitor, Limit("identity-confirm", 20, timedelta(minutes=1))))
]
StorePath = Annotated[str, Path(description="The shop's code.")]
_SHOP = (NoSuchStorefront, ShopClosed)
_STORES = (StoresFailed, StoresBusy, StoresNotReady)
_SENT = MailRequested(
    ok=True,
    expires_in_minutes=int(LIFETIMES[LIFF_CODE].total_seconds() // 60),
    message="6桁の確認コードをメールでお送りします。届いたコードを入力してください。",
)


@router.post(
    "/identity",
    status_code=202,
    summary="Ask for the code that proves an address",
    responses=raises(*_SHOP, RateLimited, MailIsOff),
)
async def request_identity(
    body: LineContactForm, visitor: VisitorDep, request: Request, runtime: RuntimeDep
) -> MailRequested:
    """Six digits are mailed to the typed address. The answer is the same for every address, and STORES is not asked.

    A mailed link would open outside LINE and lose the session, so that it is a code here. 503 where the mail server
    takes nothing at this moment: then no code is on its way.
    """
    shop = await runtime.db.read(open_shop, body.store_code)
    contact = contact_of(body.email, body.phone_number, body.name or "")
    await mail_code(runtime, shop, contact, visitor.user_id, client_key(request))
    return _SENT


@router.post(
    "/identity/confirm",
    summary="Prove the address with the code, and link",
    responses=raises(*_SHOP, WrongCode, CodeSpent, CustomerLinkConflict, *_STORES, RateLimited),
)
async def confirm_identity(body: CodeForm, visitor: ConfirmingVisitorDep, runtime: RuntimeDep) -> LinkConfirmed:
    """A right code, and STORES knows exactly one such customer: the LINE user is linked with it.

    409 `LINK_CONFLICT` where another LINE user holds the customer; the same code with `transfer` takes it over, and the
    other LINE user is told. 410 after ten minutes or five tries. The code still works after a conflict, and after
    STORES did not answer.
    """
    keys = IdentityKeys(runtime.part(KeyRing))
    shop = await runtime.db.read(open_shop, body.store_code)
    proof = await runtime.db.write(try_code, keys, shop.id, visitor.user_id, body.code)
    if isinstance(proof, Problem):
        raise proof
    found = await _found_by(runtime, visitor, shop, proof)
    problem = problem_of_snapshot(found)
    if problem is not None:
        raise problem
    now = runtime.db.clock.now()
    if found.stores_customer_id is None:
        return confirmed(shop, found, now)
    pair = CustomerPair(shop.id, visitor.user_id, found.stores_customer_id)
    action = await runtime.db.write(confirm_link, pair, proof.id, visitor.actor, transfer=body.transfer)
    if action is LinkAction.TRANSFER:
        runtime.work.send()
    return confirmed(shop, found, now, transferred=action is LinkAction.TRANSFER)


async def _found_by(runtime: Runtime, visitor: Visitor, shop: VisitedShop, proof: StoredProof) -> CustomerSnapshot:
    """What STORES says about the proved contact. It is asked once for each code, unless it did not answer."""
    keys, token = IdentityKeys(runtime.part(KeyRing)), visitor.credentials.token
    known, _ = await runtime.db.read(snapshot_of, keys.ring, token, shop.id)
    if known.proof_id == proof.id and known.state == "found":
        return known
    contact = keys.opened(shop.id, proof.contact_enc)
    found = await jobs.identify(runtime, shop.id, "line", contact.payload)
    await runtime.db.write(keep_answer, keys.ring, token, shop.id, proof.id, found)
    return found


@router.get("/shops", summary="The shops, and where I am linked")
async def visited_shops(visitor: VisitorDep, runtime: RuntimeDep) -> VisitedShops:
    """All open shops by name. STORES is not asked."""
    return await runtime.db.read(_visited_shops, visitor.user_id)


def _visited_shops(tx: ReadTx, line_user_id: str) -> VisitedShops:
    links = linked_shops(tx, line_user_id)
    return VisitedShops(
        shops=[VisitedShopItem(**contacts_of(shop).model_dump(), linked=shop.id in links) for shop in open_shops(tx)]
    )


@router.get("/shops/{store_code}", summary="A shop, and who I am there", responses=raises(*_SHOP))
async def own_shop(store_code: StorePath, visitor: VisitorDep, runtime: RuntimeDep) -> LinkedShop:
    """Not linked, linked, or linked with a customer whom STORES does not know any more; each has its own message.

    STORES is asked once in a session, with two requests at most, and not at all without a link.
    """
    shop = await runtime.db.read(open_shop, store_code)
    found = await linked.customer_in_shop(runtime, visitor, shop)
    return linked_shop(shop, found, runtime.db.clock.now())


@router.post(
    "/shops/{store_code}/refresh",
    summary="Ask STORES again",
    responses=raises(*_SHOP, CustomerGone, RateLimited, *_STORES),
)
async def refresh_own_shop(
    store_code: StorePath,
    _body: ReportedChange,
    visitor: VisitorDep,
    runtime: RuntimeDep,
) -> LinkedShop:
    """The person says that a reservation has changed: one question to STORES, at most once a minute."""
    shop = await runtime.db.read(open_shop, store_code)
    found, problem = await linked.refresh(runtime, visitor, shop)
    if problem is not None:
        raise problem
    return linked_shop(shop, found, runtime.db.clock.now())
