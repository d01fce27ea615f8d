from fastapi import APIRouter

from tsudoi.access.guard import RuntimeDep
from tsudoi.scratch.notes import service

router = APIRouter(prefix="/api/scratch", tags=["scratch"])


@router.post("/notes/{body}", status_code=201, summary="Keep a note")
async def add_note(body: str, runtime: RuntimeDep) -> dict[str, bool]:
    """Keeps the note; the worker sends it."""
    await runtime.db.write(service.add_note, body)
    runtime.work.send()
    return {"ok": True}
