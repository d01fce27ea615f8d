from rich.console import Console

from tsudoi.commands.data import database_of, read_settings
from tsudoi.core import audit
from tsudoi.core.audit_heads import noted_heads


def verify() -> int:
    settings = read_settings()
    heads = noted_heads(settings.audit_heads)
    with database_of(settings) as db:
        verdict = db.read_now(audit.verify, heads)
    console = Console()
    if verdict.broken_at is not None:
        console.print(
            f"監査記録の {verdict.broken_at} 件目で鎖が切れています / broken at row {verdict.broken_at}: {verdict.why}"
        )
        return 1
    console.print(f"監査記録 {verdict.checked} 件は改ざんされていません / {verdict.checked} rows, chain intact")
    console.print(f"末尾 / head: {verdict.head}", soft_wrap=True)
    first = verdict.signed_from
    console.print(f"署名 / signed: {f'{first} 件目から / from row {first}' if first else 'なし / none'}")
    console.print(f"控えとの照合 / noted hashes compared: {len(heads)}（{settings.audit_heads}）", soft_wrap=True)
    return 0
