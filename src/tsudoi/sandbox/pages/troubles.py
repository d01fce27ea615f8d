"""Switches with which a person breaks one outside system on purpose, and mends it again."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.faults import FaultRule
from tsudoi.sandbox.pages import forms
from tsudoi.sandbox.pages.forms import Form
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import is_whole, world_of

_TITLE = "外部サービスの不具合"
_ABOUT = (
    "<p>外部サービスに、わざと不具合を起こします。選んで「切り替える」を押すと、すぐに効きます。"
    "直すときは「正常」に戻してください。</p>"
)
_SYSTEMS = {
    "stores": "STORES 予約",
    "chatwork": "ChatWork",
    "sms": "SMS",
    "line": "LINE",
    "openai": "言語モデル（OpenAI 互換）",
}
_FINE = "fine"
_Trouble = tuple[str, FaultKind, dict[str, Any]]
_TROUBLES: dict[str, _Trouble] = {
    "down": ("止まっている（503）", FaultKind.ERROR_STATUS, {"status": 503}),
    "busy": ("混みあっている（429）", FaultKind.RATE_LIMITED, {}),
    "unauthorized": ("認証に失敗する（401）", FaultKind.ERROR_STATUS, {"status": 401}),
    "forbidden": ("権限がない（403）", FaultKind.ERROR_STATUS, {"status": 403}),
    "slow": ("返事が5秒遅れる", FaultKind.SLOW, {"seconds": 5.0}),
    "silent": ("返事をしない", FaultKind.TIMEOUT_BEFORE_ACCEPT, {"seconds": 60.0}),
    "lost": ("受け付けたのに、返事の前に切れる", FaultKind.TIMEOUT_AFTER_ACCEPT, {"seconds": 0.0}),
    "closed": ("受け付ける前に切れる", FaultKind.DROP_CONNECTION, {}),
    "html": ("HTML のページを返す", FaultKind.HTML_PAGE, {}),
    "redirect": ("別の場所へ転送する（302）", FaultKind.REDIRECT, {}),
    "empty": ("中身のない返事をする", FaultKind.EMPTY_BODY, {}),
    "broken": ("壊れた JSON を返す", FaultKind.BROKEN_JSON, {}),
}
_TIMES = {"": "直すまで", "1": "1回だけ", "3": "3回だけ", "10": "10回だけ"}
# Rules of this page carry their system in the id, so that rules which others have set stay untouched.
_MARK = "trouble-"


async def show_troubles(request: Request) -> Response:
    world = world_of(request)
    saved = '<p role="status" class="saved">切り替えました。</p>' if "saved" in request.query_params else ""
    sections = "".join(_section(world, system, name) for system, name in _SYSTEMS.items())
    return page(_TITLE, f"{_ABOUT}{saved}{sections}{forms.BACK_TO_PHONES}")


def _section(world: World, system: str, name: str) -> str:
    rule = _rule_of(world, system)
    now = _FINE if rule is None else _trouble_of(rule)
    options = {_FINE: "正常"} | {key: trouble[0] for key, trouble in _TROUBLES.items()}
    times = "" if rule is None or rule.times is None else str(rule.times)
    hidden = f'<input type="hidden" name="system" value="{system}">'
    fields = (
        forms.choice_field("trouble", f"{name}の状態", options, now),
        forms.choice_field("times", "いつまで", _TIMES, times),
    )
    fired = "" if rule is None else f"<p>{rule.fired:,} 回起こしました。</p>"
    return f"<section><h2>{name}</h2>{fired}{forms.form('/troubles', hidden + ''.join(fields), '切り替える')}</section>"


def _rule_of(world: World, system: str) -> FaultRule | None:
    return next((rule for rule in world.faults.rules if rule.id.startswith(f"{_MARK}{system}-")), None)


def _trouble_of(rule: FaultRule) -> str:
    return rule.id.rpartition("-")[2]


@forms.posted
def switch(request: Request, form: Form) -> Response:
    world = world_of(request)
    system, key, times = form.get("system", ""), form.get("trouble", ""), form.get("times", "")
    if system not in _SYSTEMS or key not in (_FINE, *_TROUBLES) or (times and not is_whole(times)):
        raise Refusal(400, "この切り替えはできません。")
    others = [rule for rule in world.faults.rules if not rule.id.startswith(f"{_MARK}{system}-")]
    world.faults.rules = [*others, *_rules(system, key, int(times) if times else None)]
    world.conditions_changed()
    return RedirectResponse("/troubles?saved", 303)


def _rules(system: str, key: str, times: int | None) -> list[FaultRule]:
    if key == _FINE:
        return []
    _, kind, more = _TROUBLES[key]
    return [FaultRule(f"{_MARK}{system}-{key}", kind, system, times=times, **more)]
