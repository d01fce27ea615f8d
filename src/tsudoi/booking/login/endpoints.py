"""`/auth/*`: log-in of staff. As under `/api`: JSON only, never cached, and cookies from our own pages only."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Header, Request, Response

from tsudoi.access import principals
from tsudoi.access.api_description import raises
from tsudoi.access.cookies import clear_cookie, cookie_name, set_cookie
from tsudoi.access.errors import CrossSite
from tsudoi.access.guard import DatabaseDep, RuntimeDep, SettingsDep, client_of
from tsudoi.booking.identity.errors import BadToken, NotActive
from tsudoi.booking.identity.rules import ReadToken, read_refresh_token
from tsudoi.booking.login import queries, service
from tsudoi.booking.login.errors import ActivationExpired, BadRefreshToken, NetworkNotAllowed
from tsudoi.booking.login.rules import is_allowed_network
from tsudoi.booking.login.schemas import (
    LoginOptions,
    QrPicture,
    RefreshRequest,
    StaffDoor,
    StaffLoginRequest,
    StaffLoginResponse,
    Tokens,
    Transport,
)
from tsudoi.booking.login.service import Client, IssuedTokens, TokenPolicy
from tsudoi.booking.pins.errors import PinLocked, WrongPin
from tsudoi.booking.pins.jobs import PinHasher, needs_rehash
from tsudoi.booking.principals import StaffSession
from tsudoi.core.errors import Problem, RateLimited
from tsudoi.core.hash_queue import HasherBusy
from tsudoi.core.qr_code import qr_path
from tsudoi.core.rate_limit import RateLimitResult
from tsudoi.core.settings import Settings
from tsudoi.line.overview.service import ask_add_friend_url

# For the API description only; `StaffSession` reads the header.
Authorization = Annotated[str | None, Header(alias="authorization", description="`Bearer <accessToken>`.")]
# Both cookies go to /auth only, and only from our own pages.
REFRESH_COOKIE, DEVICE_COOKIE, COOKIE_PATH = "tsudoi_staff", "tsudoi_staff_device", "/auth"

router = APIRouter(prefix="/auth", tags=["booking"])
door = APIRouter(prefix="/api", tags=["booking"])


async def _guard(request: Request, settings: SettingsDep) -> None:
    principals.require_same_origin(request, settings)
    principals.require_json(request)


async def _guard_log_out(request: Request, settings: SettingsDep) -> None:
    """As `_guard`, but a request without a body needs no type: there is nothing that another site could put into it."""
    principals.require_same_origin(request, settings)
    if principals.has_body(request):
        principals.require_json(request)


@router.get("/options", summary="What the log-in page has to know")
async def options(settings: SettingsDep) -> LoginOptions:
    """Whether people may register themselves: everybody, with the code that the office shows, or nobody."""
    return LoginOptions(self_registration=settings.staff_self_registration)


@door.get("/staff-door", summary="The ways into the staff portal")
async def staff_door(runtime: RuntimeDep) -> StaffDoor:
    """The portal in a browser, and the same inside LINE, each as a QR code too. Null where LINE is not set up."""
    settings = runtime.settings
    portal = f"{settings.public_base_url}/staff/"
    liff = f"{settings.liff_base}/{settings.liff_id}/staff" if settings.liff_id else None
    return StaffDoor(
        portal_url=portal,
        liff_url=liff,
        add_friend_url=await ask_add_friend_url(runtime),
        portal_qr=_qr(portal),
        liff_qr=None if liff is None else _qr(liff),
    )


def _qr(address: str) -> QrPicture:
    size, path = qr_path(address)
    return QrPicture(size=size, path=path)


@router.post(
    "/login",
    summary="Log in as a staff person",
    dependencies=[Depends(_guard)],
    response_model_exclude_none=True,
    responses=raises(
        WrongPin, NotActive, ActivationExpired, NetworkNotAllowed, CrossSite, PinLocked, RateLimited, HasherBusy
    ),
)
async def login(
    body: StaffLoginRequest, request: Request, response: Response, runtime: RuntimeDep
) -> StaffLoginResponse:
    """Five failures in a row lock the account until the office unlocks it: 423 `PIN_LOCKED`.

    A number that nobody has looks the same as a wrong PIN. With `pinMustChange` the tokens open the change of the PIN
    and nothing else.
    """
    settings, db = runtime.settings, runtime.db
    client = _client(request, body.transport)
    if not is_allowed_network(client.address, settings.staff_login_networks):
        raise NetworkNotAllowed
    device = request.cookies.get(cookie_name(settings, DEVICE_COOKIE, COOKIE_PATH))
    known = device is not None and await db.read(queries.device_key, body.staff_id, device) is not None
    with runtime.part(PinHasher).place(known=known) as place:
        attempt = await db.write(service.begin_login, body.staff_id, device, client.address)
        if isinstance(attempt, RateLimitResult):
            raise RateLimited(attempt.retry_after_seconds)
        if not attempt.admitted:
            raise PinLocked
        account = attempt.account
        if not await place.verify(body.pin, attempt.stored_hash) or account is None:
            await db.write(service.fail_login, attempt, client.address)
            raise PinLocked if attempt.is_last else WrongPin
        is_old = needs_rehash(account.pin_hash, account.pin_version)
        new_hash = await place.hash(body.pin) if is_old else None
    policy = TokenPolicy.of(settings)
    done = await db.write(
        service.finish_login, attempt, account, policy, client, new_hash=new_hash, device_token=device
    )
    if isinstance(done, Problem):
        raise done
    if done.device_token is not None:
        _set_cookie(response, settings, DEVICE_COOKIE, done.device_token, service.DEVICE_LIFETIME)
    tokens = _deliver(done.tokens, client.transport, response, settings)
    return StaffLoginResponse(
        **tokens.model_dump(), pin_must_change=done.pin_must_change, profile_complete=done.profile_complete
    )


@router.post(
    "/refresh",
    summary="Exchange a refresh token for new tokens",
    dependencies=[Depends(_guard)],
    response_model_exclude_none=True,
    responses=raises(BadRefreshToken, NotActive, CrossSite, RateLimited),
)
async def refresh(
    body: RefreshRequest, request: Request, response: Response, settings: SettingsDep, db: DatabaseDep
) -> Tokens:
    """The token comes in the body, or in the cookie that log-in has set; the next one goes back the same way.

    A token can be used once. The same request again within ten seconds gets the same tokens; later it counts as a
    stolen copy, and all sessions of the person end.
    """
    found, transport = _refresh_token(body, request, settings)
    if found is None:
        raise BadRefreshToken
    client = _client(request, transport)
    done = await db.write(service.refresh, found, TokenPolicy.of(settings), client)
    if isinstance(done, Problem):
        raise done
    return _deliver(done, transport, response, settings)


@router.post(
    "/logout",
    status_code=204,
    summary="Log out as a staff person",
    dependencies=[Depends(_guard_log_out)],
    responses=raises(BadToken, NotActive, CrossSite),
)
async def logout(
    request: Request,
    response: Response,
    settings: SettingsDep,
    db: DatabaseDep,
    body: Annotated[RefreshRequest, Body(default_factory=RefreshRequest)],
    _authorization: Authorization = None,
) -> None:
    """Ends the session of the access token and the one of the refresh token; their access tokens end too."""
    found, _ = _refresh_token(body, request, settings)
    sessions = {} if found is None else {found.claims.session_id: found.claims.staff_uid}
    try:
        credentials = StaffSession.read_credentials(request, settings)
        staff = await db.read(StaffSession.authenticate, credentials)
        sessions[staff.session_id] = staff.staff_uid
    except BadToken:
        # On a shared PC the access token may be over while the cookie is still good.
        if not sessions:
            raise
    await db.write(service.logout, sessions)
    clear_cookie(response, settings, REFRESH_COOKIE, COOKIE_PATH)


def _client(request: Request, transport: Transport) -> Client:
    return Client(client_of(request), request.headers.get("user-agent"), transport)


def _refresh_token(body: RefreshRequest, request: Request, settings: Settings) -> tuple[ReadToken | None, Transport]:
    """The refresh token of the request, or None, and how it came."""
    secret = settings.refresh_secret
    in_cookie = request.cookies.get(cookie_name(settings, REFRESH_COOKIE, COOKIE_PATH))
    token = body.refresh_token or in_cookie
    found = read_refresh_token(secret.get_secret_value(), token) if secret and token else None
    return found, "body" if body.refresh_token else "cookie"


def _deliver(tokens: IssuedTokens, transport: Transport, response: Response, settings: Settings) -> Tokens:
    """Put the refresh token into the body, or into the cookie, where no script can read it."""
    in_cookie = transport == "cookie"
    if in_cookie:
        _set_cookie(response, settings, REFRESH_COOKIE, tokens.refresh_token, None)
    return Tokens(
        access_token=tokens.access_token,
        refresh_token=None if in_cookie else tokens.refresh_token,
        expires_in=tokens.expires_in,
    )


def _set_cookie(response: Response, settings: Settings, name: str, value: str, lifetime: timedelta | None) -> None:
    set_cookie(response, settings, name, value, lifetime, path=COOKIE_PATH, samesite="strict")
