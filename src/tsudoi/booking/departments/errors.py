from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail, InvalidInput, NotFound


class NoSuchDepartment(NotFound):
    """No department has this code."""

    default_message = "この部署は見つかりません。画面を読み込み直してください。"


class DepartmentTaken(Conflict):
    """Another department has this code, perhaps in other letters."""

    code = "DEPARTMENT_TAKEN"

    def __init__(self, existing: str) -> None:
        message = f"この部署コードは「{existing}」として登録されています。別のコードにしてください。"
        super().__init__(message, [Detail("id", "TAKEN")])


class DepartmentsAddedMeanwhile(ChangedMeanwhile):
    """Somebody created one of several departments while they were being created. None of them was created."""

    default_message = "途中で、同じコードの部署が別に登録されました。何も登録されていません。もう一度お試しください。"


class DepartmentInUse(Conflict):
    """Staff, quotas or reservations refer to the department."""

    code = "IN_USE"
    default_message = "この部署は使われているため、削除できません。使わなくなったときは「無効」にしてください。"


class WrongDepartment(InvalidInput):
    """The chosen department does not exist (`NOT_FOUND`), or is no longer in use (`INACTIVE`)."""

    def __init__(self, reason: str) -> None:
        text = "この部署は使われなくなりました。" if reason == "INACTIVE" else "この部署コードは登録されていません。"
        super().__init__(f"{text}部署を選び直してください。", [Detail("departmentId", reason)])
