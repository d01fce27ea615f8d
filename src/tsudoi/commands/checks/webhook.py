"""Checks that LINE reaches the webhook, and that both sides have the same channel secret.

The server answers 200 to a wrong signature too and writes a line to its log. LINE's own test therefore does not show
whether the secret is right, but the log does: a test without such a line was signed with our secret. This is valid only
if we read the log of the server that LINE reaches. To find out, we also send a request with a wrong signature.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, line_refused
from tsudoi.core.command_line import tsudoi_command
from tsudoi.gateway.clients.line_account import WebhookTest
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Refused, Rejected
from tsudoi.gateway.http import CallPolicy, HttpRequest, NoResponse, Pool

WEBHOOK, SECRET = "Webhook", "チャネルシークレット"
_CONSOLE = "LINE Developers → Messaging API設定 → Webhook設定"
_REFUSED = b'"reason":"signature_invalid"'
_CONTROL = CallPolicy(Pool("doctor", 1), timeout=timedelta(seconds=4), deadline=timedelta(seconds=4))
# A forged webhook may arrive during one test, but hardly during each of them.
_TESTS = 2


def webhook(context: DoctorContext) -> Iterator[Finding]:
    wanted = f"{context.settings.public_base_url}/api/line/webhook"
    found = context.account.webhook()
    if isinstance(found, Rejected | LineUnreachable):
        yield line_refused(WEBHOOK, found)
        return
    if found is None or found.url != wanted:
        message = f"別のアドレスです / another one: {found.url}" if found else "設定されていません / not set"
        yield Finding(WEBHOOK, Level.PROBLEM, message, f"{_CONSOLE} → {wanted} にしてください / set it to this")
        return
    if not found.active:
        advice = f"{_CONSOLE} →「Webhookの利用」をオンにしてください / turn it on"
        yield Finding(WEBHOOK, Level.PROBLEM, "オフになっています / turned off", advice)
        return
    yield from _tested(context, wanted)


def _tested(context: DoctorContext, url: str) -> Iterator[Finding]:
    log = _WebhookLog(context.settings.log_dir / "line")
    test, refused = _test(context, log)
    # Afterwards, because the server writes only so many such lines a minute: if this one is there, the one about LINE's
    # test would be there too.
    ours = _reads_the_servers_log(context, url, log)
    if not isinstance(test, WebhookTest):
        yield line_refused(WEBHOOK, test)
        return
    yield _reached(test, url)
    if test.success:
        yield _secret(ours=ours, refused=refused)


def _test(context: DoctorContext, log: "_WebhookLog", times: int = _TESTS) -> tuple[WebhookTest | Refused, bool]:
    """LINE's report, and whether each test left a line about a refused signature."""
    log.mark()
    test = context.account.test_webhook()
    refused = isinstance(test, WebhookTest) and test.success and log.refusals_since() > 0
    return _test(context, log, times - 1) if refused and times > 1 else (test, refused)


def _reached(test: WebhookTest, url: str) -> Finding:
    if test.success:
        return Finding(WEBHOOK, Level.OK, f"LINE から届きます / LINE reaches {url}")
    message = f"LINE からの確認に失敗しました / LINE's test failed: {test.reason} {test.detail}"
    advice = (
        f"{tsudoi_command()} serve が動いていて、外からこのアドレスに https で届くか確認してください / is it reachable?"
    )
    return Finding(WEBHOOK, Level.PROBLEM, message, advice)


def _secret(*, ours: bool, refused: bool) -> Finding:
    if refused:
        message = "LINE の署名と合いません / LINE signs with another secret"
        advice = "Messaging API のチャネルシークレットを LINE_CHANNEL_SECRET に設定し、起動し直してください / set it"
        return Finding(SECRET, Level.PROBLEM, message, advice)
    if ours:
        return Finding(SECRET, Level.OK, "LINE の署名と合っています / LINE's signature was verified")
    message = "サーバーのログがここにないため未確認です / not checked: the server's log is not here"
    advice = "サーバーが動いている機械で、同じ DATA_DIR で実行してください / run this on the server, with its DATA_DIR"
    return Finding(SECRET, Level.WARNING, message, advice)


def _reads_the_servers_log(context: DoctorContext, url: str, log: "_WebhookLog") -> bool:
    headers = {"Content-Type": "application/json", "X-Line-Signature": "tsudoi-doctor"}
    body = b'{"destination":"tsudoi-doctor","events":[]}'
    log.mark()
    try:
        context.gateway.send(HttpRequest("tsudoi", "webhook_control", "POST", url, _CONTROL, headers, body))
    except NoResponse:
        return False
    return log.refusals_since() > 0


@dataclass(slots=True)
class _WebhookLog:
    """Counts the refused signatures in the webhook logs since `mark`, in the files of all days."""

    folder: Path
    # By the number of the file on its disk, because a full file gets another name.
    sizes: dict[int, int] | None = None

    def mark(self) -> None:
        found = (path.stat() for path in self._files())
        self.sizes = {each.st_ino: each.st_size for each in found}

    def refusals_since(self) -> int:
        return sum(self._added(path).count(_REFUSED) for path in self._files())

    def _files(self) -> list[Path]:
        return list(self.folder.glob("WEBHOOK-*.ndjson"))

    def _added(self, path: Path) -> bytes:
        with path.open("rb") as file:
            file.seek((self.sizes or {}).get(path.stat().st_ino, 0))
            return file.read()
