"""Checks that the server learns the addresses of people from the reverse proxy in front of it.

Doctor asks `/livez` at the public address, by the way that people take, and the server says whose address it has seen.
"""

from datetime import timedelta

from pydantic import ValidationError

from tsudoi.access.health import Alive
from tsudoi.access.watchers import AddressFrom
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.settings import Settings
from tsudoi.gateway.http import CallPolicy, HttpRequest, NoResponse, Pool

PROXY = "リバースプロキシ"
_POLICY = CallPolicy(Pool("doctor", 1), timeout=timedelta(seconds=4), deadline=timedelta(seconds=4))
_SHARED = "全員が1つのアドレスとして数えられ、回数の制限を分け合います / all visitors share one rate limit"


def proxy(context: DoctorContext) -> Finding:
    url = f"{context.settings.public_base_url}/livez"
    try:
        answer = context.gateway.send(HttpRequest("tsudoi", "address_seen", "GET", url, _POLICY))
        seen = Alive.model_validate_json(answer.body).address_from
    except (NoResponse, ValidationError):
        message = f"{url} の応答がないため未確認です / not checked: no answer of ours"
        advice = (
            f"{tsudoi_command()} serve を起動し、このアドレスに届く機械で実行してください"
            " / start it, and run this where the address can be reached"
        )
        return Finding(PROXY, Level.WARNING, message, advice)
    return _judged(seen, context.settings)


def _judged(seen: AddressFrom, settings: Settings) -> Finding:
    advice = (
        "TRUSTED_PROXIES にプロキシのアドレスを設定し、プロキシから X-Forwarded-For を送ってください（docs/deploy）"
        " / set TRUSTED_PROXIES, and let the proxy send this header"
    )
    if seen == "proxy":
        return Finding(PROXY, Level.OK, "プロキシが利用者のアドレスを伝えています / it reports the visitors' addresses")
    if seen == "unknown_proxy":
        message = f"TRUSTED_PROXIES にないプロキシを通っています。{_SHARED}; the proxy is not in TRUSTED_PROXIES"
        return Finding(PROXY, Level.WARNING, message, advice)
    # `tsudoi serve` speaks no TLS, so there is a proxy wherever people use https.
    if settings.https or settings.trusted_proxies:
        message = f"プロキシが X-Forwarded-For を送っていません。{_SHARED}; the proxy sends no X-Forwarded-For"
        return Finding(PROXY, Level.WARNING, message, advice)
    return Finding(PROXY, Level.OK, "ありません / none")
