"""The help page as JSON, for pages of the shop's own."""

from fastapi import APIRouter, Depends, Request

from tsudoi.access.api_description import raises
from tsudoi.access.errors import CrossSite
from tsudoi.access.guard import RuntimeDep, client_key, require_json, require_same_origin
from tsudoi.core.errors import RateLimited
from tsudoi.shops.identity.endpoints import asking
from tsudoi.shops.identity.endpoints.help_pages import StorePath
from tsudoi.shops.identity.errors import MailIsOff
from tsudoi.shops.identity.rules.contacts import contact_of
from tsudoi.shops.identity.rules.proofs import HELP_LINK, LIFETIMES
from tsudoi.shops.identity.schemas import ContactForm, HelpSession, MailRequested
from tsudoi.shops.identity.service.help_sessions import keep_open
from tsudoi.shops.identity.service.showing import help_session
from tsudoi.shops.principals import CustomerDep
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots.errors import CustomerGone, StoresBusy, StoresFailed, StoresNotReady
from tsudoi.shops.snapshots.service import snapshot_of
from tsudoi.shops.storefront.errors import NoHelpSession, NoSuchStorefront, ShopClosed
from tsudoi.shops.storefront.queries import open_shop

router = APIRouter(prefix="/api/help", tags=["shops"])

_CUSTOMER = (NoHelpSession, NoSuchStorefront, ShopClosed)
_SENT = MailRequested(
    ok=True,
    expires_in_minutes=int(LIFETIMES[HELP_LINK].total_seconds() // 60),
    message="確認メールをお送りします。届いたメールのリンクを開き、ボタンを押してください。",
)


@router.post(
    "/{store_code}/identify",
    status_code=202,
    summary="Ask for the mail that proves an address",
    dependencies=[Depends(require_same_origin), Depends(require_json)],
    responses=raises(CrossSite, NoSuchStorefront, ShopClosed, RateLimited, MailIsOff),
)
async def identify(store_code: StorePath, body: ContactForm, request: Request, runtime: RuntimeDep) -> MailRequested:
    """A link is mailed to the typed address. The answer is the same for every address, and STORES is not asked.

    At most five mails go to one address within an hour; the answer stays the same. 503 where the mail server takes
    nothing at this moment: then no mail is on its way.
    """
    shop = await runtime.db.read(open_shop, store_code)
    contact = contact_of(body.email, body.phone_number, body.name or "")
    await asking.mail_link(runtime, shop, contact, client_key(request))
    return _SENT


@router.get(
    "/{store_code}/session",
    summary="What the session of this browser knows",
    responses=raises(*_CUSTOMER),
)
async def session(store_code: StorePath, customer: CustomerDep, runtime: RuntimeDep) -> HelpSession:  # noqa: ARG001 (the principal reads it)
    """Who was found, masked, and the reservations. It asks STORES for nothing, and keeps the session alive."""
    token, ring = customer.credentials.token, runtime.part(KeyRing)
    await runtime.db.write(keep_open, token, customer.expires_at)
    snapshot, _ = await runtime.db.read(snapshot_of, ring, token, customer.shop.id)
    now = runtime.db.clock.now()
    return help_session(customer.shop, snapshot, now, customer.csrf_token, customer.expires_at)


@router.post(
    "/{store_code}/refresh",
    summary="Ask STORES again",
    responses=raises(
        NoHelpSession,
        CrossSite,
        NoSuchStorefront,
        CustomerGone,
        ShopClosed,
        RateLimited,
        StoresFailed,
        StoresBusy,
        StoresNotReady,
    ),
)
async def refresh(store_code: StorePath, customer: CustomerDep, runtime: RuntimeDep) -> HelpSession:  # noqa: ARG001 (the principal reads it)
    """The person says that a reservation has changed: one question to STORES, at most once a minute.

    Where STORES does not answer, the session keeps what it knew.
    """
    snapshot, problem = await asking.refresh(runtime, customer)
    if problem is not None:
        raise problem
    now = runtime.db.clock.now()
    return help_session(customer.shop, snapshot, now, customer.csrf_token, customer.expires_at)
