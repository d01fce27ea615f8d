import asyncio
from concurrent.futures import ThreadPoolExecutor

from fastapi import APIRouter, Depends, Request, Response

from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import Locked, WrongCredentials
from tsudoi.access.admins.schemas import AdminList, LoginRequest, LoginResponse, Me
from tsudoi.access.api_description import raises
from tsudoi.access.cookies import clear_cookie, cookie_name, set_cookie
from tsudoi.access.errors import CrossSite
from tsudoi.access.guard import AdminDep, DatabaseDep, SettingsDep, client_of, require_json, require_same_origin
from tsudoi.access.principals import ADMIN_COOKIE
from tsudoi.core import sessions
from tsudoi.core.passwords import check_password

DEVICE_COOKIE = "tsudoi_device"

# Separate threads, so that slow calls to other systems do not delay log-ins.
_HASHING = ThreadPoolExecutor(2, thread_name_prefix="hashing")

router = APIRouter(prefix="/api/admin", tags=["access"])


@router.post(
    "/login",
    summary="Log in as an administrator",
    dependencies=[Depends(require_same_origin), Depends(require_json)],
    responses=raises(WrongCredentials, CrossSite, Locked),
)
async def login(
    body: LoginRequest, request: Request, response: Response, settings: SettingsDep, db: DatabaseDep
) -> LoginResponse:
    """Sets an HttpOnly session cookie and returns the CSRF token for it.

    Five failures in a row lock the name for ten minutes: 429 `LOCKED` with `Retry-After`. The same is said of names
    that do not exist.
    """
    device = request.cookies.get(cookie_name(settings, DEVICE_COOKIE))
    attempt = await db.write(service.begin_login, body.username, device, client_of(request))
    attempt.request_count.raise_if_refused()
    if not attempt.admitted and attempt.locked_until is not None:
        raise Locked(attempt.locked_until, db.clock.now())
    admin = attempt.account
    matches = await asyncio.get_running_loop().run_in_executor(
        _HASHING, check_password, body.password, admin.password_hash if admin else None
    )
    if admin is None or not matches:
        await db.write(service.fail_login, attempt)
        if attempt.locked_until is not None:
            raise Locked(attempt.locked_until, db.clock.now())
        raise WrongCredentials
    done = await db.write(service.finish_login, attempt, admin, remember_device=":device:" not in attempt.key)
    set_cookie(response, settings, ADMIN_COOKIE, done.session_token, service.SESSION_LIFETIME)
    if done.device_token is not None:
        set_cookie(response, settings, DEVICE_COOKIE, done.device_token, service.DEVICE_LIFETIME)
    return LoginResponse(ok=True, csrf_token=sessions.csrf_token(done.session_token))


@router.post("/logout", status_code=204, summary="Log out")
async def logout(admin: AdminDep, response: Response, settings: SettingsDep, db: DatabaseDep) -> None:
    """Revokes the session on the server and clears its cookie."""
    await db.write(service.logout, admin.credentials.token, admin.username)
    clear_cookie(response, settings, ADMIN_COOKIE)


@router.get("/me", summary="Who is logged in")
async def me(admin: AdminDep) -> Me:
    """The administrator behind the session, with its CSRF token (for a page that was reloaded)."""
    return Me(username=admin.username, csrf_token=admin.csrf_token)


@router.get("/admins", summary="Who the administrators are")
async def admins(_admin: AdminDep, db: DatabaseDep) -> AdminList:
    """Their names and nothing else, for choosing somebody in the audit trail."""
    return await db.read(queries.names)
