from fastapi import APIRouter

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.lists import ShopId
from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.shops.overview import queries
from tsudoi.shops.overview.schemas import ShopItem, ShopList
from tsudoi.shops.shop import service
from tsudoi.shops.shop.errors import ShopTaken
from tsudoi.shops.shop.schemas import NewShop, ShopChange

router = APIRouter(prefix="/api/admin/shops", tags=["shops"], route_class=TransactionRoute)


@router.get("", summary="Shops with the state of their outside systems")
def shops(tx: ReadTx, _admin: Admin, runtime: Runtime) -> ShopList:
    """All shops by code. The lights come from real calls and checks by hand; no outside system is asked for them."""
    return queries.shop_list(tx, runtime.settings.public_base_url)


@router.post("", status_code=201, summary="Create a shop", responses=raises(ShopTaken))
def create(tx: Tx, admin: Admin, runtime: Runtime, body: NewShop) -> ShopItem:
    """409 `SHOP_TAKEN` if another shop has this code or this name in the addresses of STORES."""
    shop_id = service.create_shop(tx, body, admin.actor)
    return queries.shop_item(tx, shop_id, runtime.settings.public_base_url)


@router.get("/{shop_id}", summary="One shop", responses=raises(NoSuchShop))
def shop(tx: ReadTx, _admin: Admin, runtime: Runtime, shop_id: ShopId) -> ShopItem:
    """The shop with the state of its outside systems."""
    return queries.shop_item(tx, shop_id, runtime.settings.public_base_url)


@router.patch("/{shop_id}", summary="Change a shop", responses=raises(NoSuchShop, ShopTaken))
def change(tx: Tx, admin: Admin, runtime: Runtime, shop_id: ShopId, body: ShopChange) -> ShopItem:
    """Fields that are not sent stay as they are. A changed code changes the address of the shop's help page."""
    service.change_shop(tx, shop_id, body, admin.actor)
    return queries.shop_item(tx, shop_id, runtime.settings.public_base_url)
