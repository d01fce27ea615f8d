from tsudoi.core.errors import NotFound


class NoSuchShop(NotFound):
    """No shop has this id."""

    code = "SHOP_NOT_FOUND"
    default_message = "この店舗は見つかりません。画面を読み込み直してください。"
