from datetime import timedelta

from fastapi import APIRouter, Depends

from tsudoi.access.guard import AdminDep, RuntimeDep, require_json
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Unavailable
from tsudoi.gateway.http import HttpGateway, Pool
from tsudoi.shops.connectivity import queries, service
from tsudoi.shops.connectivity.schemas import CheckHistory, CheckOutcome, CheckRequest

router = APIRouter(prefix="/api/admin/connectivity", tags=["shops"], route_class=TransactionRoute)

_CHECKING = Pool("connectivity", 2, longest_wait=timedelta(seconds=70))


@router.get("", summary="Checks of the outside systems")
def history(tx: ReadTx, _admin: Admin) -> CheckHistory:
    """The newest thirty. Nothing is checked by itself: STORES limits how often it may be asked."""
    return queries.check_history(tx)


@router.post("", summary="Check the outside systems now", dependencies=[Depends(require_json)])
async def check(admin: AdminDep, runtime: RuntimeDep, body: CheckRequest) -> CheckOutcome:
    """One question to each system, without repetitions. Nobody gets a message. 200 also when a system is down."""
    threads = runtime.part(HttpGateway).threads
    found = await threads.run(_CHECKING, service.check_now, runtime, body.targets, admin.actor, if_busy=None)
    if found is None:
        raise Unavailable("時間内に確認できませんでした。少し待ってからお試しください。")
    return found
