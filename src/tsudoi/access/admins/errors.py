import math
from datetime import datetime

from tsudoi.core.clock import JST
from tsudoi.core.errors import Conflict, RateLimited, Unauthenticated


class WrongCredentials(Unauthenticated):
    default_message = "ユーザー名またはパスワードが違います。"


class Locked(RateLimited):
    """Said of unknown names too, so that the lock tells nobody which names exist."""

    code = "LOCKED"

    def __init__(self, until: datetime, now: datetime) -> None:
        seconds = max(1, math.ceil((until - now).total_seconds()))
        at = until.astimezone(JST).strftime("%H:%M")
        super().__init__(
            seconds, f"ログインの失敗が続いたため、10分間ロックしています。{at} を過ぎてからもう一度お試しください。"
        )


class UsernameTaken(Conflict):
    def __init__(self, username: str) -> None:
        super().__init__(f"ユーザー名「{username}」はすでに使われています。")
        self.username = username
