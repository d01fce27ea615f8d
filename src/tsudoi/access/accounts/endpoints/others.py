from typing import Annotated

from fastapi import APIRouter, Depends, Path

from tsudoi.access.accounts import queries, service
from tsudoi.access.accounts.errors import OwnAccountElsewhere
from tsudoi.access.accounts.schemas import ManagedAccounts, NewAccount, OneTimePassword, SessionsEnded
from tsudoi.access.admins import service as admins
from tsudoi.access.admins.errors import LastAdmin, NoSuchAdmin, NoSuchSession, UsernameTaken
from tsudoi.access.admins.queries import username_of
from tsudoi.access.api_description import raises
from tsudoi.access.errors import BrowserOnly
from tsudoi.access.guard import AccountManagerDep, AdminDep, DatabaseDep, require_json
from tsudoi.access.password_hasher import HasherDep
from tsudoi.access.principals import AccountManager
from tsudoi.access.second_factor.errors import NoSetUp
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import Tx

router = APIRouter(prefix="/api/admin/accounts", tags=["access"], route_class=TransactionRoute)

AdminId = Annotated[int, Path(ge=1, le=2**53, description="The administrator.")]
SessionId = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="The session or token.")]


@router.get("", summary="The accounts of all administrators")
async def accounts(who: AdminDep, db: DatabaseDep) -> ManagedAccounts:
    """Whether they are enabled and have a second factor, and from where they are logged in."""
    return await db.read(queries.all_accounts, who)


@router.post(
    "",
    status_code=201,
    summary="Make an administrator",
    dependencies=[Depends(require_json)],
    responses=raises(BrowserOnly, UsernameTaken),
)
async def create(body: NewAccount, who: AccountManagerDep, db: DatabaseDep, hasher: HasherDep) -> OneTimePassword:
    """With a one-time password that is shown once, and that the person has to change at the first log-in."""
    password = service.new_one_time_password()
    return await db.write(service.create, who, body.username, password, await hasher.hashed(password))


@router.post(
    "/{admin_id}/password-reset",
    summary="Give another administrator a one-time password",
    responses=raises(BrowserOnly, NoSuchAdmin, OwnAccountElsewhere),
)
async def reset_password(
    admin_id: AdminId, who: AccountManagerDep, db: DatabaseDep, hasher: HasherDep
) -> OneTimePassword:
    """Ends the sessions and tokens of that person, who has to choose a new password at the next log-in.

    This route takes no idempotency key, because the password must not be stored with one.
    """
    password = service.new_one_time_password()
    return await db.write(service.reset_password, who, admin_id, password, await hasher.hashed(password))


@router.post(
    "/{admin_id}/disable",
    summary="Disable an administrator",
    responses=raises(BrowserOnly, NoSuchAdmin, LastAdmin),
)
def disable(tx: Tx, who: AccountManager, admin_id: AdminId) -> SessionsEnded:
    """The sessions, tokens and live streams end at once. The last enabled administrator cannot be disabled."""
    return SessionsEnded(ended=admins.disable(tx, username_of(tx, admin_id), who.actor))


@router.post(
    "/{admin_id}/enable",
    status_code=204,
    summary="Enable an administrator again",
    responses=raises(BrowserOnly, NoSuchAdmin),
)
def enable(tx: Tx, who: AccountManager, admin_id: AdminId) -> None:
    """With the old password and second factor, and without the old sessions and tokens."""
    admins.enable(tx, username_of(tx, admin_id), who.actor)


@router.post(
    "/{admin_id}/revocation",
    summary="End all sessions and tokens of an administrator",
    responses=raises(BrowserOnly, NoSuchAdmin),
)
def revoke(tx: Tx, who: AccountManager, admin_id: AdminId) -> SessionsEnded:
    """The session of this very request goes on: the own account is then logged out everywhere else."""
    return SessionsEnded(ended=admins.revoke(tx, username_of(tx, admin_id), who.actor, who.credentials.token))


@router.delete(
    "/{admin_id}/sessions/{session_id}",
    status_code=204,
    summary="End one session or token",
    responses=raises(BrowserOnly, NoSuchAdmin, NoSuchSession),
)
def end_session(tx: Tx, who: AccountManager, admin_id: AdminId, session_id: SessionId) -> None:
    """It opens nothing any more, and its live streams close within a few seconds."""
    admins.revoke_one(tx, username_of(tx, admin_id), session_id, who.actor)


@router.post(
    "/{admin_id}/totp-removal",
    status_code=204,
    summary="Remove the second factor of another administrator",
    responses=raises(BrowserOnly, NoSuchAdmin, OwnAccountElsewhere, NoSetUp),
)
def remove_totp(tx: Tx, who: AccountManager, admin_id: AdminId) -> None:
    """For somebody who has lost the telephone and the recovery codes."""
    service.remove_totp(tx, who, admin_id)
