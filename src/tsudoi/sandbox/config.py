"""The settings with which the sandbox starts."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, kw_only=True)
class SandboxConfig:
    """The settings of the sandbox. It has the same secrets as the product, because both must know the same channel."""

    host: str = "127.0.0.1"
    port: int = 8001
    # Where the mail server listens. None: one above `port`, or any free port when `port` is 0.
    smtp_port: int | None = None
    channel_secret: str
    channel_access_token: str
    login_channel_id: str
    liff_id: str
    webhook_url: str | None
    liff_endpoint_url: str
    stripe_secret_key: str = "sk_test_of_the_sandbox_0000"  # noqa: S105 (known to everybody)
    stripe_webhook_secret: str = "whsec_of_the_sandbox_0000"  # noqa: S105 (known to everybody)
    gemini_api_key: str = "gemini-key-of-the-sandbox-0000"
    openai_api_key: str = "openai-key-of-the-sandbox-0000"
    chatwork_api_token: str = "chatwork-token-of-the-sandbox-0000"  # noqa: S105 (known to everybody)
    # Both SMS providers know the product under this account.
    sms_account: str = "ACcafe0000cafe0000cafe0000cafe0000"
    sms_token: str = "sms-token-of-the-sandbox-0000"  # noqa: S105 (known to everybody)
    # With None Stripe's webhooks go to `/api/stripe/webhook` of the server that gets LINE's.
    stripe_webhook_url: str | None = None
    account_name: str = "集い 公式"
    # How a person types the product's command in another terminal.
    command: str = "tsudoi"
    # Where the state is kept over a restart. With None it is kept in memory alone.
    state_file: Path | None = None
    # Browser origins, beside the sandbox's own, that may write through the control API.
    allow_origins: tuple[str, ...] = ()

    @property
    def mail_port(self) -> int:
        if self.smtp_port is not None:
            return self.smtp_port
        return self.port + 1 if self.port else 0

    @property
    def product_url(self) -> str:
        parts = urlsplit(self.liff_endpoint_url)
        return f"{parts.scheme}://{parts.netloc}"
