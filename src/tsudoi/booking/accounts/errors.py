from tsudoi.core.errors import Conflict


class NotLeft(Conflict):
    """Only the data of a person who left can be masked."""

    code = "NOT_LEFT"
    default_message = "個人情報を消去できるのは、退職した職員だけです。先に状態を「退職」に変更してください。"


class AlreadyMasked(Conflict):
    """The personal data of this person were masked, so there is nothing left to change."""

    code = "MASKED"
    default_message = "この職員の個人情報は消去済みのため、変更できません。"
