"""`/help/{store_code}`: the page at the door. It needs no script, and says at every step what happens next."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.access.guard import RuntimeDep, client_key
from tsudoi.access.principals import require_same_origin
from tsudoi.core.errors import InvalidInput, NotFound, UnsupportedMediaType
from tsudoi.shops.identity.endpoints.asking import mail_link
from tsudoi.shops.identity.endpoints.customer_pages import customer_page, known_customer
from tsudoi.shops.identity.endpoints.pages import ASSETS, HelpPageRoute, asset, html_responses, page, page_of
from tsudoi.shops.identity.errors import MailIsDown, MailIsOff
from tsudoi.shops.identity.rules.contacts import contact_of
from tsudoi.shops.identity.rules.forms import HelpForm, form_again, form_values
from tsudoi.shops.storefront.queries import open_shop

router = APIRouter(prefix="/help", tags=["shops"], route_class=HelpPageRoute)

StorePath = Annotated[str, Path(description="The shop's code.")]
_FOREVER = "public, max-age=31536000, immutable"
_FORM_TYPE = "application/x-www-form-urlencoded"
_TEXT = {"schema": {"type": "string"}, "example": "…"}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": dict.fromkeys(ASSETS.values(), _TEXT)},
    **html_responses(400, 404, 503),
}
_FORM = {
    "requestBody": {
        "content": {
            _FORM_TYPE: {
                "schema": {"type": "object", "additionalProperties": {"type": "string"}},
                "example": {"email": "taro@example.jp", "phone_number": "090-1234-5678", "name": "山田 太郎"},
            }
        }
    }
}


@router.get(
    "/{store_code}",
    summary="The help page of a shop",
    response_class=Response,
    responses=html_responses(200, 400, 404, 410, 503),
)
async def help_page(store_code: StorePath, request: Request, runtime: RuntimeDep) -> Response:
    """The form, or what is known to the session of this browser. It asks STORES for nothing."""
    customer = await known_customer(request, runtime)
    if customer is not None:
        return await customer_page(runtime, customer)
    shop = await runtime.db.read(open_shop, store_code)
    return page(runtime.settings, "form.html", shop, form=HelpForm())


router.add_api_route("/{store_code}", help_page, methods=["HEAD"], include_in_schema=False)


@router.post(
    "/{store_code}/identify",
    status_code=202,
    summary="Ask for the mail, by the form of the page",
    response_class=Response,
    responses=html_responses(202, 400, 403, 404, 410, 413, 415, 429, 503),
    openapi_extra=_FORM,
)
async def identify_by_form(store_code: StorePath, request: Request, runtime: RuntimeDep) -> Response:
    """A link is mailed to the typed address. But for the address the page is the same for every one, known or not.

    503 where the mail server takes nothing at this moment: the page says that no mail is on its way, and the ways on.
    """
    require_same_origin(request, runtime.settings)
    shop = await runtime.db.read(open_shop, store_code)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM_TYPE:
        raise UnsupportedMediaType
    typed = form_values(await request.body())
    try:
        contact = contact_of(**typed)
    except InvalidInput as problem:
        again = form_again(typed, problem.details)
        return page(runtime.settings, "form.html", shop, problem.status, form=again)
    again = form_again(typed)
    try:
        sender = await mail_link(runtime, shop, contact, client_key(request))
    except MailIsOff as problem:
        may_pass = isinstance(problem, MailIsDown)
        return page(
            runtime.settings, "no_mail.html", shop, problem.status, problem.headers, form=again, may_pass=may_pass
        )
    return page(runtime.settings, "sent.html", shop, 202, sender=sender, address=contact.email, form=again)


async def back(store_code: StorePath, runtime: RuntimeDep) -> Response:
    """Somebody reloads a page that answered a form, so that the browser asks with GET, or typed a stroke at the end."""
    shop = await runtime.db.read(open_shop, store_code)
    return RedirectResponse(page_of(shop), 303)


for step in ("identify", "refresh", "end", ""):
    router.add_api_route(
        f"/{{store_code}}/{step}",
        back,
        methods=["GET"],
        status_code=303,
        summary="Back to the help page",
        response_class=Response,
        responses={200: {"description": "Never."}, **html_responses(404, 410, 503)},
    )


@router.get("/assets/{name}", summary="A file of the help pages", response_class=Response, responses=_FILE)
async def help_file(name: Annotated[str, Path(description="`page.css`, `press.js` or `icon.svg`.")]) -> Response:
    """The style sheet and the icon."""
    if name not in ASSETS:
        raise NotFound
    return Response(asset(name), headers={"cache-control": _FOREVER}, media_type=ASSETS[name])
