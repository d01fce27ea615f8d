from tsudoi.core.errors import Conflict, Detail, NotFound


class NoSuchCustomerLink(NotFound):
    """No link of a customer has this id."""

    default_message = "この連携は見つかりません。すでに解除されたかもしれません。"


class CustomerLinkTaken(Conflict):
    """The LINE user or the customer of STORES is linked already in this shop. A link is never overwritten."""

    code = "LINK_CONFLICT"

    def __init__(self, field: str) -> None:
        names = {
            "line_user_id": "このLINEは、すでに別のお客さま",
            "stores_customer_id": "このお客さまは、すでに別のLINE",
        }
        super().__init__(f"{names[field]}と連携しています。先に今の連携を解除してください。", [Detail(field, "TAKEN")])
