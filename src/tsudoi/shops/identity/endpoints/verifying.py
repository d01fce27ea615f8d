"""`/help/{store_code}/verify/{token}`: the mailed link. Mail programs open links, so only the button uses it up."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.access.cookies import clear_cookie, set_cookie
from tsudoi.access.guard import RuntimeDep
from tsudoi.access.principals import require_same_origin
from tsudoi.core import sessions
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Problem, RateLimited
from tsudoi.core.runtime import Runtime
from tsudoi.core.tokens import token_hash
from tsudoi.shops.identity.endpoints.asking import identify, refresh
from tsudoi.shops.identity.endpoints.customer_pages import snapshot_page
from tsudoi.shops.identity.endpoints.help_pages import StorePath
from tsudoi.shops.identity.endpoints.pages import HelpPageRoute, html_responses, page, page_of
from tsudoi.shops.identity.errors import LinkSpent
from tsudoi.shops.identity.queries import proof_by_secret
from tsudoi.shops.identity.rules.proofs import StoredProof
from tsudoi.shops.identity.service.help_sessions import open_help_session
from tsudoi.shops.principals import HELP_COOKIE, Customer, from_own_page, help_token
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots.rules.outcomes import problem_of_snapshot
from tsudoi.shops.snapshots.service import snapshot_of
from tsudoi.shops.storefront.queries import open_shop
from tsudoi.shops.storefront.rules import PROOF_ID, VisitedShop

router = APIRouter(prefix="/help", tags=["shops"], route_class=HelpPageRoute)

Token = Annotated[str, Path(description="The token of the mailed link.")]
_ON: dict[int | str, dict[str, Any]] = {200: {"description": "Never."}, 303: {"description": "On to the help page."}}
_LONGEST_TOKEN = 200
_TOO_SOON = "確認は1分に1回までのため、いまは確認していません。少し待ってから、もう一度押してください。"


@router.get(
    "/{store_code}/verify/{token}",
    summary="The mailed link",
    response_class=Response,
    responses={303: {"description": "On to the help page."}, **html_responses(200, 404, 410, 503)},
)
async def look(store_code: StorePath, token: Token, request: Request, runtime: RuntimeDep) -> Response:
    """A page with a button. It changes nothing, however often it is opened.

    In the browser that has used the link it leads to the help page.
    """
    try:
        shop = await runtime.db.read(_shop_of_link, store_code, token)
    except LinkSpent:
        return await _on_to_own_page(request, runtime, store_code, token)
    return page(runtime.settings, "verify.html", shop, token=token)


router.add_api_route("/{store_code}/verify/{token}", look, methods=["HEAD"], include_in_schema=False)


def _shop_of_link(tx: ReadTx, store_code: str, token: str) -> VisitedShop:
    shop = open_shop(tx, store_code)
    proof = _proof_of_link(tx, shop, token)
    if proof is None or not proof.is_open(tx.now):
        raise LinkSpent
    return shop


def _proof_of_link(tx: ReadTx, shop: VisitedShop, token: str) -> StoredProof | None:
    fits = len(token) <= _LONGEST_TOKEN and token.isascii() and token.isprintable()
    return proof_by_secret(tx, shop.id, token_hash(token)) if fits else None


async def _on_to_own_page(request: Request, runtime: Runtime, store_code: str, token: str) -> Response:
    """People open the mail a second time, or reload. What they proved still holds in the browser that used the link."""
    session = help_token(request, runtime.settings)
    return RedirectResponse(page_of(await runtime.db.read(_shop_entered, store_code, token, session)), 303)


def _shop_entered(tx: ReadTx, store_code: str, token: str, session: str) -> VisitedShop:
    """Raises `LinkSpent` unless the session began with this very link."""
    shop = open_shop(tx, store_code)
    proof = _proof_of_link(tx, shop, token)
    found = sessions.find_session(tx, sessions.HELP, session) if session else None
    if proof is None or found is None or found.data.get(PROOF_ID) != str(proof.id):
        raise LinkSpent
    return shop


@router.post(
    "/{store_code}/verify/{token}",
    status_code=303,
    summary="Use the mailed link",
    response_class=Response,
    responses={**_ON, **html_responses(403, 404, 410, 502, 503)},
)
async def verify(store_code: StorePath, token: Token, request: Request, runtime: RuntimeDep) -> Response:
    """The link works once. A new session begins, and STORES is asked once who this is.

    502 or 503 where STORES could not be asked: the session has begun all the same, and the page has a button to ask
    again.
    """
    settings = runtime.settings
    require_same_origin(request, settings)
    shop = await runtime.db.read(_shop_of_link, store_code, token)
    session, proof_id = await runtime.db.write(open_help_session, shop.id, token, help_token(request, settings))
    found = await identify(runtime, session, shop.id, proof_id)
    problem = problem_of_snapshot(found)
    response = RedirectResponse(page_of(shop), 303) if problem is None else snapshot_page(runtime, shop, found, problem)
    # Without a lifetime: the cookie goes with the browser, and the server ends the session before.
    set_cookie(response, settings, HELP_COOKIE, session, None)
    return response


@router.post(
    "/{store_code}/refresh",
    status_code=303,
    summary="Ask STORES again, by the button of the page",
    response_class=Response,
    responses={**_ON, **html_responses(401, 403, 404, 410, 429, 502, 503)},
)
async def refresh_by_form(store_code: StorePath, request: Request, runtime: RuntimeDep) -> Response:  # noqa: ARG001 (the principal reads it)
    """The person changed a reservation, or STORES did not answer before. At most once a minute."""
    credentials = from_own_page(request, Customer.read_credentials(request, runtime.settings))
    customer = await runtime.db.read(Customer.authenticate, credentials)
    problem: Problem | None
    try:
        snapshot, problem = await refresh(runtime, customer)
    except RateLimited as too_soon:
        ring = runtime.part(KeyRing)
        snapshot, _ = await runtime.db.read(snapshot_of, ring, customer.credentials.token, customer.shop.id)
        problem = RateLimited(too_soon.retry_after_seconds, _TOO_SOON)
    if problem is None:
        return RedirectResponse(page_of(customer.shop), 303)
    return snapshot_page(runtime, customer.shop, snapshot, problem)


@router.post(
    "/{store_code}/end",
    status_code=303,
    summary="End the session of this browser",
    response_class=Response,
    responses={**_ON, **html_responses(403, 404, 410, 503)},
)
async def end(store_code: StorePath, request: Request, runtime: RuntimeDep) -> Response:
    """For a phone that somebody lent. Without a session nothing happens."""
    require_same_origin(request, runtime.settings)
    shop = await runtime.db.read(open_shop, store_code)
    token = help_token(request, runtime.settings)
    if token:
        await runtime.db.write(sessions.revoke_session, token)
    response = RedirectResponse(page_of(shop), 303)
    clear_cookie(response, runtime.settings, HELP_COOKIE)
    return response
