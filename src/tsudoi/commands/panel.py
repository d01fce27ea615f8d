from rich.console import Console
from rich.panel import Panel
from rich.table import Table

from tsudoi.commands.demo_shops import SAKAE
from tsudoi.commands.demo_staff import PIN, STAFF_ID
from tsudoi.core.command_line import tsudoi_command


def show_panel(product_url: str, sandbox_url: str, admin: tuple[str, str], parts: set[str]) -> None:
    """`admin`: user name and password. `parts`: the contexts that `FEATURES` leaves on."""
    rows = Table.grid(padding=(0, 2))
    rows.add_row("管理画面 / admin console", f"{product_url}/admin/")
    rows.add_row("　ログイン / log-in", " ／ ".join(admin))
    if "booking" in parts:
        rows.add_row("職員の予約 / staff portal", f"{product_url}/staff/")
        rows.add_row("　職員番号・PIN / number, PIN", f"{STAFF_ID} ／ {PIN}")
    if "shops" in parts:
        rows.add_row("店舗の案内 / help page of a shop", f"{product_url}/help/{SAKAE.code}")
    rows.add_row("スマホ / phones", f"{sandbox_url}/")
    rows.add_row("メール / mails", f"{sandbox_url}/mails")
    rows.add_row("名簿シート / roster sheet", f"{sandbox_url}/_sandbox/sheets")
    rows.add_row("API の説明 / API docs", f"{product_url}/api/docs")
    rows.add_row("", "")
    rows.add_row("終了 / stop", "Ctrl-C")
    console = Console(highlight=False)
    console.print(Panel(rows, title="集い Tsudoi", expand=False, padding=(1, 2)))
    # This line is below the frame, because the frame would wrap it and it could not be copied.
    console.print(f"別の端末で / in another terminal:  {tsudoi_command()} members sync", soft_wrap=True)
