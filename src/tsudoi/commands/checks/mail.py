"""Checks that the mail server greets us and accepts encryption and log-in. Nothing is sent."""

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level
from tsudoi.contexts import active_contexts
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.mail import MailClient, MailConfig
from tsudoi.gateway.clients.mail_outcomes import MailNotNow, MailServerReady, MailUnknown
from tsudoi.scheduling.context import CONTEXT as SCHEDULING

MAIL = "メール"
_DEADLINE = timedelta(seconds=6)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_LOG_IN_CODES = (530, 534, 535, 538)
_PAIRS = "465 は smtps://、587 は smtp+starttls:// です。SMTP_URL を確認してください / check scheme and port"
# The name of a failure, and what to do about it.
_ADVICE = {
    "gaierror": "SMTP_URL のサーバー名を確認してください / check the host name in SMTP_URL",
    "ConnectionRefusedError": "SMTP_URL のサーバー名とポート番号を確認してください / check host and port in SMTP_URL",
    "SSLCertVerificationError": "サーバー名と証明書が合うか確認してください / check host name and certificate",
    "SSLError": _PAIRS,
    "SMTPNotSupportedError": f"サーバーが暗号化かログインに対応していません。{_PAIRS}",
    "SMTPServerDisconnected": _PAIRS,
}
_OUT_OF_REACH = (
    "サーバー名とポート番号、この機械から外へのメール送信が許可されているかを確認してください"
    " / check host, port, and firewall"
)


def mail(context: DoctorContext) -> Iterator[Finding]:
    settings = context.settings
    if settings.smtp_url is None or settings.mail_from is None:
        yield _not_in_use(settings)
        return
    config = MailConfig.of(settings)
    if config is not None and config.security == "plain" and config.user and config.host not in _LOOPBACK:
        message = "メールサーバーのパスワードを暗号化せずに送る設定です / the password is sent without encryption"
        yield Finding(MAIL, Level.WARNING, message, "smtps:// か smtp+starttls:// にしてください / use one of these")
    yield _looked(MailClient(config, None, _DEADLINE), urlsplit(settings.smtp_url.get_secret_value()).hostname or "")


def _not_in_use(settings: Settings) -> Finding:
    if settings.smtp_url or settings.mail_from:
        missing = "MAIL_FROM" if settings.smtp_url else "SMTP_URL"
        message = f"{missing} が空のため、メールを送れません / no mail is sent: {missing} is empty"
        return Finding(MAIL, Level.PROBLEM, message, f"{missing} を設定してください / set it")
    if SCHEDULING not in active_contexts(settings):
        return Finding(MAIL, Level.OK, "使っていません / off")
    message = "設定がないため、日程調整の招待をメールで送れません / invitations cannot be mailed: no mail server"
    return Finding(MAIL, Level.WARNING, message, "SMTP_URL と MAIL_FROM を設定してください / set both")


def _looked(client: MailClient, host: str) -> Finding:
    outcome = client.look()
    if isinstance(outcome, MailServerReady):
        return Finding(MAIL, Level.OK, f"メールサーバー {host} につながりました / the mail server is ready")
    if isinstance(outcome, MailNotNow):
        message = f"メールサーバーに断られました / the mail server refuses: {outcome.code} {outcome.text}"
        advice = "時間をおいて、もう一度実行してください / try again later"
        if outcome.code in _LOG_IN_CODES:
            advice = "SMTP_URL のユーザー名とパスワードを確認してください / check user and password in SMTP_URL"
        return Finding(MAIL, Level.PROBLEM, message, advice)
    reason = outcome.reason if isinstance(outcome, MailUnknown) else type(outcome).__name__
    message = f"メールサーバー {host} と話せません / no conversation with the mail server: {reason}"
    return Finding(MAIL, Level.PROBLEM, message, _ADVICE.get(reason.partition(":")[0], _OUT_OF_REACH))
