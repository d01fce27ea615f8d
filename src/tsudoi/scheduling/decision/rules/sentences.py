"""The rule and its result in plain Japanese, for organisers: the sentences name people. Pure."""

from collections.abc import Mapping, Sequence

from tsudoi.core.clock import display
from tsudoi.scheduling.decision.rules.facts import DecisionRule, Evaluation, RuleGroup, SlotEvaluation, ThreadFacts

_MOST_NAMES = 3
_FIXED = {
    "NO_RULE": "決め方が設定されていないため、自動では決まりません。決め方を設定するか、候補日を選んで決めてください。",
    "NO_SLOTS": "選べる候補日がありません。これからの候補日を追加してください。",
    "NO_INVITEES": "まだ誰も招待していません。招待する人を追加してください。",
    "CANCELLED": "この日程調整は中止になりました。",
}
_WAYS_ON = "回答の変更をお願いするか、候補日、招待する人、または決め方を変えてください。"


def rule_sentence(rule: DecisionRule, names: Mapping[str, str]) -> str:
    """What decides."""
    who, together = _who(rule, names)
    condition = f"{who}が揃えば" if together else f"{who}が○と答えれば"
    if rule.auto_finalize:
        return f"{condition}自動で決まります。"
    return f"{condition}条件を満たします。自動では決まらないので、主催者が決定します。"


def explanation(evaluation: Evaluation, facts: ThreadFacts) -> str:
    """Where the thread stands, why, and what to do."""
    if evaluation.reason in _FIXED:
        return _FIXED[evaluation.reason]
    if evaluation.state == "finalized" and evaluation.decided:
        return f"{_time(facts, evaluation.decided.slot_id)}に決まりました。"
    if evaluation.state == "satisfied" and evaluation.winner:
        return _satisfied(evaluation, facts)
    if evaluation.state == "open":
        return _waiting(evaluation, facts)
    return _impossible(evaluation, facts)


def decision_sentence(participants: int, *, needs_maybe: bool, at_deadline: bool = False) -> str:
    """Why the rule decided by itself, for the record. It names nobody, because everybody may read it."""
    counted = "○だけでは決まらないため△も数えて、" if needs_maybe else ""
    when = "回答の期限になり、" if at_deadline else ""
    return f"{when}{counted}{participants}人が参加でき、条件を満たしたため自動で決まりました。"


def missing_sentence(slot: SlotEvaluation, names: Mapping[str, str]) -> str | None:
    """Who is missing for this slot. None: nobody is, or the slot has begun."""
    if slot.begun or slot.valid or not (slot.missing_all or slot.missing_count):
        return None
    parts = [_together(slot.missing_all, names)] if slot.missing_all else []
    if slot.missing_count:
        parts.append(_some(slot.missing_any, slot.missing_count, names))
    who = "と、".join(parts)
    if not slot.possible:
        return f"いまの回答のままでは、この日には決まりません。{who}の○が足りません。"
    return f"あと{who}が○と答えると、この日に決まります。"


def _who(rule: DecisionRule, names: Mapping[str, str]) -> tuple[str, bool]:
    """Who has to say yes, and whether that can be more than one person."""
    match rule.type:
        case "ALL":
            everybody = _together(rule.participants, names) if rule.participants else "招待した全員"
            return everybody, len(rule.participants) != 1
        case "REQUIRED_PLUS_K":
            return _required(rule, names)
        case "GROUP_ANY":
            groups = "、または".join(_group(group, names) for group in rule.groups)
            return groups, any(group.least > 1 for group in rule.groups)
        case "K_OF_N":
            return _count(rule.participants, rule.k, names), rule.k > 1
    return _count(rule.participants, 1, names), False


def _required(rule: DecisionRule, names: Mapping[str, str]) -> tuple[str, bool]:
    if not rule.required:
        return _count(rule.optional, rule.quorum, names), rule.quorum > 1
    required = _together(rule.required, names)
    if not rule.quorum:
        return required, len(rule.required) > 1
    others = [key for key in rule.optional if key not in rule.required]
    more = f"{_together(others, names)}のうち{rule.quorum}人" if others else f"ほかに{rule.quorum}人"
    return f"{required}と、{more}", True


def _group(group: RuleGroup, names: Mapping[str, str]) -> str:
    if not group.name:
        return f"{_together(group.keys, names)}のうち{group.least}人"
    return f"「{group.name}」から{group.least}人"


def _count(keys: Sequence[str], count: int, names: Mapping[str, str]) -> str:
    if keys:
        return f"{_together(keys, names)}のうち{count}人" if len(keys) > 1 else _together(keys, names)
    return f"招待した人のうち{count}人" if count > 1 else "招待した人のうち誰か1人"


def _some(keys: Sequence[str], count: int, names: Mapping[str, str]) -> str:
    """`count` of these people. Fewer may be left than are needed."""
    if not keys or len(keys) < count:
        return f"{count}人"
    return _together(keys, names) if len(keys) == count else f"{_together(keys, names)}のうち{count}人"


def _together(keys: Sequence[str], names: Mapping[str, str]) -> str:
    shown = [f"{names[key]}さん" if key in names else "招待されていない人" for key in keys[:_MOST_NAMES]]
    if len(keys) > _MOST_NAMES:
        return f"{'、'.join(shown)}ほか{len(keys) - _MOST_NAMES}人"
    return "と".join(shown) if len(shown) < _MOST_NAMES else "、".join(shown)


def _time(facts: ThreadFacts, slot_id: str | None) -> str:
    return next((display(slot.starts_at) for slot in facts.slots if slot.slot_id == slot_id), "削除された候補日")


def _names(facts: ThreadFacts) -> dict[str, str]:
    return {person.key: person.name for person in facts.invitees}


def _satisfied(evaluation: Evaluation, facts: ThreadFacts) -> str:
    when = _time(facts, evaluation.winner)
    count = f"{len(evaluation.participants)}人"
    who = (
        f"○だけでは決まらないため△も数えると、{count}が参加でき"
        if evaluation.winner_needs_maybe
        else f"{count}が参加でき"
    )
    way_on = "よければ決定してください。"
    if facts.rule is None or not facts.rule.auto_finalize:
        way_on = f"自動では決まらないので、{way_on}"
    elif facts.waits_for_deadline:
        way_on = "回答の期限に自動で決まります。"
    return f"{when}は{who}、条件を満たしています。{way_on}"


def _waiting(evaluation: Evaluation, facts: ThreadFacts) -> str:
    when = _time(facts, evaluation.deciding_slot)
    who = _together(evaluation.deciding_set, _names(facts))
    count = len(evaluation.deciding_set)
    return f"まだ決まっていません。あと{count}人（{who}）が{when}に○と答えると決まります。"


def _impossible(evaluation: Evaluation, facts: ThreadFacts) -> str:
    names = _names(facts)
    declined = [key for key, state in evaluation.people.items() if state == "declined"]
    lapsed = [key for key, state in evaluation.people.items() if state == "lapsed"]
    causes = [f"{_together(declined, names)}は参加できません。"] if declined else []
    if lapsed:
        causes.append(f"{_together(lapsed, names)}は期限までに回答していません。")
    return f"いまの回答のままでは決まりません。{''.join(causes)}{_WAYS_ON}"
