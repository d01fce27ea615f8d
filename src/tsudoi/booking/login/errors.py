from tsudoi.core.errors import Forbidden, Unauthenticated


class NetworkNotAllowed(Forbidden):
    """`STAFF_LOGIN_NETWORKS` does not contain the address of the caller."""

    code = "NETWORK_NOT_ALLOWED"
    default_message = "この場所（ネットワーク）からはログインできません。院内のネットワークからログインしてください。"


class ActivationExpired(Forbidden):
    """The initial PIN was not changed in time. The office has to reset it."""

    code = "ACTIVATION_EXPIRED"
    default_message = (
        "初回ログインの期限が過ぎました。健診・予約の担当者に、暗証番号（PIN）の再発行を依頼してください。"
    )


class BadRefreshToken(Unauthenticated):
    """The refresh token is missing, forged, expired, or its session has ended."""

    default_message = "ログインの有効期限が切れました。もう一度ログインしてください。"
