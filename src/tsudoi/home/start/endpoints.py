from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.access.registration import ActiveContexts
from tsudoi.home.start import queries
from tsudoi.home.start.schemas import Home

router = APIRouter(prefix="/api/admin", tags=["home"])


@router.get("/home", summary="What needs the office's attention")
async def home(_admin: AdminDep, runtime: RuntimeDep) -> Home:
    """The next events with their answers, messages that could not be sent, the number of unlinked LINE friends, and
    what does not work right now.
    """
    names = [context.name for context in runtime.part(ActiveContexts).contexts]
    return await runtime.db.read(queries.home, has_events="events" in names)
