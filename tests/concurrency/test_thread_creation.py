"""A server that is killed while it creates a thread, and copies of one request that arrive together."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert, select, update

from tests.concurrency.threads import at_once
from tests.factories.processes import started
from tests.factories.product import ADMIN, PASSWORD_HASH, Box, Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box, sqlite_only
from tests.scheduling.candidates.test_creating import asked, behave
from tests.scheduling.organizing.desk import RAJ, URL, desk_at
from tests.servers import eventually, nobody_there
from tsudoi.access.admins import service as admins
from tsudoi.core.clock import ManualClock, SystemClock
from tsudoi.core.db.base import Base
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.models import IdempotencyKey
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import SchedulingSlot, SchedulingThread, ThreadInvite

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

MODEL = {"GEMINI_API_KEY": "gemini-key-of-the-sandbox-0000"}
BODY = {"title": "役員会 山田太郎"}


class TestKilledWhileTheModelThinks:
    @sqlite_only
    @pytest.mark.row("1.2.28")
    def test_the_same_key_finishes_the_thread(self, tmp_path: Path, database_url: str, box: Box) -> None:
        db = open_database(database_url, SystemClock())
        headers = {"authorization": f"Bearer {db.write_now(_prepared)}", "idempotency-key": "k"}
        there = {"DATABASE_URL": database_url, "WORKER_INLINE": "0", "LINE_API_BASE": nobody_there()}
        behave(box, hold=True)
        with started(tmp_path, "serve", GEMINI_API_BASE=box.url, **there, **MODEL) as server:
            asking = threading.Thread(target=_post, args=(server.url, headers), daemon=True)
            asking.start()
            eventually(lambda: asked(box) == ["gemini"])
            server.process.kill()
            asking.join(60)
        behave(box)
        [thread], slots = _rows(db, SchedulingThread), _rows(db, SchedulingSlot)
        assert (len(slots), _rows(db, ThreadInvite)) == (3, [])
        # Time passes: the lease of the dead process is over.
        db.write_now(lambda tx: tx.execute(update(IdempotencyKey).values(lease_until=tx.now)))
        with started(tmp_path, "serve", GEMINI_API_BASE=box.url, **there, **MODEL) as server, server.client() as http:
            again = http.post(URL, json=BODY, headers=headers)
            assert (again.status_code, again.json()["thread"]["id"]) == (201, thread.id), again.text
            assert http.post(URL, json=BODY, headers=headers).content == again.content
        assert _rows(db, SchedulingThread) == [thread]
        assert _rows(db, SchedulingSlot) == slots
        assert [one["invitee_key"] for one in again.json()["candidates"]] == ["lm:101"]
        assert len(_rows(db, ThreadInvite)) == len(_rows(db, ThreadMessage)) == 1
        db.close()


def _prepared(tx: Tx) -> str:
    """An organiser with a token, and a member whom a model can suggest."""
    row = {"id": 101, "name": "山田太郎", "name_key": "山田太郎", "is_target": 1, "email": "yamada@example.jp"}
    tx.execute(insert(Member).values(**row, created_at=tx.now, updated_at=tx.now))
    admins.create_admin(tx, ADMIN, PASSWORD_HASH)
    return admins.create_token(tx, ADMIN)


def _post(url: str, headers: dict[str, str]) -> None:
    with suppress(httpx2.HTTPError):
        httpx2.post(f"{url}{URL}", json=BODY, headers=headers, timeout=60, trust_env=False)


def _rows(db: Database, model: type[Base]) -> list[Any]:
    return list(db.read_now(lambda tx: tx.execute(select(model).order_by(*model.__table__.primary_key)).all()))


class TestCopiesOfOneRequest:
    @pytest.mark.row("1.1.27")
    def test_that_arrive_together_make_one_thread(self, product: Product, clock: ManualClock) -> None:
        desk = desk_at(product, clock)
        answers = at_once(8, lambda _n: desk.post(body={"title": "会", "invitees": [RAJ]}, idempotency_key="k"))
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {"IN_FLIGHT"}
        assert len(desk.rows(SchedulingThread)) == len(desk.rows(ThreadInvite)) == 1
