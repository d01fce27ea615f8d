"""200 means "it is safe": never said while the database is away, and unharmed by a log that cannot be written."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.factories.product import Product
from tests.factories.webhooks import event
from tests.postgres import PostgresServer
from tests.product_fixtures import ProductMaker, postgresql_only, sqlite_only
from tsudoi.core.db import sqlite as sqlite_module
from tsudoi.core.db.sqlite import SqliteDatabase
from tsudoi.line.inbox.models import LineEvent


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite waits ten seconds for a lock; a test need not."""
    monkeypatch.setattr(sqlite_module, "_BUSY_TIMEOUT_MS", 100)


@contextmanager
def locked(product: Product) -> Iterator[None]:
    assert isinstance(product.db, SqliteDatabase)
    other = sqlite3.connect(product.db.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@contextmanager
def shut_out(postgres: PostgresServer, url: str) -> Iterator[None]:
    """As if the server had gone: every connection is cut and no new one comes about."""
    name = urlsplit(url).path.strip("/")
    with psycopg.connect(postgres._url, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'.encode())
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        yield
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true'.encode())


@sqlite_only
@pytest.mark.usefixtures("hurried")
def test_a_locked_file_is_503_and_the_redelivery_is_stored(hurried: None, make_product: ProductMaker) -> None:
    product, told = make_product(), event()
    with locked(product):
        answer = product.post_webhook(told)
        assert answer.status_code == 503
        assert answer.json()["code"] == "UNAVAILABLE"
        assert answer.headers["retry-after"].isdigit()
    assert product.rows(LineEvent) == []
    assert product.post_webhook(told).status_code == 200
    assert len(product.rows(LineEvent)) == 1


@postgresql_only
def test_a_server_that_is_gone_is_503_and_the_redelivery_is_stored(
    product: Product, postgres: PostgresServer, database_url: str
) -> None:
    told = event()
    assert product.post_webhook(event()).status_code == 200
    with shut_out(postgres, database_url):
        for _ in range(3):
            answer = product.post_webhook(told)
            assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
    assert product.post_webhook(told).status_code == 200
    assert len(product.rows(LineEvent)) == 2


@sqlite_only
def test_a_closed_database_is_503(product: Product) -> None:
    product.db.close()
    assert product.post_webhook(event()).status_code == 503


@sqlite_only
def test_a_log_that_cannot_be_written_does_not_make_line_deliver_again(product: Product) -> None:
    """The event is safe in the database by then: anything but 200 would be a lie."""
    told = product.runtime.work.listen()
    product.settings.data_dir.mkdir(exist_ok=True)
    product.settings.log_dir.write_text("a file where the folder should be")
    assert product.post_webhook(event()).status_code == 200
    assert len(product.rows(LineEvent)) == 1
    assert told.is_set(), "the worker was not told"


@sqlite_only
def test_a_log_that_cannot_be_written_does_not_fail_the_job(product: Product) -> None:
    product.post_webhook(event("unfollow"))
    product.webhook_log.unlink()
    product.webhook_log.mkdir()
    assert product.drain() == 1
    [row] = product.rows(LineEvent)
    assert row["status"] == "DONE"
