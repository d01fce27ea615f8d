from tsudoi.core.errors import InvalidInput, NotFound, Problem


class StoresBusy(Problem):
    """STORES takes no more requests for a while. That is not the visitor's rate, and so it is no 429."""

    status = 503
    code = "STORES_RATE_LIMITED"
    default_message = "ただいまご予約の確認が混み合っています。1分ほど待ってから、もう一度お試しください。"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers={"Retry-After": "60"})


class StoresFailed(Problem):
    """STORES did not answer, or not as it should."""

    status = 502
    code = "STORES_CUSTOMER_LOOKUP_FAILED"
    default_message = "ただいまご予約の情報を確認できません。少し待ってから、もう一度お試しください。"


class StoresNotReady(Problem):
    """The shop is not set up for STORES, or our own side failed before STORES was asked."""

    status = 503
    code = "STORES_CUSTOMER_LOOKUP_FAILED"
    default_message = "ただいまご予約の情報を確認できません。お急ぎの場合は、店舗にお電話ください。"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers={"Retry-After": "60"})


class CustomerGone(NotFound):
    """STORES knows this customer no longer."""

    code = "STORES_CUSTOMER_DETAIL_NOT_FOUND"
    default_message = "ご予約の情報が見つからなくなりました。STORESのマイページをご確認ください。"


class RefusedRequest(InvalidInput):
    """API_COMM refused what the page asked for."""

    code = "INVALID_REQUEST"


class KeyNotConnected(Problem):
    """The locks are not connected in this version."""

    status = 501
    code = "REMOTELOCK_STUB_MODE"
    default_message = "鍵の状態は、この画面ではまだ確認できません。"


class AlarmNotSent(Problem):
    """No channel took an escalation."""

    status = 502
    code = "ESCALATION_FAILED"
    default_message = "店舗への連絡を送れませんでした。お電話でご連絡ください。"
