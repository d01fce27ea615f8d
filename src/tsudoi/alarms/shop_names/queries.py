"""What is called by a shop's name or code here. The shops themselves are a context above this one, which may be off."""

from collections.abc import Iterable

from sqlalchemy import Text, column, select, table

from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.columns import BigId
from tsudoi.core.db.interface import ReadTx

_SHOPS = table("shops", column("id", BigId), column("code", Text), column("name", Text))


def shop_names(tx: ReadTx, ids: Iterable[int | None]) -> dict[int, str]:
    wanted = {one for one in ids if one is not None}
    found = tx.execute(select(_SHOPS.c.id, _SHOPS.c.name).where(_SHOPS.c.id.in_(wanted))).all() if wanted else []
    return {row.id: row.name for row in found}


def code_of_shop(tx: ReadTx, shop_id: int) -> str:
    found = tx.scalar(select(_SHOPS.c.code).where(_SHOPS.c.id == shop_id))
    if found is None:
        raise NoSuchShop
    return str(found)
