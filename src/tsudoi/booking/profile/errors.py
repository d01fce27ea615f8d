from tsudoi.core.errors import Conflict, Detail, Forbidden


class RegistrationOff(Forbidden):
    """`STAFF_SELF_REGISTRATION` is `off`."""

    code = "REGISTRATION_OFF"
    default_message = "自己登録は受け付けていません。健診・予約の担当者に登録を依頼してください。"


class WrongRegistrationCode(Forbidden):
    """The code that the office shows is missing, wrong, or was replaced by a newer one."""

    code = "REGISTRATION_CODE_WRONG"
    default_message = "登録コードが正しくありません。院内に掲示されている最新のコードを入力してください。"


class OfficeOnly(Forbidden):
    """The person has set the patient id already; from then on only the office changes it."""

    code = "OFFICE_ONLY"
    default_message = "登録済みの患者IDは変更できません。変更は、健診・予約の担当者に依頼してください。"

    def __init__(self) -> None:
        super().__init__(details=[Detail("emrPatientId", "OFFICE_ONLY")])


class WrongCurrentPin(Forbidden):
    """The current PIN is wrong. Not 401: a client would refresh its tokens and send the wrong PIN once more."""

    code = "WRONG_PIN"
    default_message = "いまの暗証番号（PIN）が正しくありません。"

    def __init__(self) -> None:
        super().__init__(details=[Detail("currentPin", "WRONG")])


class LineUserTaken(Conflict):
    """The LINE account is linked with another staff person."""

    code = "LINE_USER_TAKEN"
    default_message = "このLINEアカウントは、ほかの職員と連携しています。その職員の画面で先に連携を解除してください。"


class AlreadyLinked(Conflict):
    """The person is linked with another LINE account."""

    code = "ALREADY_LINKED"
    default_message = "ほかのLINEアカウントと連携しています。先に連携を解除してください。"
