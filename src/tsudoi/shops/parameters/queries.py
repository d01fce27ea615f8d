from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, or_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.parameters import PARAMETERS, FoundValue, Parameter, Source, effective
from tsudoi.shops.parameters.models import SysParam
from tsudoi.shops.parameters.rules import shown_source, why
from tsudoi.shops.parameters.schemas import EffectiveItem, ParameterItem, ParameterList, StoredValue
from tsudoi.shops.shop.models import OptionMaster, ShopOption

_SOURCES: dict[str, Source] = {"shop": "sys_params_shop", "global": "sys_params_global"}


def parameter_list(tx: ReadTx, settings: Settings, shop_id: int | None) -> ParameterList:
    """What holds for this shop, or without one for calls that are made for no shop."""
    found, stored = found_values(tx, settings, shop_id), _stored(tx)
    return ParameterList(parameters=[_item(one, found, stored) for one in PARAMETERS])


def found_values(tx: ReadTx, settings: Settings, shop_id: int | None) -> dict[str, list[FoundValue]]:
    """For each key what stands at the places, in the order in which they count."""
    found: dict[str, list[FoundValue]] = {one.key: [] for one in PARAMETERS}
    for key, value in [*_options(tx, shop_id), *_scoped(tx, shop_id), *_of_environment(settings)]:
        if key in found:
            found[key].append(value)
    return found


def _options(tx: ReadTx, shop_id: int | None) -> list[tuple[str, FoundValue]]:
    if shop_id is None:
        return []
    statement = (
        select(OptionMaster.option_code, ShopOption.value)
        .join(ShopOption, ShopOption.option_id == OptionMaster.id)
        .where(ShopOption.shop_id == shop_id)
    )
    return [(row.option_code, FoundValue("shop", row.value)) for row in tx.execute(statement)]


def _scoped(tx: ReadTx, shop_id: int | None) -> list[tuple[str, FoundValue]]:
    """The shop's own values come first: `shop` is after `global` in the alphabet."""
    table = SysParam
    own = (table.scope == "shop") & (table.scope_id == (shop_id or 0))
    statement = select(table.scope, table.key, table.value).where(or_(table.scope == "global", own))
    rows = tx.execute(statement.order_by(table.scope.desc())).all()
    return [(row.key, FoundValue(_SOURCES[row.scope], row.value)) for row in rows]


def _of_environment(settings: Settings) -> list[tuple[str, FoundValue]]:
    values = [(one.key, getattr(settings, one.key, None)) for one in PARAMETERS]
    return [(key, FoundValue("env", value)) for key, value in values if value is not None]


def _stored(tx: ReadTx) -> Sequence[Row[Any]]:
    table = SysParam
    columns = (table.key, table.scope, table.scope_id, table.value, table.updated_at_utc)
    return tx.execute(select(*columns).order_by(table.scope, table.scope_id)).all()


def _item(one: Parameter, found: dict[str, list[FoundValue]], stored: Sequence[Row[Any]]) -> ParameterItem:
    holds = effective(one.key, found)
    return ParameterItem(
        key=one.key,
        label=one.label,
        value_type="int",
        lowest=one.lowest,
        highest=one.highest,
        default=one.default,
        per_shop=one.per_shop,
        effective=EffectiveItem(value=holds.value, source=shown_source(one.key, holds), why=why(one.key, holds)),
        stored=[
            StoredValue(scope=row.scope, shop_id=row.scope_id, value=row.value, updated_at=row.updated_at_utc)
            for row in stored
            if row.key == one.key
        ],
    )
