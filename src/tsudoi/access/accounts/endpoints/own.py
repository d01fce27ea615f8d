from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from tsudoi.access.accounts import queries, service
from tsudoi.access.accounts.errors import WeakPassword, WrongPassword
from tsudoi.access.accounts.schemas import (
    OwnAccount,
    PasswordChange,
    PasswordChanged,
    PasswordProof,
    RecoveryCodes,
    TotpCode,
    TotpDraft,
)
from tsudoi.access.admins.errors import Locked
from tsudoi.access.admins.service import LoginBrowser, SessionTimes
from tsudoi.access.api_description import raises
from tsudoi.access.cookies import set_cookie
from tsudoi.access.errors import BrowserOnly
from tsudoi.access.guard import (
    AccountOwnerDep,
    AdminSessionDep,
    DatabaseDep,
    SettingsDep,
    client_of,
    device_of,
    guard_of,
    require_json,
)
from tsudoi.access.password_hasher import HasherDep, PasswordHasher
from tsudoi.access.principals import ADMIN_COOKIE, AccountOwner
from tsudoi.access.second_factor import service as second_factor
from tsudoi.access.second_factor.errors import NoSetUp, TotpIsRequired, WrongSetUpCode
from tsudoi.access.second_factor.rules import in_groups, set_up_uri
from tsudoi.core import sessions
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import RateLimited
from tsudoi.core.qr_code import qr_path
from tsudoi.core.rate_limit import Limit

# A stranger at an open browser must not find the code of a key that is being set up by trying.
ConfirmingOwnerDep = Annotated[
    AccountOwner, Depends(guard_of(AccountOwner, Limit("totp-set-up", 10, timedelta(minutes=15))))
]

router = APIRouter(prefix="/api/admin/account", tags=["access"], dependencies=[Depends(require_json)])


@router.get("", summary="The own account")
async def own_account(who: AdminSessionDep, db: DatabaseDep, settings: SettingsDep) -> OwnAccount:
    """The second factor, and the open sessions and tokens of the administrator who asks."""
    return await db.read(queries.own_account, who, totp_required=settings.admin_totp == "required")


@router.post(
    "/password", summary="Change the own password", responses=raises(WrongPassword, WeakPassword, BrowserOnly, Locked)
)
async def change_password(
    body: PasswordChange,
    who: AccountOwnerDep,
    request: Request,
    response: Response,
    db: DatabaseDep,
    settings: SettingsDep,
    hasher: HasherDep,
) -> PasswordChanged:
    """Ends all sessions and tokens of the person. This browser gets a new session."""
    service.require_strong(body.new_password, who.username, settings)
    proven = await _prove(db, hasher, who, body.current_password)
    if body.new_password == body.current_password:
        raise WeakPassword("今とは違うパスワードにしてください。")
    new_hash, times = await hasher.hashed(body.new_password), SessionTimes.of(settings)
    here = LoginBrowser(client_of(request), device_of(request))
    token, ended = await db.write(service.change_own_password, who, proven, new_hash, here, times)
    set_cookie(response, settings, ADMIN_COOKIE, token, times.longest)
    return PasswordChanged(csrf_token=sessions.csrf_token(token), ended=ended)


@router.post("/totp", summary="Begin to set up the second factor", responses=raises(WrongPassword, BrowserOnly, Locked))
async def begin_totp(
    body: PasswordProof, who: AccountOwnerDep, db: DatabaseDep, settings: SettingsDep, hasher: HasherDep
) -> TotpDraft:
    """A new key for the app. It counts as soon as a code confirms it; a key that is in use counts until then."""
    await _prove(db, hasher, who, body.current_password)
    secret = await db.write(second_factor.begin, who.admin_id)
    uri = set_up_uri(secret, who.username, settings.organisation_name)
    size, path = qr_path(uri)
    return TotpDraft(secret=in_groups(secret), uri=uri, qr_size=size, qr_path=path)


@router.post(
    "/totp/confirmation",
    summary="Switch the second factor on",
    responses=raises(WrongSetUpCode, BrowserOnly, NoSetUp, RateLimited),
)
async def confirm_totp(body: TotpCode, who: ConfirmingOwnerDep, db: DatabaseDep) -> RecoveryCodes:
    """A code of the app proves that it has the key. The recovery codes are shown this once.

    The key works for 15 minutes, and ten codes may be tried in that time.
    """
    return RecoveryCodes(codes=await db.write(second_factor.confirm, who.admin_id, who.username, body.code))


@router.post(
    "/totp/removal",
    status_code=204,
    summary="Switch the second factor off",
    responses=raises(WrongPassword, BrowserOnly, NoSetUp, TotpIsRequired, Locked),
)
async def remove_totp(
    body: PasswordProof, who: AccountOwnerDep, db: DatabaseDep, settings: SettingsDep, hasher: HasherDep
) -> None:
    """The recovery codes are void too. 409 where this installation requires a second factor."""
    await _prove(db, hasher, who, body.current_password)
    await db.write(service.remove_own_totp, who, settings)


@router.post(
    "/recovery-codes",
    summary="Make new recovery codes",
    responses=raises(WrongPassword, BrowserOnly, NoSetUp, Locked),
)
async def renew_recovery_codes(
    body: PasswordProof, who: AccountOwnerDep, db: DatabaseDep, hasher: HasherDep
) -> RecoveryCodes:
    """Ten new ones, shown this once; the former ones are void."""
    await _prove(db, hasher, who, body.current_password)
    return RecoveryCodes(codes=await db.write(second_factor.renew_codes, who.admin_id, who.username))


async def _prove(db: Database, hasher: PasswordHasher, who: AccountOwner, password: str) -> str:
    """Check the present password, and return the hash that it was checked against."""
    attempt = await db.write(service.begin_proof, who)
    if not attempt.admitted and attempt.locked_until is not None:
        raise Locked(attempt.locked_until, db.clock.now())
    right = await hasher.matches(password, attempt.password_hash)
    await db.write(service.end_proof, who, right=right)
    if not right:
        raise WrongPassword
    return attempt.password_hash
