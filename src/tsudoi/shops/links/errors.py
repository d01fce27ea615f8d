from tsudoi.core.errors import Conflict


class CustomerLinkConflict(Conflict):
    """The customer is linked with another LINE user. Nothing was changed."""

    code = "LINK_CONFLICT"
    default_message = (
        "このお客様情報は、別のLINEと連携しています。機種変更などでLINEが変わった場合は、引き継ぎを選んでください。"
    )
