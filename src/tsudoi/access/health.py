"""For whoever watches: am I alive, am I ready, how much did I do."""

import shutil
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tsudoi.access.guard import DatabaseDep, SettingsDep
from tsudoi.core import outbox
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.schema import wanted_version
from tsudoi.core.db.upsert import upsert
from tsudoi.core.errors import Problem, Unauthenticated
from tsudoi.core.models import Heartbeat
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same

router = APIRouter(tags=["operations"])

LEAST_FREE_BYTES = 100 * 1024 * 1024
OLDEST_DUE = timedelta(minutes=5)
OLDEST_HEARTBEAT = timedelta(minutes=2)
WORKER = "worker"


class Alive(BaseModel):
    status: str = Field(description="Always `ok`: the process answers.", examples=["ok"])


@router.get("/livez", summary="The process is alive")
async def livez() -> Alive:
    """Touches no database: a restart does not mend a database that is away."""
    return Alive(status="ok")


class Ready(BaseModel):
    status: Literal["ok", "fail"] = Field(description="`ok` when every check is.", examples=["ok"])
    checks: dict[str, str] = Field(
        description="Each check: `ok`, or what is wrong.",
        examples=[{"database": "ok", "schema": "ok", "worker": "ok", "oldest_due_job": "ok", "disk": "ok"}],
    )


@router.get(
    "/readyz",
    summary="The service can do its work",
    response_model=Ready,
    responses={503: {"description": "Not ready: the same body, `status` is `fail`."}},
)
async def readyz(request: Request, settings: SettingsDep, db: DatabaseDep) -> Response:
    """A real write, the schema version, free disk, the age of the oldest due work, and the worker's heartbeat."""
    try:
        found = await db.write(_probe, request.app.state.outboxes)
        checks = {**_judge(found, db.clock.now()), "disk": _disk(settings)}
    except Problem as problem:
        checks = {"database": problem.code}
    except SQLAlchemyError:  # A table that the probe needs is not there.
        checks = {"database": "ok", "schema": "missing"}
    ready = all(value == "ok" for value in checks.values())
    return JSONResponse({"status": "ok" if ready else "fail", "checks": checks}, 200 if ready else 503)


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    response_class=PlainTextResponse,
    responses={
        200: {"content": {"text/plain": {"example": 'tsudoi_outbox_rows{outbox="line_events",status="PENDING"} 0'}}}
    },
)
async def metrics(
    request: Request,
    settings: SettingsDep,
    db: DatabaseDep,
    authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Response:
    """Counters of this process, and how much work waits in the database. Asks for METRICS_TOKEN when that is set."""
    if settings.metrics_token and not same(authorization or "", f"Bearer {settings.metrics_token.get_secret_value()}"):
        raise Unauthenticated
    try:
        waiting = await db.read(_waiting, request.app.state.outboxes)
    except Problem:  # The process's own counters are needed most when the database is away.
        waiting = []
    lines = [f'tsudoi_outbox_rows{{outbox="{name}",status="{state}"}} {number}' for name, state, number in waiting]
    body = (
        generate_latest(request.app.state.registry)
        + ("\n".join(["# TYPE tsudoi_outbox_rows gauge", *lines]) + "\n").encode()
    )
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def beat(tx: Tx, name: str) -> None:
    statement = upsert(tx, Heartbeat).values(name=name, at=tx.now)
    tx.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"at": tx.now}))


def _probe(tx: Tx, outboxes: dict[str, outbox.Outbox]) -> dict[str, Any]:
    beat(tx, "readyz")
    return {
        "schema": tx.scalar(text("SELECT version_num FROM alembic_version")),
        "worker": tx.scalar(select(Heartbeat.at).where(Heartbeat.name == WORKER)),
        "oldest": min(filter(None, (outbox.oldest_due(tx, box) for box in outboxes.values())), default=None),
    }


def _judge(found: dict[str, Any], now: datetime) -> dict[str, str]:
    worker, oldest = found["worker"], found["oldest"]
    return {
        "database": "ok",
        "schema": "ok" if found["schema"] == wanted_version() else f"found {found['schema']}",
        "worker": "ok" if worker is not None and now - worker < OLDEST_HEARTBEAT else "no heartbeat",
        "oldest_due_job": "ok"
        if oldest is None or now - oldest < OLDEST_DUE
        else f"waiting since {oldest.isoformat()}",
    }


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.data_dir if settings.data_dir.exists() else ".").free
    return "ok" if free >= LEAST_FREE_BYTES else f"{free // 1024**2} MiB left"


def _waiting(tx: ReadTx, outboxes: dict[str, outbox.Outbox]) -> list[tuple[str, str, int]]:
    return [(name, state, n) for name, box in outboxes.items() for state, n in outbox.waiting(tx, box).items()]
