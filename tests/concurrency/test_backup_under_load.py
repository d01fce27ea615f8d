"""G13: a backup while people answer, restored elsewhere. Every acknowledged answer is there, and the hashes agree."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Self

import pytest
from sqlalchemy import select

from tests.factories.backups import backup_settings, elsewhere
from tests.factories.events import make_event, make_members
from tests.factories.product import Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tests.servers import browser, eventually
from tests.sizes import size
from tsudoi.core import audit
from tsudoi.core.backup.making import make_backup
from tsudoi.core.backup.restoring import restore
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.media import DirectoryStore
from tsudoi.core.sessions import open_session
from tsudoi.events.answers.models import EventResponse

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

PHONES, ANSWERS = 4, size(25, 3_000)
# Everybody answers once, so that no limit on the answers of one member matters.
PEOPLE = range(1_001, 1_001 + 40 * ANSWERS)
KEY = "events/" + "t" * 43 + "/notice_o.jpg"


class Phones:
    """Some phones at which one member after the other answers, each as soon as the one before was acknowledged."""

    def __init__(self, product: Product) -> None:
        event_id = make_event(product.db, make_members(product.db, *PEOPLE), extra_text_enabled=1)
        self.acknowledged: list[str] = []
        self.failed: list[int] = []
        self._url, self._product = f"{product.url}/api/liff/events/{event_id}/respond", product
        self._cookies = iter(product.db.write_now(_sessions))
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._answer) for _ in range(PHONES)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, number: int) -> list[str]:
        eventually(lambda: len(self.acknowledged) >= number or self.failed, seconds=60)
        return list(self.acknowledged)

    def _answer(self) -> None:
        with browser(self._product.url) as http:
            while not self._stop.is_set() and (cookie := next(self._cookies, None)) is not None:
                cookies = {"cookie": f"tsudoi_liff={cookie}"}
                got = http.post(self._url, json={"status": "attend", "extra_text": cookie[:20]}, headers=cookies)
                if got.status_code == 201:
                    self.acknowledged.append(cookie[:20])
                else:
                    self.failed.append(got.status_code)


def _sessions(tx: Tx) -> list[str]:
    data: dict[str, str | None] = {"display_name": None, "picture_url": None}
    return [open_session(tx, "liff", user_id(one), data, timedelta(hours=1)) for one in PEOPLE]


def texts(tx: ReadTx) -> set[str]:
    return set(tx.execute(select(EventResponse.extra_text)).scalars())


def test_every_acknowledged_answer_is_restored(
    product: Product,
    database_url: str,
    backend: str,
    request: pytest.FixtureRequest,
    clock: ManualClock,
    tmp_path: Path,
) -> None:
    settings = backup_settings(tmp_path / "here", database_url)
    DirectoryStore(settings.media_dir).put(KEY, b"a picture")
    with Phones(product) as phones:
        before = phones.wait_for(ANSWERS)
        made = make_backup(settings, clock)
        during = phones.wait_for(len(phones.acknowledged) + ANSWERS)
    assert phones.failed == []
    assert len(during) > len(before), "nobody waits for the backup"
    with elsewhere(backend, request, tmp_path / "there") as there:
        restore(there, clock, made.path, force=False)
        db = open_database(there.database, clock, connections=2)
        found, chain = db.read_now(texts), db.read_now(audit.verify)
        db.close()
        assert DirectoryStore(there.media_dir).read(KEY) == b"a picture"
    assert set(before) <= found <= product.db.read_now(texts)
    assert chain.broken_at is None
    assert len(found) == made.manifest.rows["event_responses"]
