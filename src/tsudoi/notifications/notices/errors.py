"""Why a notice is not sent again."""

from tsudoi.core.errors import Conflict, NotFound, Problem


class NoSuchNotice(NotFound):
    """There is no notification job with this id."""

    default_message = "この通知は見つかりません。通知の一覧を読み込み直してください。"


class NoticeAlreadySent(Conflict):
    """LINE has taken the notice."""

    code = "ALREADY_SENT"
    default_message = "この通知は送信済みです。一覧を読み込み直して、状態を確認してください。"


class NoticeAlreadyPending(Conflict):
    """The notice waits for the next run of the command, or is being sent."""

    code = "ALREADY_PENDING"
    default_message = "この通知は、すでに送信待ちです。次の送信までお待ちください。"


class NoticeNotSendable(Conflict):
    """By rule this notice is not sent: it was called off, or is about an earlier time of the reservation."""

    code = "NOT_SENDABLE"
    default_message = "この通知は、いまの予約には当てはまらないため送れません。一覧で新しい通知を確認してください。"


class CancelNoticeIsFinal(Conflict):
    """A failed notice of a cancellation is never sent again, because it would come too late to be of use."""

    code = "CANCEL_NOTICE_IS_FINAL"
    default_message = "キャンセル完了の通知は再送できません。必要なときは、電話などで本人に知らせてください。"


class ReservationIsCanceled(Conflict):
    """The reservation that the notice is about was cancelled."""

    code = "RESERVATION_CANCELED"
    default_message = "この予約は取り消されているため、通知を送れません。"


class ReservationHasBegun(Conflict):
    """The appointment has begun, so that the notice would come too late."""

    code = "ALREADY_BEGUN"
    default_message = "予約の時刻を過ぎているため、通知を送れません。必要なときは、電話などで本人に知らせてください。"


class NoLineLink(Conflict):
    """The person has no link with LINE."""

    code = "NO_LINE_LINK"
    default_message = "この人はLINEと連携していません。本人に連携してもらってから、もう一度お試しください。"


class MaybeSent(Conflict):
    """LINE may have taken the notice long ago, so that it could arrive twice."""

    code = "MAYBE_SENT"
    default_message = (
        "この通知は、すでに届いているかもしれません。本人に確認してください。"
        "二重に届いてもよいときは、そのことを選んでから再送してください。"
    )


RESEND_REFUSALS: dict[str, type[Problem]] = {
    error.code: error
    for error in (
        NoticeAlreadySent,
        NoticeAlreadyPending,
        NoticeNotSendable,
        CancelNoticeIsFinal,
        ReservationIsCanceled,
        ReservationHasBegun,
        NoLineLink,
        MaybeSent,
    )
}
