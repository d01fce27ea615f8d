from typing import Literal

from tsudoi.core.errors import Detail, InvalidInput, NotFound

Reason = Literal["NOT_JPEG", "TOO_LARGE", "TOO_MANY_PIXELS", "BROKEN"]

_MESSAGES: dict[Reason, str] = {
    "NOT_JPEG": "画像はJPEG（.jpg）形式のファイルを選んでください。",
    "TOO_LARGE": "画像が大きすぎます。5MB以下のJPEGを選んでください。",
    "TOO_MANY_PIXELS": (
        "画像の縦横が大きすぎるか、極端に細長い画像です。2400万画素以下に縮小してから、もう一度お試しください。"
    ),
    "BROKEN": (
        "画像を読み取れませんでした。ファイルが壊れているかもしれません。"
        "画像を開いてJPEGで保存し直してから、もう一度お試しください。"
    ),
}


class PictureRefused(InvalidInput):
    """The uploaded picture cannot be used."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(_MESSAGES[reason], [Detail("image", reason)])
        self.reason: Reason = reason


class NoSuchPicture(NotFound):
    """There is no such picture. Caches must not keep this, because the picture may be restored from a backup."""

    default_message = "この画像は見つかりません。"

    def __init__(self) -> None:
        super().__init__(headers={"Cache-Control": "no-store"})
