from tsudoi.core.errors import NotFound, Problem, Unauthenticated


class NoSuchStorefront(NotFound):
    """No shop has this code, or it has not opened yet."""

    code = "SHOP_NOT_FOUND"
    default_message = "この店舗のページはありません。予約したページのリンクから、もう一度開いてください。"


class ShopClosed(Problem):
    """The shop is closed for good, so that nobody proves anything there."""

    status = 410
    code = "SHOP_CLOSED"
    default_message = "この店舗は閉店しました。"


class NoHelpSession(Unauthenticated):
    """There is no session of this shop's help page, or it has ended."""

    default_message = "本人確認の有効期限が切れました。もう一度メールアドレスの確認からお願いします。"
