from collections.abc import Sequence

from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail, InvalidInput, NotFound

_MOST_NAMED = 50


class NoSuchAudience(NotFound):
    """No group has this id."""

    default_message = "このグループは見つかりません。ほかの人が削除したかもしれません。"


class AudienceNameTaken(Conflict):
    """Another group already has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"「{name}」という名前のグループはすでにあります。", [Detail("name", "TAKEN")])


class StaleAudience(ChangedMeanwhile):
    """The group changed after the client read it."""

    default_message = "ほかの人がこのグループを変更しました。画面を読み込み直してから、もう一度お試しください。"


class UnknownMembers(InvalidInput):
    """Some ids belong to no member; the details list them."""

    def __init__(self, field: str, member_ids: Sequence[int]) -> None:
        named = "、".join(map(str, member_ids[:_MOST_NAMED]))
        super().__init__(
            f"名簿にない会員IDが含まれています：{named}",
            [Detail(f"{field}.{member_id}", "UNKNOWN_MEMBER") for member_id in member_ids[:_MOST_NAMED]],
        )


class UnknownAudiences(InvalidInput):
    """Some ids belong to no group; the details list them."""

    def __init__(self, audience_ids: Sequence[int]) -> None:
        super().__init__(
            "存在しないグループが指定されています。",
            [Detail(f"audience_ids.{audience_id}", "UNKNOWN_AUDIENCE") for audience_id in audience_ids[:_MOST_NAMED]],
        )
