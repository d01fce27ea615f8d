from tsudoi.core.errors import Conflict, NotFound


class NoSuchTicket(NotFound):
    """No ticket has this id."""

    default_message = "このチケットは見つかりません。画面を読み込み直してください。"


class TicketClosed(Conflict):
    """The ticket is closed. A closed one stays closed; the same trouble opens a new one."""

    code = "TICKET_CLOSED"
    default_message = "このチケットは、すでに完了しています。同じ問題がもう一度起きると、新しいチケットができます。"
