from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail, NotFound


class NoSuchStaff(NotFound):
    """No staff person has this id."""

    default_message = "この職員は見つかりません。画面を読み込み直してください。"


class StaffIdTaken(Conflict):
    """Another person has this staff id."""

    code = "STAFF_ID_TAKEN"

    def __init__(self) -> None:
        message = "この職員番号は、すでに登録されています。番号を確かめてください。"
        super().__init__(message, [Detail("staffId", "TAKEN")])


class EmrPatientIdTaken(Conflict):
    """Another person has this patient id."""

    code = "EMR_PATIENT_ID_TAKEN"

    def __init__(self) -> None:
        message = "この患者IDは、別の職員に登録されています。番号を確かめてください。"
        super().__init__(message, [Detail("emrPatientId", "TAKEN")])


class StaleStaff(ChangedMeanwhile):
    """The profile has another version than the one that the caller read."""

    default_message = "この職員の情報は、先に変更されています。画面を読み込み直してから、もう一度お試しください。"

    def __init__(self) -> None:
        super().__init__(details=[Detail("version", "STALE")])
