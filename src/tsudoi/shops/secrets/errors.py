from tsudoi.core.errors import NotFound


class Unreadable(Exception):
    """A sealed value cannot be opened: its key is not in the ring, it was changed, or it belongs somewhere else."""


class NoSuchSecret(NotFound):
    """The shop has no secret of this name."""

    default_message = "この店舗には、この名前の秘密の値が登録されていません。"
