"""Who may read what is meant for the people who run the server: `/metrics`, and the description of the API."""

from typing import Literal

from starlette.requests import Request

from tsudoi.access.guard import client_of
from tsudoi.access.principals import Admin
from tsudoi.core.client_addresses import is_internal
from tsudoi.core.errors import Problem, Unauthenticated
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same

# The caller's address is the one of the connection, the one that a trusted proxy has reported, or the one of a proxy
# that we do not believe.
AddressFrom = Literal["connection", "proxy", "unknown_proxy"]


def require_watcher(request: Request, settings: Settings) -> None:
    """With `METRICS_TOKEN`: who has it. Without: who asks from an internal address. In the demo: everybody."""
    wanted = settings.metrics_token
    if wanted is not None:
        allowed = same(request.headers.get("authorization", ""), f"Bearer {wanted.get_secret_value()}")
    else:
        allowed = settings.tsudoi_demo or _asks_from_inside(request)
    if not allowed:
        raise Unauthenticated


async def require_reader(request: Request, runtime: Runtime) -> None:
    """The same for the description of the API, which an administrator may read too."""
    try:
        require_watcher(request, runtime.settings)
    except Problem:
        credentials = Admin.read_credentials(request, runtime.settings)
        await runtime.db.read(Admin.authenticate, credentials)


def address_from(request: Request) -> AddressFrom:
    """Where the address comes from. `EdgeMiddleware` sets the port to 0 where a trusted proxy has reported it."""
    if request.client is not None and request.client.port == 0:
        return "proxy"
    forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "x-real-ip"))
    return "unknown_proxy" if forwarded else "connection"


def _asks_from_inside(request: Request) -> bool:
    """A proxy that is not in `TRUSTED_PROXIES` has an internal address itself, and anybody may be behind it."""
    return is_internal(client_of(request)) and address_from(request) != "unknown_proxy"
