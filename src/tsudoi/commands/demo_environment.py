"""The settings of the demo as environment variables, which its two processes read."""

import os
import shlex
from pathlib import Path

from tsudoi.commands.demo_file import contradicts, demo_settings
from tsudoi.commands.demo_people import SHEET_ID
from tsudoi.commands.refusals import Refusal
from tsudoi.commands.sandbox import DEMO_SECRETS, port_of, sandbox_port, sandbox_smtp_port
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.settings import Settings
from tsudoi.core.settings_file import production_is_here

# These values are public, so `serve` refuses them outside the demo. Without them the demo would have no booking.
BOOKING_SECRETS = {
    "JWT_SECRET": "demo-jwt-secret-that-everybody-knows",
    "REFRESH_SECRET": "demo-refresh-secret-that-everybody-knows",
    "SECURITY_PIN_PEPPER": "demo-security-pin-pepper-for-tsudoi-demo",
}
# The key is as public: it protects nothing but invented tokens.
SHOP_SETTINGS = {
    "SHOP_SECRETS_KEYS": "dHN1ZG9pLWRlbW8ta2V5LWV2ZXJ5Ym9keS1rbm93cyE=",
    "CHATWORK_ROOM_ID": "300100200",
    "SMS_PROVIDER": "twilio",
    "SMS_FROM": "+815012345678",
}


def take_demo_environment(username: str, password: str) -> dict[str, str]:
    """Set the variables for this process and its children, and return them for `demo_file`."""
    # The demo always uses SQLite in its own folder, even if `.env` has other settings. Beside an installation it does
    # not even read the settings of the installation, and neither do the commands that it shows.
    beside_production = production_is_here()
    if beside_production:
        os.environ["TSUDOI_DEMO"] = "1"
    data_dir = Path(os.environ.pop("DATA_DIR", "") or "var").absolute()
    environment = {**_environment(data_dir), "ADMIN_USERNAME": username, "ADMIN_PASSWORD": password}
    # DATA_DIR was removed above, so these are the settings that a command in another terminal will read.
    elsewhere = Settings()
    os.environ.update(environment, TSUDOI_COMMAND=_command(elsewhere, demo_settings(environment), beside_production))
    return environment


def _environment(data_dir: Path) -> dict[str, str]:
    host, port, box_port = os.environ.get("HOST") or "127.0.0.1", port_of("PORT", 8000), sandbox_port()
    box_url = f"http://{host}:{box_port}"
    return {
        **DEMO_SECRETS,
        **BOOKING_SECRETS,
        **SHOP_SETTINGS,
        "STORES_API_BASE": f"{box_url}/reserve/202101",
        "CHATWORK_API_BASE": f"{box_url}/chatwork/v2",
        "SMS_API_BASE": f"{box_url}/twilio",
        "STAFF_SELF_REGISTRATION": "code",
        "TSUDOI_DEMO": "1",
        "DATA_DIR": str(data_dir),
        "DATABASE_URL": f"sqlite:///{data_dir / 'tsudoi.sqlite3'}",
        "HOST": host,
        "PORT": str(port),
        "PUBLIC_BASE_URL": f"http://{host}:{port}",
        "LIFF_ADAPTER": "sandbox",
        "LIFF_BASE": f"{box_url}/liff",
        "LINE_API_BASE": box_url,
        "LINE_DATA_API_BASE": box_url,
        "FRAME_ANCESTORS": box_url,
        "IMAGE_ORIGINS": box_url,
        "SHEETS_API_BASE": box_url,
        "STRIPE_API_BASE": box_url,
        "GEMINI_API_BASE": box_url,
        "OPENAI_API_BASE": f"{box_url}/openai/v1",
        "AI_FALLBACK_ENABLED": "true",
        "MEMBERS_SHEET_ID": SHEET_ID,
        "GOOGLE_SERVICE_ACCOUNT_FILE": str(data_dir / "demo-google-key.json"),
        "SMTP_URL": f"smtp://{host}:{sandbox_smtp_port()}",
        "ORGANISATION_NAME": "集い 町内会連合会",
        "ORGANISATION_PHONE": "052-000-0000",
        "MAIL_FROM": "集い 事務局 <jimukyoku@tsudoi.example>",
        "NOTION_NEWS_URL": os.environ.get("NOTION_NEWS_URL") or f"{box_url}/news",
        "LOG_LEVEL": os.environ.get("LOG_LEVEL") or "WARNING",
    }


def _command(elsewhere: Settings, demo: Settings, beside_production: bool) -> str:
    """The command to type in another terminal, in the same folder, so that it uses the settings of the demo."""
    words = [tsudoi_command()]
    if beside_production or contradicts(elsewhere, demo):
        words.insert(0, "TSUDOI_DEMO=1")
    if elsewhere.data_dir.absolute() != demo.data_dir:
        here = Path.cwd()
        inside = demo.data_dir.is_relative_to(here)
        words.insert(0, f"DATA_DIR={shlex.quote(str(demo.data_dir.relative_to(here) if inside else demo.data_dir))}")
    return " ".join(words)


def claim_data_dir(data_dir: Path) -> None:
    """Refuse a folder with real data, because the demo's administrator has a public password."""
    mark = data_dir / "this-is-a-demo"
    if (data_dir / "tsudoi.sqlite3").exists() and not mark.exists():
        raise Refusal(
            f"{data_dir} にはデモではないデータがあります。デモは別のフォルダーで動かしてください。\n"
            f"{data_dir} holds data that is not the demo's.\n→ DATA_DIR=./demo {tsudoi_command().split()[-1]} demo"
        )
    data_dir.mkdir(parents=True, exist_ok=True)
    mark.touch()
