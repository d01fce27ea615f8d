from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.calls import queries
from tsudoi.alarms.calls.errors import NoSuchCall
from tsudoi.alarms.calls.queries import CallFilter
from tsudoi.alarms.calls.rules import CallOutcome
from tsudoi.alarms.calls.schemas import CallDetail, CallPage
from tsudoi.alarms.lists import Before, OnlyShop, PageSize
from tsudoi.core.db.interface import ReadTx

router = APIRouter(prefix="/api/admin/calls", tags=["alarms"], route_class=TransactionRoute)

CallId = Annotated[int, Path(ge=1, le=2**53, description="The call.")]
RequestId = Annotated[str | None, Query(max_length=64, pattern="^[^\\x00]*$", description="Only of this request.")]
System = Annotated[
    str | None, Query(max_length=40, pattern="^[^\\x00]*$", description="Only to this system, such as `stores`.")
]
Status = Annotated[CallOutcome | None, Query(description="Only those that worked, or that failed.")]


@router.get("", summary="Calls to outside systems")
def calls(
    tx: ReadTx,
    _admin: Admin,
    request_id: RequestId = None,
    shop_id: OnlyShop = None,
    system: System = None,
    status: Status = None,
    before: Before = None,
    limit: PageSize = 50,
) -> CallPage:
    """Every call of the last 60 days, repetitions too, the newest first, without personal data and secrets."""
    return queries.call_page(tx, CallFilter(request_id, shop_id, system, status, before), limit)


@router.get("/{call_id}", summary="One call with its bodies", responses=raises(NoSuchCall))
def call(tx: ReadTx, _admin: Admin, call_id: CallId) -> CallDetail:
    """The masked bodies, and the call as a command line to copy."""
    return queries.call_detail(tx, call_id)
