"""`tsudoi booking mask`: remove the personal data of a staff person who left."""

from pydantic_core import PydanticCustomError
from rich.console import Console

from tsudoi.booking.accounts import rules, service
from tsudoi.booking.staffs.queries import staff_uid_of
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Problem


def mask(staff_id: str, reason: str) -> int:
    try:
        why = rules.reason(reason)
        with database_of(read_settings()) as db:
            db.write_now(_mask, staff_id, why)
    except PydanticCustomError as wrong:
        raise Refusal("--reason に理由を入力してください / give a reason") from wrong
    except Problem as problem:
        raise Refusal(problem.message) from problem
    text = f"職員番号 {staff_id} の個人情報を消去しました。予約の記録は残っています / masked"
    Console(highlight=False).print(text, markup=False)
    return 0


def _mask(tx: Tx, staff_id: str, reason: str) -> None:
    service.mask(tx, staff_uid_of(tx, staff_id), reason, "cli")
