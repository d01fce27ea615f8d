from tsudoi.core.errors import InvalidInput, NotFound


class NoSuchPerson(NotFound):
    """No context has this record."""

    code = "NO_SUCH_PERSON"
    default_message = "この方の記録は見つかりません。消去されたか、アドレスがまちがっているようです。"


class SameRecord(InvalidInput):
    """A decision is about two records, and these are one."""

    code = "SAME_RECORD"
    default_message = "同じ記録どうしは比べられません。"


class UnknownFinding(NotFound):
    """The drift report has no such finding, perhaps because its part of the product is switched off."""

    code = "NO_SUCH_FINDING"
    default_message = "この点検項目はありません。"
