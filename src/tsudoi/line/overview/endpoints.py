from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep, SettingsDep
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import BUSY, LineUnreachable, Quota
from tsudoi.line.guard import LineClientDep
from tsudoi.line.overview import queries
from tsudoi.line.overview.schemas import Account, Overview, QuotaNow
from tsudoi.line.overview.service import AccountName

router = APIRouter(prefix="/api/admin", tags=["line"])


@router.get("/overview", summary="What the home screen shows")
async def overview(_admin: AdminDep, settings: SettingsDep, db: DatabaseDep) -> Overview:
    """Friends, the last word from LINE, and whether anything waits for a person."""
    configured = bool(settings.line_channel_secret and settings.line_channel_access_token)
    return await db.read(queries.overview, line_configured=configured)


@router.get("/line/account", summary="The official account's name")
async def account(runtime: RuntimeDep, _admin: AdminDep, line: LineClientDep) -> Account:
    """As LINE tells it, asked for once an hour at most. LINE that is away is no error: the last name known, or null."""
    name, pool = runtime.part(AccountName), line.policies.account.pool
    return Account(display_name=await line.gateway.threads.run(pool, name.now, if_busy=name.known))


@router.get("/line/quota", summary="How many messages LINE still lets us send this month")
async def quota(_admin: AdminDep, line: LineClientDep, db: DatabaseDep) -> QuotaNow:
    """Asks LINE now. When LINE cannot be asked, `known` is false and the reason is told."""
    ask = LineAccount(line, db.clock).quota
    found = await line.gateway.threads.run(line.policies.account.pool, ask, if_busy=LineUnreachable(BUSY))
    if not isinstance(found, Quota):
        return QuotaNow(known=False, limit=None, used=None, left=None, why_not=found.reason)
    return QuotaNow(known=True, limit=found.limit, used=found.used, left=found.left, why_not=None)
