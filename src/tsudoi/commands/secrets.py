"""`tsudoi secrets`: sets, lists and re-encrypts the secrets of shops. A value is never printed."""

import getpass
import sys

from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from sqlalchemy import select

from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core import audit
from tsudoi.core.clock import display
from tsudoi.core.command_line import print_table
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.shops.secrets import queries
from tsudoi.shops.secrets.errors import Unreadable
from tsudoi.shops.secrets.queries import SealedSecret, sealed_secrets
from tsudoi.shops.secrets.rules import SECRET_KEYS, KeyRing, decrypt, sealed_with, secret_purpose
from tsudoi.shops.secrets.schemas import SecretItem, SecretValue
from tsudoi.shops.secrets.service.keeping import ring_of, set_secret
from tsudoi.shops.secrets.service.rotating import forget_expired_proofs, seal_anew, seal_proofs_anew
from tsudoi.shops.shop.models import Shop

_BATCH = 100
_ACTOR = "cli"


def run_set(shop_code: str, key: str, *, from_stdin: bool) -> int:
    settings = read_settings()
    ring = ring_of(settings)
    with database_of(settings) as db:
        shop_id = db.read_now(_shop_id, shop_code)
        value = _value(from_stdin=from_stdin)
        db.write_now(set_secret, ring, shop_id, key, value, _ACTOR)
    Console(highlight=False).print(f"店舗「{shop_code}」の {key} を登録しました / set", markup=False)
    return 0


def run_list() -> int:
    table = Table("店舗 / shop", "名前 / name", "登録 / set", "末尾 / ends", "日時 / since", "鍵 / key")
    # A narrow terminal would cut the name, which people type into `tsudoi secrets set`, the time, or the key.
    for column in (1, 4, 5):
        table.columns[column].no_wrap = True
    with database_of(read_settings()) as db:
        for row in db.read_now(_listed):
            table.add_row(*row)
    print_table(table)
    return 0


def run_rotate() -> int:
    """Small batches, so that no customer waits. What is sealed with the first key already is left as it is."""
    settings = read_settings()
    ring = ring_of(settings)
    with database_of(settings) as db:
        unreadable = db.read_now(_unreadable, ring)
        if unreadable:
            names = "、".join(f"{one.shop_code} {one.key}（{sealed_with(one.sealed)}）" for one in unreadable)
            raise Refusal(
                f"読み取れない値があるため、何も変更していません / nothing was changed, these cannot be read: {names}\n"
                "→ 暗号化に使った鍵を SHOP_SECRETS_KEYS の後ろに加えてください / add their key at the end"
            )
        number = _rotate(db, ring)
    print(f"暗号化し直した数: {number} / sealed anew: {number}")  # noqa: T201 (the output of the command)
    return 0


def _rotate(db: Database, ring: KeyRing) -> int:
    secrets = [one for one in db.read_now(_all) if sealed_with(one.sealed) != ring.first_id]
    number = sum(db.write_now(seal_anew, ring, secrets[at : at + _BATCH]) for at in range(0, len(secrets), _BATCH))
    db.write_now(forget_expired_proofs)
    last: int | None = 0
    while last is not None:
        proofs, last = db.write_now(seal_proofs_anew, ring, last, _BATCH)
        number += proofs
    if number:
        db.write_now(_record, number)
    return number


def _record(tx: Tx, number: int) -> None:
    audit.record(tx, _ACTOR, "SHOP_SECRETS_ROTATE", "shops", new={"sealed": number})


def _shop_id(tx: ReadTx, code: str) -> int:
    found = tx.scalar(select(Shop.id).where(Shop.code == code))
    if found is None:
        raise Refusal(f"店舗コード「{code}」の店舗はありません / no shop has the code {code}")
    return int(found)


def _value(*, from_stdin: bool) -> str:
    given = sys.stdin.read() if from_stdin else getpass.getpass("値 / value: ")
    try:
        return SecretValue(value=given).value
    except ValidationError:
        # The error of the model could repeat what was typed.
        raise Refusal("空白のない半角の文字で入力してください / printable ASCII without spaces") from None


def _all(tx: ReadTx) -> list[SealedSecret]:
    return list(sealed_secrets(tx))


def _unreadable(tx: ReadTx, ring: KeyRing) -> list[SealedSecret]:
    return [one for one in sealed_secrets(tx) if not is_readable(ring, one)]


def is_readable(ring: KeyRing, secret: SealedSecret) -> bool:
    try:
        decrypt(ring, secret.sealed, secret_purpose(secret.shop_id, secret.key))
    except Unreadable:
        return False
    return True


def _listed(tx: ReadTx) -> list[list[str]]:
    sealed = {(one.shop_id, one.key): one for one in sealed_secrets(tx)}
    rows = []
    for shop in tx.execute(select(Shop.id, Shop.code).order_by(Shop.code)):
        for key in SECRET_KEYS:
            item = queries.secret_item(tx, shop.id, key)
            found = sealed.get((shop.id, key))
            rows.append([shop.code, key, *_columns(item), (sealed_with(found.sealed) if found else None) or "-"])
    return rows


def _columns(item: SecretItem) -> list[str]:
    return ["○" if item.set else "-", item.last_four or "-", display(item.updated_at) if item.updated_at else "-"]
