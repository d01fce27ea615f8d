from tsudoi.core.errors import Forbidden


class NotRegistered(Forbidden):
    """LINE knows who this is, and the roster does not: the page leads to the registration."""

    code = "NOT_REGISTERED"
    default_message = "名簿との照合がまだ済んでいません。お名前の登録をお願いします。"
