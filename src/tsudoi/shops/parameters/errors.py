from tsudoi.core.errors import Detail, InvalidInput, NotFound


class UnknownParameter(InvalidInput):
    """There is no such parameter, or its value belongs into the data of the shop, where it must not be kept twice."""

    def __init__(self, key: str, *, is_shop_data: bool) -> None:
        if is_shop_data:
            message = "この値は店舗の情報として登録します。ここには登録できません（同じ値を二か所で管理しないため）。"
        else:
            message = f"「{key}」という設定項目はありません。"
        super().__init__(message, [Detail("key", "DOUBLES_SHOP_DATA" if is_shop_data else "NOT_ALLOWED")])


class WrongParameterValue(InvalidInput):
    """The value is out of the parameter's range."""

    def __init__(self, label: str, lowest: int, highest: int, reason: str) -> None:
        super().__init__(f"{label}は、{lowest}から{highest}までの整数で入力してください。", [Detail("value", reason)])


class WrongScope(InvalidInput):
    """The scope and the shop do not go together, or this parameter holds for everybody."""

    def __init__(self, message: str, field: str, reason: str) -> None:
        super().__init__(message, [Detail(field, reason)])


class ParameterNotStored(NotFound):
    """Nothing is stored for this key at this place."""

    default_message = "この設定は登録されていません。画面を読み込み直してください。"
