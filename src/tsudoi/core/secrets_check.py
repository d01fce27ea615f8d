"""Refusing to start with secrets that are missing, copied from an example, or short enough to guess."""

import re

from pydantic import SecretStr

from tsudoi.core.passwords import weakness
from tsudoi.core.settings import Settings

_EXAMPLE = re.compile(
    r"(?i)change.?me|example|sample|dummy|secret|password|your[-_ ]|x{6}|^test|^demo|^1234567890?$|<.*>"
)
_RANDOM_HINT = 'python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
# name -> (shortest length, how to get a good value)
_REQUIRED = {
    "LINE_CHANNEL_SECRET": (32, "LINE Developers → Messaging API チャネル → チャネル基本設定 → チャネルシークレット"),
    "LINE_CHANNEL_ACCESS_TOKEN": (40, "LINE Developers → Messaging API設定 → チャネルアクセストークン（長期）→ 発行"),
    "LINE_LOGIN_CHANNEL_ID": (6, "LINE Developers → LINEログイン チャネル → チャネル基本設定 → チャネルID"),
    "LIFF_ID": (10, "LINE Developers → LINEログイン チャネル → LIFF → LIFF ID"),
}
_WHEN_SET = {
    "JWT_SECRET": (32, _RANDOM_HINT),
    "REFRESH_SECRET": (32, _RANDOM_HINT),
    "SECURITY_PIN_PEPPER": (32, _RANDOM_HINT),
    "METRICS_TOKEN": (24, _RANDOM_HINT),
    "STRIPE_SECRET_KEY": (20, "Stripe ダッシュボード → 開発者 → APIキー"),
    "STRIPE_WEBHOOK_SECRET": (20, "Stripe ダッシュボード → 開発者 → Webhook → 署名シークレット"),
    "CHATWORK_API_TOKEN": (20, "ChatWork → サービス連携 → APIトークン"),
}


class BadSettings(Exception):
    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(
            "設定に問題があるため起動しません / Refusing to start:\n" + "\n".join(f"  - {f}" for f in faults)
        )


def require_safe(settings: Settings) -> None:
    faults = [] if settings.tsudoi_demo else _faults(settings)
    if faults:
        raise BadSettings(faults)


def _faults(settings: Settings) -> list[str]:
    found = [
        f"{name}: {why} → {how}"
        for group, required in ((_REQUIRED, True), (_WHEN_SET, False))
        for name, (shortest, how) in group.items()
        if (why := _flaw(_value(settings, name), shortest, required=required))
    ]
    if not settings.https and not settings.on_loopback:
        found.append(
            "PUBLIC_BASE_URL: https で始まるアドレスにしてください / must be https → 例 https://tsudoi.example.jp"
        )
    password = _value(settings, "ADMIN_PASSWORD")
    if password and (why := weakness(password) or _flaw(password, 0, required=False)):
        found.append(f"ADMIN_PASSWORD: {why} → {_RANDOM_HINT}")
    return found


def _value(settings: Settings, name: str) -> str | None:
    value = getattr(settings, name.lower())
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _flaw(value: str | None, shortest: int, *, required: bool) -> str | None:
    if not value:
        return "設定されていません / missing" if required else None
    if _EXAMPLE.search(value):
        return "例の値のままです / an example value"
    if len(value) < shortest:
        return f"短すぎます（{shortest}文字以上）/ too short"
    return None
