from tsudoi.core.errors import Conflict, Detail


class QuotaExceeded(Conflict):
    """LINE's monthly limit is lower than the number of recipients, and the sender has not confirmed a partial send."""

    code = "QUOTA_EXCEEDED"

    def __init__(self, cost: int, left: int) -> None:
        super().__init__(
            f"LINEで今月あと{left:,}通まで送れますが、この送信には{cost:,}通が必要です。"
            "それでも送る場合は、上限を超えることを確認してから送ってください。",
            [Detail("confirm_over_quota", "QUOTA_EXCEEDED")],
        )
