from collections.abc import Sequence

from tsudoi.core.errors import ChangedMeanwhile, Detail, InvalidInput


class UnreadableFile(InvalidInput):
    """The file is no CSV that we can read: its encoding, its quotation marks, or NUL characters."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, [Detail("file", reason)])


class WrongColumns(InvalidInput):
    """The first line does not name every column that is needed, or names one twice; the details say which."""

    def __init__(self, message: str, columns: Sequence[str], reason: str) -> None:
        super().__init__(f"{message}：{'、'.join(columns)}", [Detail(column, reason) for column in columns])


class TooManyNewDepartments(InvalidInput):
    """The file names more unknown departments than a hospital has: probably another column has their heading."""

    def __init__(self, found: int, most: int) -> None:
        message = (
            f"登録されていない部署が{found:,}件あります。一度に作れるのは{most}件までです。"
            "部署の列に、ほかの内容が入っていないか確かめてください。"
        )
        super().__init__(message, [Detail("createDepartments", "TOO_MANY")])


class StaffAddedMeanwhile(ChangedMeanwhile):
    """Somebody registered one of these staff ids while the import ran. Nothing was imported."""

    default_message = (
        "取り込みの途中で、同じ職員番号が別に登録されました。何も取り込まれていません。もう一度お試しください。"
    )
