from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.lists import OnlyShop
from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.shops.parameters import queries, service
from tsudoi.shops.parameters.errors import ParameterNotStored, UnknownParameter
from tsudoi.shops.parameters.rules import ParameterScope
from tsudoi.shops.parameters.schemas import ParameterChange, ParameterList
from tsudoi.shops.shop.queries import shop_row

router = APIRouter(prefix="/api/admin/sys-params", tags=["shops"], route_class=TransactionRoute)

Key = Annotated[str, Path(max_length=64, pattern="^[^\\x00]*$", description="The parameter.")]
AskedShop = Annotated[int | None, Query(ge=1, le=2**53, description="The shop; only with the scope `shop`.")]


@router.get("", summary="Parameters, and which value holds", responses=raises(NoSuchShop))
def parameters(tx: ReadTx, _admin: Admin, runtime: Runtime, shop_id: OnlyShop = None) -> ParameterList:
    """Every parameter with the value that holds for this shop (or for no shop), where it comes from, and why."""
    if shop_id is not None:
        shop_row(tx, shop_id)
    return queries.parameter_list(tx, runtime.settings, shop_id)


@router.put("/{key}", summary="Set a parameter", responses=raises(UnknownParameter, NoSuchShop))
def change(tx: Tx, admin: Admin, runtime: Runtime, key: Key, body: ParameterChange) -> ParameterList:
    """400 for a key that does not exist, and for one that would double the shop's own data (`DOUBLES_SHOP_DATA`).

    Answers with all parameters as they hold then.
    """
    service.set_parameter(tx, key, body, admin.actor)
    return queries.parameter_list(tx, runtime.settings, body.shop_id)


@router.delete("/{key}", status_code=204, summary="Remove a value", responses=raises(ParameterNotStored, NoSuchShop))
def delete(
    tx: Tx,
    admin: Admin,
    key: Key,
    scope: Annotated[ParameterScope, Query(description="For everybody, or for one shop.")],
    shop_id: AskedShop = None,
) -> None:
    """The next place that has a value holds from then on."""
    service.delete_parameter(tx, key, scope, shop_id, admin.actor)
