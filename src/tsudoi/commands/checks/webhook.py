"""Does LINE reach our webhook, and do both sides know the same secret?

The product answers 200 to a wrong signature too, as it must, and leaves a line in its log. So LINE's own test tells
nothing of the secret, and the log does: a test that leaves no such line was signed with our secret. That holds only if
the log we read is the one of the server that LINE reaches, which a wrongly signed call of our own shows first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tsudoi.commands.checks.findings import Finding, Level, Patient, line_refused
from tsudoi.core.command_line import tsudoi_command
from tsudoi.gateway.clients.line_account import WebhookTest
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Refused, Rejected
from tsudoi.gateway.http import CallPolicy, HttpRequest, NoResponse
from tsudoi.gateway.pools import Pool

WEBHOOK, SECRET = "Webhook", "チャネルシークレット"
_CONSOLE = "LINE Developers → Messaging API設定 → Webhook設定"
_REFUSED = b'"reason":"signature_invalid"'
_CONTROL = CallPolicy(Pool("doctor", 1), timeout=timedelta(seconds=4), deadline=timedelta(seconds=4))
# A forged webhook of a stranger may arrive during one test, but hardly during each of them.
_TESTS = 2


def webhook(patient: Patient) -> Iterator[Finding]:
    wanted = f"{patient.settings.public_base_url}/api/line/webhook"
    found = patient.account.webhook()
    if isinstance(found, Rejected | LineUnreachable):
        yield line_refused(WEBHOOK, found)
        return
    if found is None or found.url != wanted:
        said = f"別のアドレスです / another one: {found.url}" if found else "設定されていません / not set"
        yield Finding(WEBHOOK, Level.PROBLEM, said, f"{_CONSOLE} → {wanted} にしてください / set it to this")
        return
    if not found.active:
        cure = f"{_CONSOLE} →「Webhookの利用」をオンにしてください / turn it on"
        yield Finding(WEBHOOK, Level.PROBLEM, "オフになっています / turned off", cure)
        return
    yield from _tested(patient, wanted)


def _tested(patient: Patient, url: str) -> Iterator[Finding]:
    log = _Log(patient.settings.log_dir / "line")
    ours = _control_leaves_a_line(patient, url, log)
    test, refused = _test(patient, log)
    if not isinstance(test, WebhookTest):
        yield line_refused(WEBHOOK, test)
        return
    yield _reached(test, url)
    if test.success:
        yield _secret(ours=ours, refused=refused)


def _test(patient: Patient, log: "_Log", times: int = _TESTS) -> tuple[WebhookTest | Refused, bool]:
    """LINE's report, and whether each test left a line that says its signature was refused."""
    log.mark()
    test = patient.account.test_webhook()
    refused = isinstance(test, WebhookTest) and test.success and log.refusals_since() > 0
    return _test(patient, log, times - 1) if refused and times > 1 else (test, refused)


def _reached(test: WebhookTest, url: str) -> Finding:
    if test.success:
        return Finding(WEBHOOK, Level.OK, f"LINE から届きます / LINE reaches {url}")
    said = f"LINE からの確認に失敗しました / LINE's test failed: {test.reason} {test.detail}"
    cure = (
        f"{tsudoi_command()} serve が動いていて、外からこのアドレスに https で届くか確認してください / is it reachable?"
    )
    return Finding(WEBHOOK, Level.PROBLEM, said, cure)


def _secret(*, ours: bool, refused: bool) -> Finding:
    if refused:
        said = "LINE の署名と合いません / LINE signs with another secret"
        cure = "Messaging API のチャネルシークレットを LINE_CHANNEL_SECRET に設定し、起動し直してください / set it"
        return Finding(SECRET, Level.PROBLEM, said, cure)
    if ours:
        return Finding(SECRET, Level.OK, "LINE の署名と合っています / LINE's signature was verified")
    said = "サーバーのログがここにないため未確認です / not checked: the server's log is not here"
    cure = "サーバーが動いている機械で、同じ DATA_DIR で実行してください / run this on the server, with its DATA_DIR"
    return Finding(SECRET, Level.WARNING, said, cure)


def _control_leaves_a_line(patient: Patient, url: str, log: "_Log") -> bool:
    headers = {"Content-Type": "application/json", "X-Line-Signature": "tsudoi-doctor"}
    body = b'{"destination":"tsudoi-doctor","events":[]}'
    log.mark()
    try:
        patient.gateway.send(HttpRequest("tsudoi", "webhook_control", "POST", url, _CONTROL, headers, body))
    except NoResponse:
        return False
    return log.refusals_since() > 0


@dataclass(slots=True)
class _Log:
    """What was added to the webhook logs since the mark, whichever day's file it went to."""

    folder: Path
    sizes: dict[Path, int] | None = None

    def mark(self) -> None:
        self.sizes = {path: path.stat().st_size for path in self._files()}

    def refusals_since(self) -> int:
        return sum(self._added(path).count(_REFUSED) for path in self._files())

    def _files(self) -> list[Path]:
        return list(self.folder.glob("WEBHOOK-*.ndjson"))

    def _added(self, path: Path) -> bytes:
        with path.open("rb") as file:
            file.seek((self.sizes or {}).get(path, 0))
            return file.read()
