"""`tsudoi secrets`: setting, listing and re-encrypting; and a server that refuses to start without the keys."""

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.factories.processes import tsudoi
from tests.factories.product import SHOP_KEYS
from tests.factories.shops import RING, TOKEN, add, give_token, make_shop
from tests.product_fixtures import sqlite_only
from tsudoi.commands import secrets as command
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import KeyRing, decrypt, encrypt, proof_purpose, sealed_with, secret_purpose

KEY = "STORES_API_TOKEN"
NEW_KEY = base64.b64encode(bytes(range(32))).decode()
BOTH = f"{NEW_KEY},{SHOP_KEYS}"


def rows(db: Database, model: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in db.read_now(lambda tx: tx.execute(select(*model.__table__.c)).mappings().all())]


def settings(database_url: str, keys: str = SHOP_KEYS, **more: str) -> dict[str, str]:
    return {"DATABASE_URL": database_url, "SHOP_SECRETS_KEYS": keys, **more}


def proof(db: Database, shop_id: int, sealed: str, ends: timedelta) -> int:
    """At the true time, because the command is a process of its own."""
    now = datetime.now(UTC)
    return add(
        db,
        IdentityProof,
        purpose="help_link",
        shop_id=shop_id,
        email_hash="e",
        secret_hash="s",
        contact_enc=sealed,
        created_at_utc=now,
        expires_at_utc=now + ends,
    )


@pytest.mark.row("4.7.2")
def test_a_secret_is_set_from_standard_input_and_listed_without_its_value(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    shop = make_shop(db)
    here = settings(database_url)
    done = tsudoi(tmp_path, "secrets", "set", "ngy1", KEY, "--value-stdin", stdin=f"{TOKEN}\n", **here)
    assert done.returncode == 0, done.stderr
    sealed = rows(db, ShopSecret)[0]["v_enc"]
    assert decrypt(RING, sealed, secret_purpose(shop, KEY)) == TOKEN
    listed = tsudoi(tmp_path, "secrets", "list", **here)
    assert ("ngy1" in listed.stdout, "0815" in listed.stdout, str(sealed_with(sealed)) in listed.stdout) == (
        True,
        True,
        True,
    )
    said = done.stdout + done.stderr + listed.stdout + listed.stderr + str(rows(db, AuditLog))
    assert TOKEN not in said
    assert [row["action"] for row in rows(db, AuditLog)][-1] == "SHOP_SECRET_SET"


@sqlite_only
def test_what_cannot_be_set_is_refused_without_repeating_it(db: Database, database_url: str, tmp_path: Path) -> None:
    make_shop(db)
    here = settings(database_url)
    for arguments, value, more in (
        (("nowhere", KEY), TOKEN, here),
        (("ngy1", "OTHER"), TOKEN, here),
        (("ngy1", KEY), "two words", here),
        (("ngy1", KEY), "", here),
        (("ngy1", KEY), TOKEN, settings(database_url, "not-a-key")),
        (("ngy1", KEY), TOKEN, {"DATABASE_URL": database_url}),
    ):
        done = tsudoi(tmp_path, "secrets", "set", *arguments, "--value-stdin", stdin=value, **more)
        assert done.returncode in (1, 2), arguments
        assert "Traceback" not in done.stderr
        assert not value or value not in done.stdout + done.stderr
    assert rows(db, ShopSecret) == []


def test_everything_is_sealed_with_the_first_key(db: Database, database_url: str, tmp_path: Path) -> None:
    shops = [make_shop(db, f"shop{number}") for number in range(3)]
    for number, shop in enumerate(shops):
        give_token(db, shop, f"{TOKEN}{number}")
    contact = encrypt(RING, "contact", proof_purpose(shops[0]))
    for ends in (timedelta(hours=1), timedelta(days=-2)):
        proof(db, shops[0], contact, ends)
    # A proof that no key opens is removed.
    proof(db, shops[0], encrypt(RING, "contact", "something else"), timedelta(hours=1))
    ring = KeyRing.of(BOTH)
    for _ in range(2):
        done = tsudoi(tmp_path, "secrets", "rotate", **settings(database_url, BOTH))
        assert done.returncode == 0, done.stderr
        sealed = rows(db, ShopSecret)
        assert {sealed_with(row["v_enc"]) for row in sealed} == {ring.first_id}
        only_new = KeyRing.of(NEW_KEY)
        opened = [decrypt(only_new, row["v_enc"], secret_purpose(row["shop_id"], KEY)) for row in sealed]
        assert sorted(opened) == [f"{TOKEN}{number}" for number in range(3)]
        proofs = rows(db, IdentityProof)
        assert [decrypt(only_new, row["contact_enc"], proof_purpose(shops[0])) for row in proofs] == ["contact"]
    assert [row["action"] for row in rows(db, AuditLog)].count("SHOP_SECRETS_ROTATE") == 1


@sqlite_only
def test_batches_leave_nothing_out(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_BATCH", 2)
    shop = make_shop(db)
    for number in range(5):
        give_token(db, make_shop(db, f"shop{number}"))
        proof(db, shop, encrypt(RING, "contact", proof_purpose(shop)), timedelta(hours=1))
    ring = KeyRing.of(BOTH)
    assert command._rotate(db, ring) == 10
    assert len(rows(db, IdentityProof)) == 5
    assert command._rotate(db, ring) == 0
    sealed = [row["v_enc"] for row in rows(db, ShopSecret)] + [row["contact_enc"] for row in rows(db, IdentityProof)]
    assert {sealed_with(one) for one in sealed} == {ring.first_id}


@sqlite_only
def test_nothing_is_changed_when_something_cannot_be_read(db: Database, database_url: str, tmp_path: Path) -> None:
    give_token(db, make_shop(db))
    before = rows(db, ShopSecret)
    done = tsudoi(tmp_path, "secrets", "rotate", **settings(database_url, NEW_KEY))
    assert (done.returncode, "ngy1" in done.stderr, "Traceback" in done.stderr) == (1, True, False)
    assert rows(db, ShopSecret) == before


@sqlite_only
@pytest.mark.parametrize("keys", ["", NEW_KEY, "not-a-key"])
def test_a_server_does_not_start_without_the_keys_of_its_secrets(
    db: Database, database_url: str, tmp_path: Path, keys: str
) -> None:
    give_token(db, make_shop(db))
    done = tsudoi(tmp_path, "serve", **settings(database_url, keys))
    assert done.returncode == 1
    assert ("SHOP_SECRETS_KEYS" in done.stderr, "Traceback" in done.stderr) == (True, False)
    assert not keys or keys not in done.stderr
