from sqlalchemy import ColumnElement, and_, delete, insert, select, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.gateway.api_comm.parameters import BY_KEY, Parameter, accepted
from tsudoi.shops.parameters.errors import ParameterNotStored, UnknownParameter, WrongParameterValue, WrongScope
from tsudoi.shops.parameters.models import SysParam
from tsudoi.shops.parameters.rules import ParameterScope, is_shop_data
from tsudoi.shops.parameters.schemas import ParameterChange
from tsudoi.shops.shop.queries import shop_row


def set_parameter(tx: Tx, key: str, change: ParameterChange, actor: str) -> None:
    """The same value again changes nothing."""
    parameter = _known(key)
    _check_scope(tx, parameter, change.scope, change.shop_id)
    _check_value(tx, parameter, change.value)
    here, table = _place(key, change.scope, change.shop_id), SysParam
    before = tx.execute(select(table.id, table.value).where(here)).one_or_none()
    new = {"value": str(change.value), "value_type": "int", "updated_at_utc": tx.now}
    if before is not None and before.value == new["value"]:
        return
    if before is None:
        place = {"scope": change.scope, "scope_id": change.shop_id, "key": key}
        tx.execute(insert(table).values(**place, **new, description=parameter.label, created_at_utc=tx.now))
    else:
        tx.execute(update(table).where(table.id == before.id).values(**new))
    old = {"value": before.value} if before else None
    place = {"scope": change.scope, "shop_id": change.shop_id}
    audit.record(tx, actor, "SYS_PARAM_SET", f"sys_param:{key}", old=old, new={**place, "value": new["value"]})


def delete_parameter(tx: Tx, key: str, scope: ParameterScope, shop_id: int | None, actor: str) -> None:
    _check_scope(tx, _known(key), scope, shop_id)
    here = _place(key, scope, shop_id)
    before = tx.execute(select(SysParam.value).where(here)).one_or_none()
    if before is None:
        raise ParameterNotStored
    tx.execute(delete(SysParam).where(here))
    old = {"scope": scope, "shop_id": shop_id, "value": before.value}
    audit.record(tx, actor, "SYS_PARAM_DELETE", f"sys_param:{key}", old=old)


def _known(key: str) -> Parameter:
    parameter = BY_KEY.get(key)
    if parameter is None:
        raise UnknownParameter(key, is_shop_data=is_shop_data(key))
    return parameter


def _check_scope(tx: Tx, parameter: Parameter, scope: ParameterScope, shop_id: int | None) -> None:
    if scope == "global" and shop_id is not None:
        raise WrongScope("全店舗に共通の設定では、店舗を指定できません。", "shop_id", "NOT_ALLOWED")
    if scope == "shop" and not parameter.per_shop:
        raise WrongScope(f"{parameter.label}は、店舗ごとには設定できません。", "scope", "NOT_ALLOWED")
    if scope == "shop" and shop_id is None:
        raise WrongScope("店舗を選んでください。", "shop_id", "REQUIRED")
    if shop_id is not None:
        shop_row(tx, shop_id)


def _check_value(tx: Tx, parameter: Parameter, value: int) -> None:
    if accepted(parameter, value) is None:
        reason = "TOO_SMALL" if value < parameter.lowest else "TOO_LARGE"
        raise WrongParameterValue(parameter.label, parameter.lowest, parameter.highest, reason)
    if parameter.key == "stores_healthcheck_shop_id":
        shop_row(tx, value)


def _place(key: str, scope: str, shop_id: int | None) -> ColumnElement[bool]:
    where = SysParam.scope_id.is_(None) if shop_id is None else SysParam.scope_id == shop_id
    return and_(SysParam.key == key, SysParam.scope == scope, where)
