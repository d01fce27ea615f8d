"""The product itself, and the product with one more route that writes one row the way every endpoint does."""

import os
from contextlib import ExitStack
from pathlib import Path

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, SecretStr
from sqlalchemy import Column, Integer, MetaData, Table, Text, insert
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tsudoi import app as product
from tsudoi.access.guard import DatabaseDep
from tsudoi.access.middleware import EdgeMiddleware
from tsudoi.access.registration import Context
from tsudoi.commands.serve import tune_interpreter
from tsudoi.contexts import CONTEXTS, open_runtime
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.schema import migrate
from tsudoi.core.log import configure_logging
from tsudoi.core.settings import Settings

NOTES = Table("notes", MetaData(), Column("id", Integer, primary_key=True), Column("text", Text, nullable=False))
CHANNEL_SECRET = "bench-channel-secret"
JWT_SECRET, REFRESH_SECRET = "access-tokens-of-the-measurements-0123", "refresh-tokens-of-the-measurements-0123"
PIN_PEPPER = "pepper-of-the-measurements-0123456789"
# Holds what the runtime has opened until the process ends.
_OPEN = ExitStack()


def settings_for(folder: Path, url: str = "") -> Settings:
    """The settings of a measured process. The three secrets of staff switch booking on."""
    return Settings(
        data_dir=folder,
        database_url=url,
        line_channel_secret=SecretStr(CHANNEL_SECRET),
        line_channel_access_token=SecretStr("bench"),
        jwt_secret=SecretStr(JWT_SECRET),
        refresh_secret=SecretStr(REFRESH_SECRET),
        security_pin_pepper=SecretStr(PIN_PEPPER),
        _env_file=None,
    )


def plain(contexts: tuple[Context, ...] = CONTEXTS) -> EdgeMiddleware:
    configure_logging("INFO")
    settings = settings_for(Path(os.environ["BENCH_FOLDER"]), os.environ.get("BENCH_URL", ""))
    migrate(settings.database)
    db = open_database(settings.database, SystemClock())
    db.write_now(lambda tx: NOTES.create(tx.connection, checkfirst=True))
    app = product.create_app(_OPEN.enter_context(open_runtime(settings, db, contexts)))
    tune_interpreter()
    return app


def with_notes() -> EdgeMiddleware:
    return plain((Context("notes", optional=False, routers=(router,)), *CONTEXTS))


def bare_with_db_write() -> Starlette:
    """The baseline's route, word for word, with `db.write` in place of its own commit: the database layer by itself."""
    plain()
    db = open_database(Settings(data_dir=Path(os.environ["BENCH_FOLDER"]), _env_file=None).database, SystemClock())

    async def bare_note(request: Request) -> JSONResponse:
        body = await request.json()
        return JSONResponse({"id": await db.write(_note, body["text"])}, 201)

    return Starlette(routes=[Route("/notes", bare_note, methods=["POST"])])


class NoteIn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str


class NoteOut(BaseModel):
    id: int


router = APIRouter()


@router.post("/notes", status_code=201)
async def note(body: NoteIn, db: DatabaseDep) -> NoteOut:
    return NoteOut(id=await db.write(_note, body.text))


def _note(tx: Tx, text: str) -> int:
    made: int = tx.execute(insert(NOTES).values(text=text).returning(NOTES.c.id)).scalar_one()
    return made
