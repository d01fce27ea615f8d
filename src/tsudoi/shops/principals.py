"""The customer of a shop who has proved a mail address, on the help page."""

from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Self

from fastapi import Depends, Header
from starlette.requests import Request

from tsudoi.access.cookies import cookie_name
from tsudoi.access.errors import WrongCsrfToken
from tsudoi.access.guard import guard_of
from tsudoi.access.principals import SAFE_METHODS, Credentials, Principal, require_same_origin
from tsudoi.core import sessions
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same, token_hash
from tsudoi.shops.storefront.errors import NoHelpSession
from tsudoi.shops.storefront.queries import open_shop
from tsudoi.shops.storefront.rules import PROOF_ID, VisitedShop

HELP_COOKIE = "tsudoi_help"


@dataclass(frozen=True, slots=True)
class CustomerCredentials(Credentials):
    """The session of a help page, and the shop whose page it is used on."""

    store_code: str = ""


@dataclass(frozen=True, slots=True)
class Customer(Principal):
    """Somebody who proved a mail address on the help page of one shop. The session counts in this shop only."""

    headers = MappingProxyType(
        {
            "x_csrf_token": Annotated[
                str | None, Header(description="`csrf_token` of the session; needed for every write.")
            ]
        }
    )

    shop: VisitedShop
    proof_id: int
    expires_at: datetime
    credentials: Credentials

    @property
    def actor(self) -> str:
        return f"customer:{self.shop.id}:{self.proof_id}"

    @property
    def rate_key(self) -> str:
        return f"help:{token_hash(self.credentials.token)}"

    @property
    def log_fields(self) -> dict[str, str]:
        return {"principal": self.actor}

    @property
    def csrf_token(self) -> str:
        return sessions.csrf_token(self.credentials.token)

    @classmethod
    def read_credentials(cls, request: Request, settings: Settings) -> Credentials:
        require_same_origin(request, settings)
        token = help_token(request, settings)
        if not token:
            raise NoHelpSession
        given = request.headers.get("x-csrf-token", "")
        return CustomerCredentials(
            sessions.HELP,
            token,
            has_csrf_token=request.method in SAFE_METHODS or same(given, sessions.csrf_token(token)),
            store_code=str(request.path_params["store_code"]),
        )

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        found = sessions.find_session(tx, sessions.HELP, credentials.token)
        store_code = credentials.store_code if isinstance(credentials, CustomerCredentials) else ""
        shop = open_shop(tx, store_code)
        if found is None or found.subject != str(shop.id):
            raise NoHelpSession
        if not credentials.has_csrf_token:
            raise WrongCsrfToken
        return cls(shop, int(found.data.get(PROOF_ID) or 0), found.expires_at, credentials)


def help_token(request: Request, settings: Settings) -> str:
    return request.cookies.get(cookie_name(settings, HELP_COOKIE), "")


def from_own_page(request: Request, credentials: Credentials) -> Credentials:
    """A form of our page has no CSRF token, so that two people's pages do not differ; its origin has to be ours.

    `read_credentials` has compared the origin, and every browser that sends a form names it.
    """
    return replace(credentials, has_csrf_token="origin" in request.headers)


CustomerDep = Annotated[Customer, Depends(guard_of(Customer))]
