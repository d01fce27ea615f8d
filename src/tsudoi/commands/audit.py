from rich.console import Console

from tsudoi.commands.data import database_of, read_settings
from tsudoi.core import audit


def verify() -> int:
    with database_of(read_settings()) as db:
        verdict = db.read_now(audit.verify)
    console = Console()
    if verdict.broken_at is None:
        console.print(f"監査記録 {verdict.checked} 件は改ざんされていません / {verdict.checked} rows, chain intact")
        console.print(f"末尾 / head: {verdict.head}", soft_wrap=True)
        return 0
    console.print(
        f"監査記録の {verdict.broken_at} 件目で鎖が切れています / broken at row {verdict.broken_at}: {verdict.why}"
    )
    return 1
