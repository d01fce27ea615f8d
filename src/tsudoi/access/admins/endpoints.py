from datetime import datetime

from fastapi import APIRouter, Depends, Request, Response

from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import (
    Locked,
    OneTimePasswordTooOld,
    SecondFactorMissing,
    WrongCredentials,
    WrongSecondFactor,
)
from tsudoi.access.admins.schemas import AdminList, LoginRequest, LoginResponse, Me
from tsudoi.access.admins.service import LoggedIn, LoginAttempt, LoginBrowser, SessionTimes
from tsudoi.access.api_description import raises
from tsudoi.access.cookies import clear_cookie, cookie_name, set_cookie
from tsudoi.access.errors import CrossSite
from tsudoi.access.guard import (
    AdminDep,
    AdminSessionDep,
    DatabaseDep,
    RuntimeDep,
    SettingsDep,
    client_key,
    client_of,
    device_of,
    require_json,
    require_same_origin,
)
from tsudoi.access.password_hasher import PasswordHasher
from tsudoi.access.principals import ADMIN_COOKIE
from tsudoi.core import sessions
from tsudoi.core.errors import Problem, Unauthenticated
from tsudoi.core.hash_queue import HasherBusy

DEVICE_COOKIE = "tsudoi_device"

router = APIRouter(prefix="/api/admin", tags=["access"])


@router.post(
    "/login",
    summary="Log in as an administrator",
    dependencies=[Depends(require_same_origin), Depends(require_json)],
    responses=raises(
        WrongCredentials, OneTimePasswordTooOld, SecondFactorMissing, WrongSecondFactor, CrossSite, Locked, HasherBusy
    ),
)
async def login(body: LoginRequest, request: Request, response: Response, runtime: RuntimeDep) -> LoginResponse:
    """Sets an HttpOnly session cookie and returns the CSRF token for it.

    Five failures in a row lock the name for ten minutes: 429 `LOCKED` with `Retry-After`. The same is said of names
    that do not exist. While too many log-ins wait to be checked: 503, and nothing is counted. With a second factor the
    right password alone gets 401 `TOTP_REQUIRED`; the same request with the `code` follows. A session that the browser
    had before ends.
    """
    settings, db, hasher = runtime.settings, runtime.db, runtime.part(PasswordHasher)
    device = request.cookies.get(cookie_name(settings, DEVICE_COOKIE))
    known = device is not None and await db.read(queries.knows_device, body.username, device)
    with hasher.queue.place(known=known) as place:
        attempt = await db.write(service.begin_login, body.username, device, client_key(request))
        attempt.request_count.raise_if_refused()
        if not attempt.admitted and attempt.locked_until is not None:
            raise Locked(attempt.locked_until, db.clock.now())
        admin = attempt.account
        right = await hasher.verify(place, body.password, admin.password_hash if admin else None)
    if admin is None or not right:
        await db.write(service.fail_login, attempt)
        raise _refusal(attempt, WrongCredentials(), db.clock.now())
    here = LoginBrowser(
        client_of(request), device_of(request), request.cookies.get(cookie_name(settings, ADMIN_COOKIE))
    )
    times = SessionTimes.of(settings)
    done = await db.write(service.finish_login, attempt, admin, here, times, body.code)
    if not isinstance(done, LoggedIn):
        raise _refusal(attempt, done, db.clock.now())
    set_cookie(response, settings, ADMIN_COOKIE, done.session_token, times.longest)
    if done.device_token is not None:
        set_cookie(response, settings, DEVICE_COOKIE, done.device_token, service.DEVICE_LIFETIME)
    return LoginResponse(ok=True, csrf_token=sessions.csrf_token(done.session_token))


def _refusal(attempt: LoginAttempt, why: Unauthenticated, now: datetime) -> Problem:
    """The attempt that sets the lock says so, unless the code is what is asked for next."""
    if attempt.locked_until is None or isinstance(why, SecondFactorMissing):
        return why
    return Locked(attempt.locked_until, now)


@router.post("/logout", status_code=204, summary="Log out")
async def logout(admin: AdminSessionDep, response: Response, settings: SettingsDep, db: DatabaseDep) -> None:
    """Revokes the session on the server and clears its cookie."""
    await db.write(service.logout, admin.credentials.token, admin.username)
    clear_cookie(response, settings, ADMIN_COOKIE)


@router.get("/me", summary="Who is logged in")
async def me(admin: AdminSessionDep) -> Me:
    """The administrator behind the session, with its CSRF token (for a page that was reloaded).

    While `next_step` is not null, everything else is refused with 403 `PASSWORD_CHANGE_REQUIRED` or
    `TOTP_SETUP_REQUIRED`.
    """
    return Me(username=admin.username, csrf_token=admin.csrf_token, next_step=admin.next_step)


@router.get("/admins", summary="Who the administrators are")
async def admins(_admin: AdminDep, db: DatabaseDep) -> AdminList:
    """Their names and nothing else, for choosing somebody in the audit trail."""
    return await db.read(queries.names)
