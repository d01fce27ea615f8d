from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, DatabaseDep, SettingsDep
from tsudoi.line.overview import queries
from tsudoi.line.overview.schemas import Overview

router = APIRouter(prefix="/api/admin", tags=["line"])


@router.get("/overview", summary="What the home screen shows")
async def overview(_admin: AdminDep, settings: SettingsDep, db: DatabaseDep) -> Overview:
    """Friends, the last word from LINE, and whether anything waits for a person."""
    configured = bool(settings.line_channel_secret and settings.line_channel_access_token)
    return await db.read(queries.overview, line_configured=configured)
