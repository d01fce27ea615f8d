from tsudoi.core.errors import Unauthenticated, Unavailable


class TokenNotAccepted(Unauthenticated):
    """LINE does not accept the ID token."""

    default_message = "LINEのログイン情報を確認できませんでした。LINEからもう一度開いてください。"


class LineUnavailable(Unavailable):
    """LINE did not answer, so the ID token could not be verified."""

    code = "LINE_UNAVAILABLE"
    default_message = "LINEに接続できません。少し待ってからもう一度お試しください。"
