"""Health checks and metrics for monitoring: `/livez`, `/readyz` and `/metrics`."""

import shutil
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from pydantic import BaseModel, Field
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tsudoi.access.guard import RuntimeDep
from tsudoi.access.registration import ActiveContexts
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.version import wanted_version
from tsudoi.core.errors import Problem, Unauthenticated
from tsudoi.core.heartbeats import beat
from tsudoi.core.models import Heartbeat
from tsudoi.core.outbox.claims import oldest_due, waiting
from tsudoi.core.runtime import Runtime
from tsudoi.core.tokens import same

router = APIRouter(tags=["operations"])

LEAST_FREE_BYTES = 100 * 1024 * 1024
OLDEST_DUE = timedelta(minutes=5)
OLDEST_HEARTBEAT = timedelta(minutes=2)
# The worker's loop for the jobs that run every so often; each sender has a loop of its own.
CLOCKWORK_LOOP = "clockwork"


class Alive(BaseModel):
    """The process answers requests."""

    status: str = Field(description="Always `ok`: the process answers.", examples=["ok"])


@router.get("/livez", summary="The process is alive")
async def livez() -> Alive:
    """Touches no database: a restart does not mend a database that is away."""
    return Alive(status="ok")


class Ready(BaseModel):
    """Whether the service can do its work, and the result of each check."""

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
async def readyz(runtime: RuntimeDep) -> Response:
    """A real write, the schema version, free disk, the age of the oldest due work, and the worker's heartbeat."""
    try:
        found = await runtime.db.write(_probe, runtime)
        checks = {**_judge(found, runtime.db.clock.now()), **found["more"], "disk": "ok"}
        data_dir = runtime.settings.data_dir
        free = shutil.disk_usage(data_dir if data_dir.exists() else ".").free
        if free < LEAST_FREE_BYTES:
            checks["disk"] = f"{free // 1024**2} MiB left"
    except Problem as problem:
        checks = {"database": problem.code}
    except SQLAlchemyError:  # A table that the probe needs does not exist.
        checks = {"database": "ok", "schema": "missing"}
    ready = all(value == "ok" for value in checks.values())
    return JSONResponse({"status": "ok" if ready else "fail", "checks": checks}, 200 if ready else 503)


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    response_class=PlainTextResponse,
    responses={
        200: {"content": {"text/plain": {"example": 'tsudoi_outbox_rows{outbox="line_events",status="PENDING"} 0'}}},
        401: {"description": "METRICS_TOKEN is set, and the request does not have it."},
    },
)
async def metrics(
    runtime: RuntimeDep,
    authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Response:
    """Counters of this process, and how much work waits in the database. Asks for METRICS_TOKEN when that is set."""
    wanted = runtime.settings.metrics_token
    if wanted and not same(authorization or "", f"Bearer {wanted.get_secret_value()}"):
        raise Unauthenticated
    try:
        rows, gauges = await runtime.db.read(_numbers, runtime.part(ActiveContexts))
    except Problem:  # The counters of the process are still useful when the database is unavailable.
        rows, gauges = [], {}
    lines = [f'tsudoi_outbox_rows{{outbox="{name}",status="{state}"}} {number}' for name, state, number in rows]
    lines += [line for name, value in gauges.items() for line in (f"# TYPE {name} gauge", f"{name} {value:g}")]
    body = (
        generate_latest(runtime.part(CollectorRegistry))
        + ("\n".join(["# TYPE tsudoi_outbox_rows gauge", *lines]) + "\n").encode()
    )
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def heartbeat_name(loop: str) -> str:
    return f"worker:{loop}"


def silent_loops(tx: ReadTx, active: ActiveContexts) -> list[str]:
    """The worker's loops that have not been alive for a while, in any process."""
    loops = [CLOCKWORK_LOOP, *(sender.name for sender in active.senders)]
    found = select(Heartbeat.name).where(Heartbeat.at > tx.now - OLDEST_HEARTBEAT)
    alive = set(tx.execute(found).scalars())
    return [loop for loop in loops if heartbeat_name(loop) not in alive]


def _probe(tx: Tx, runtime: Runtime) -> dict[str, Any]:
    beat(tx, "readyz")
    active = runtime.part(ActiveContexts)
    oldest = (oldest_due(tx, box) for box in active.outboxes.values())
    return {
        "schema": tx.scalar(text("SELECT version_num FROM alembic_version")),
        "silent": silent_loops(tx, active),
        "oldest": min(filter(None, oldest), default=None),
        "more": active.health_checks(runtime, tx),
    }


def _judge(found: dict[str, Any], now: datetime) -> dict[str, str]:
    silent, oldest = found["silent"], found["oldest"]
    return {
        "database": "ok",
        "schema": "ok" if found["schema"] == wanted_version() else f"found {found['schema']}",
        "worker": f"no heartbeat: {', '.join(silent)}" if silent else "ok",
        "oldest_due_job": "ok"
        if oldest is None or now - oldest < OLDEST_DUE
        else f"waiting since {oldest.isoformat()}",
    }


def _numbers(tx: ReadTx, active: ActiveContexts) -> tuple[list[tuple[str, str, int]], dict[str, float]]:
    rows = [(name, state, n) for name, box in active.outboxes.items() for state, n in waiting(tx, box).items()]
    return rows, active.gauges(tx)
