from tsudoi.core.errors import Conflict, NotFound


class NoMatch(NotFound):
    """The same answer for every unsafe case, so that nobody learns who is on the roster or who is linked."""

    code = "NO_MATCH"
    default_message = (
        "名簿と一致するお名前が見つかりませんでした。名簿と同じ表記か、ご確認ください。"
        "わからないときは事務局にご連絡ください。"
    )


class LinkConflict(Conflict):
    """A link is never overwritten; the office has to undo the old one first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class NoSuchMember(NotFound):
    """No active member has this id."""

    default_message = "会員が見つかりません。名簿の同期で変わったかもしれません。"


class NoSuchFriend(NotFound):
    """No LINE friend has this user id."""

    default_message = "LINEの友だちが見つかりません。"


class NobodyWaits(NotFound):
    """The LINE user does not wait for a confirmation, or somebody else has dealt with it."""

    default_message = "この方の登録は、確認待ちではありません。ほかの人が先に対応したかもしれません。"


class NotLinked(NotFound):
    """The member has no link that could be removed."""

    default_message = "この会員はLINEと連携していません。"
