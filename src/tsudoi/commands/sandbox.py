import os
import socket
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from tsudoi.commands.data import read_settings_alone
from tsudoi.commands.refusals import Refusal, port_taken
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.settings import Settings
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import run

DEFAULT_PORT = 8001
# Names the file in which the state is kept. Without it the sandbox forgets everything when it stops.
STATE_FILE = "SANDBOX_STATE_FILE"
# These values are public, so `serve` refuses them outside the demo.
DEMO_SECRETS = {
    "LINE_CHANNEL_SECRET": "demo-channel-secret",
    "LINE_CHANNEL_ACCESS_TOKEN": "demo-channel-access-token",
    "LINE_LOGIN_CHANNEL_ID": "1650000000",
    "LIFF_ID": "1650000000-tsudoiDM",
    "STRIPE_SECRET_KEY": "sk_test_dummy_of_the_demo_0000",
    "STRIPE_WEBHOOK_SECRET": "whsec_dummy_of_the_demo_0000",
    "GEMINI_API_KEY": "demo-gemini-key",
    "OPENAI_API_KEY": "demo-openai-key",
    "CHATWORK_API_TOKEN": "chatwork-token-of-the-demo-0000",
    "SMS_ACCOUNT": "ACdemo0000demo0000demo0000demo0000",
    "SMS_TOKEN": "sms-token-of-the-demo-0000",
}


def sandbox_port() -> int:
    return port_of("SANDBOX_PORT", DEFAULT_PORT)


def sandbox_smtp_port() -> int:
    """The port of the sandbox's mail server."""
    return port_of("SANDBOX_SMTP_PORT", sandbox_port() + 1)


def port_of(variable: str, default: int) -> int:
    given = os.environ.get(variable) or str(default)
    if not given.isdecimal() or not 1 <= int(given) <= 65535:  # noqa: PLR2004 (the valid port numbers)
        raise Refusal(
            f"{variable} は1〜65535の数字にしてください / {variable} must be a number from 1 to 65535: {given}"
        )
    return int(given)


def run_sandbox() -> int:
    for name, value in DEMO_SECRETS.items():
        os.environ.setdefault(name, value)
    config = _config(read_settings_alone())
    require_free(config.host, {"SANDBOX_PORT": config.port, "SANDBOX_SMTP_PORT": config.mail_port}, "sandbox")
    run(config)
    return 0


def require_free(host: str, ports: Mapping[str, int], command: str) -> None:
    """Explain which variable moves a port that another program uses."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for variable, port in ports.items():
        try:
            socket.create_server((host, port), family=family).close()
        except OSError as error:
            raise port_taken(host, port, variable, command) from error


def _config(settings: Settings) -> SandboxConfig:
    return SandboxConfig(
        host=settings.host,
        port=sandbox_port(),
        smtp_port=sandbox_smtp_port(),
        channel_secret=_plain(settings.line_channel_secret),
        channel_access_token=_plain(settings.line_channel_access_token),
        login_channel_id=settings.line_login_channel_id or "",
        liff_id=settings.liff_id or "",
        webhook_url=f"{settings.public_base_url}/api/line/webhook",
        liff_endpoint_url=f"{settings.public_base_url}/liff",
        stripe_secret_key=_plain(settings.stripe_secret_key),
        stripe_webhook_secret=_plain(settings.stripe_webhook_secret),
        gemini_api_key=_plain(settings.gemini_api_key),
        openai_api_key=_plain(settings.openai_api_key),
        chatwork_api_token=_plain(settings.chatwork_api_token),
        sms_account=settings.sms_account or "",
        sms_token=_plain(settings.sms_token),
        stripe_webhook_url=f"{settings.public_base_url}/api/stripe/webhook",
        command=tsudoi_command(),
        state_file=Path(state) if (state := os.environ.get(STATE_FILE)) else None,
    )


def _plain(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret else ""
