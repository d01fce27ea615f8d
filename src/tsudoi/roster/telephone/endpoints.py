"""The list of people whom the office has to call, over all parts of the product."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.access.principals import Admin
from tsudoi.access.registration import ActiveContexts
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.roster.members.schemas import Flag
from tsudoi.roster.telephone import queries, service
from tsudoi.roster.telephone.errors import NoSuchTelephoneCall
from tsudoi.roster.telephone.schemas import CallDone, TelephoneItem, TelephoneList

router = APIRouter(prefix="/api/admin/telephone-list", tags=["roster"], route_class=TransactionRoute)
CallId = Annotated[int, Path(ge=1, le=2**53, description="The entry of the telephone list.")]


def _kinds(runtime: Runtime) -> queries.Kinds:
    return runtime.part(ActiveContexts).telephone_kinds


@router.get("", summary="Whom to call")
async def telephone_list(
    request: Request,
    _admin: AdminDep,
    db: DatabaseDep,
    kind: Annotated[
        str | None,
        Query(max_length=40, pattern="^[^\\x00]*$", description="Only calls of this kind, such as `thread`."),
    ] = None,
    only_open: Annotated[Flag, Query(alias="open", description="1: only calls that are still to be made.")] = 0,
) -> TelephoneList:
    """People whom neither LINE nor mail reaches, the longest waiting first, with what to say.

    A call leaves the list by itself when the person answers or is told otherwise, or when it is too late to help.
    """
    return await db.read(queries.telephone_list, _kinds(request.app.state.runtime), kind, open_only=only_open == 1)


@router.post("/{call_id}/done", summary="Tick a call off", responses=raises(NoSuchTelephoneCall))
def done(tx: Tx, admin: Admin, runtime: Runtime, call_id: CallId, body: CallDone) -> TelephoneItem:
    """Notes who called, when, and with which result. Ticked off already: 200, and what was noted first stays."""
    return service.tick_off(tx, _kinds(runtime), call_id, body, admin.actor)


@router.delete("/{call_id}/done", summary="Take a tick back", responses=raises(NoSuchTelephoneCall))
def not_done(tx: Tx, admin: Admin, runtime: Runtime, call_id: CallId) -> TelephoneItem:
    """The call is to be made again. 200 and unchanged, if it is not ticked off."""
    return service.take_back(tx, _kinds(runtime), call_id, admin.actor)
