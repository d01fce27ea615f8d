from datetime import timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.lists import ShopId
from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.http import HttpGateway, Pool
from tsudoi.shops.secrets import queries
from tsudoi.shops.secrets.errors import NoSuchSecret
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.secrets.schemas import SecretItem, SecretList, SecretTest, SecretValue
from tsudoi.shops.secrets.service import keeping, trying
from tsudoi.shops.shop.queries import shop_row

router = APIRouter(prefix="/api/admin/shops/{shop_id}/secrets", tags=["shops"], route_class=TransactionRoute)

_TRYING = Pool("secret-test", 2, longest_wait=timedelta(seconds=70))
_BUSY = SecretTest(
    ok=False, code="BUSY", message="時間内に確認できませんでした。少し待ってからお試しください。", latency_ms=0
)
SecretKey = Annotated[Literal["STORES_API_TOKEN"], Path(description="The name of the secret.")]


@router.get("", summary="Secrets of a shop", responses=raises(NoSuchShop))
def secrets(tx: ReadTx, _admin: Admin, shop_id: ShopId) -> SecretList:
    """Which secrets are set, how old they are and their last four characters. No API returns a value."""
    return queries.secret_list(tx, shop_id)


@router.put("/{key}", summary="Set a secret", responses=raises(NoSuchShop))
def put_secret(
    tx: Tx, admin: Admin, runtime: Runtime, shop_id: ShopId, key: SecretKey, body: SecretValue
) -> SecretItem:
    """Replaces the value. It is stored encrypted for this shop and this name."""
    keeping.set_secret(tx, runtime.part(KeyRing), shop_id, key, body.value, admin.actor)
    return queries.secret_item(tx, shop_id, key)


@router.delete("/{key}", status_code=204, summary="Remove a secret", responses=raises(NoSuchShop, NoSuchSecret))
def delete_secret(tx: Tx, admin: Admin, shop_id: ShopId, key: SecretKey) -> None:
    """Without its token the shop's customers are not found any more, until another one is set."""
    keeping.delete_secret(tx, shop_id, key, admin.actor)


@router.post("/{key}/test", summary="Try a secret", responses=raises(NoSuchShop))
async def try_secret(admin: AdminDep, runtime: RuntimeDep, shop_id: ShopId, key: SecretKey) -> SecretTest:
    """Asks STORES one harmless question with the stored token, without repeating it, and says what came back."""
    await runtime.db.read(shop_row, shop_id)
    threads = runtime.part(HttpGateway).threads
    return await threads.run(_TRYING, trying.try_token, runtime, shop_id, key, admin.actor, if_busy=_BUSY)
