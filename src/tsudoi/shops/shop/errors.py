from tsudoi.core.errors import Conflict, Detail


class ShopTaken(Conflict):
    """Another shop has this code, or this name in the address of STORES."""

    code = "SHOP_TAKEN"

    def __init__(self, field: str) -> None:
        names = {"code": "店舗コード", "merchant_public_id": "STORESの公開ID"}
        super().__init__(
            f"この{names[field]}は、別の店舗が使っています。別の値にしてください。", [Detail(field, "TAKEN")]
        )
