from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep
from tsudoi.access.registration import ActiveContexts
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import BUSY, LineUnreachable, Quota
from tsudoi.line.guard import LineClientDep
from tsudoi.line.overview import queries
from tsudoi.line.overview.schemas import LineQuota, OfficialAccount, Overview
from tsudoi.line.overview.service import AccountName

router = APIRouter(prefix="/api/admin", tags=["line"])


@router.get("/overview", summary="Data of the home screen")
async def overview(_admin: AdminDep, runtime: RuntimeDep) -> Overview:
    """Numbers of friends, the last webhook, the events that wait or have failed, the worker, and the last backup."""
    return await runtime.db.read(queries.overview, runtime.settings, runtime.part(ActiveContexts))


@router.get("/line/account", summary="The official account's name")
async def account(runtime: RuntimeDep, _admin: AdminDep, line: LineClientDep) -> OfficialAccount:
    """LINE is called once an hour at most. If LINE does not answer, this returns the last known name, or null."""
    name, pool = runtime.part(AccountName), line.policies.account.pool
    return OfficialAccount(display_name=await line.gateway.threads.run(pool, name.now, if_busy=name.known))


@router.get("/line/quota", summary="Messages that can still be sent this month")
async def quota(_admin: AdminDep, line: LineClientDep, db: DatabaseDep) -> LineQuota:
    """Calls LINE now. If LINE does not answer, `known` is false and `why_not` holds the reason."""
    ask = LineAccount(line, db.clock).quota
    found = await line.gateway.threads.run(line.policies.account.pool, ask, if_busy=LineUnreachable(BUSY))
    if not isinstance(found, Quota):
        return LineQuota(known=False, limit=None, used=None, left=None, why_not=found.reason)
    return LineQuota(known=True, limit=found.limit, used=found.used, left=found.left, why_not=None)
