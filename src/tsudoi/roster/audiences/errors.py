from collections.abc import Sequence

from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail, InvalidInput, NotFound

_MOST_NAMED = 50


class NoSuchAudience(NotFound):
    default_message = "このグループは見つかりません。ほかの人が削除したかもしれません。"


class AudienceNameTaken(Conflict):
    def __init__(self, name: str) -> None:
        super().__init__(f"「{name}」という名前のグループはすでにあります。", [Detail("name", "TAKEN")])


class StaleAudience(ChangedMeanwhile):
    default_message = "ほかの人がこのグループを変更しました。画面を読み込み直してから、もう一度お試しください。"


class UnknownMembers(InvalidInput):
    def __init__(self, field: str, member_ids: Sequence[int]) -> None:
        named = "、".join(map(str, member_ids[:_MOST_NAMED]))
        super().__init__(
            f"名簿にない会員IDが含まれています：{named}",
            [Detail(f"{field}.{member_id}", "UNKNOWN_MEMBER") for member_id in member_ids[:_MOST_NAMED]],
        )


class UnknownAudiences(InvalidInput):
    def __init__(self, audience_ids: Sequence[int]) -> None:
        super().__init__(
            "存在しないグループが指定されています。",
            [Detail(f"audience_ids.{audience_id}", "UNKNOWN_AUDIENCE") for audience_id in audience_ids[:_MOST_NAMED]],
        )
