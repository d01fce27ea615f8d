from tsudoi.core.errors import Forbidden


class NotRegistered(Forbidden):
    """The LINE user is not linked to a member; the page then opens the registration."""

    code = "NOT_REGISTERED"
    default_message = "名簿との照合がまだ済んでいません。お名前の登録をお願いします。"
