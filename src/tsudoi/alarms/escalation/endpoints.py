from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.escalation import queries, service
from tsudoi.alarms.escalation.errors import NoSuchRule, RecipientMissing
from tsudoi.alarms.escalation.schemas import (
    DryRun,
    DryRunRequest,
    EscalationRuleChange,
    EscalationRuleItem,
    EscalationRuleList,
)
from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime

router = APIRouter(prefix="/api/admin/escalation-rules", tags=["alarms"], route_class=TransactionRoute)

RuleCode = Annotated[
    str, Path(max_length=64, pattern="^[A-Z][A-Z0-9_]{0,63}$", description="The rule, such as `API_ERROR_CRITICAL`.")
]


@router.get("", summary="Rules of escalations")
def rules(tx: ReadTx, _admin: Admin, runtime: Runtime) -> EscalationRuleList:
    """Who is told about which trouble, on which channels, and how often at most."""
    return queries.rule_list(tx, runtime.settings)


@router.put("/{rule_code}", summary="Set a rule", responses=raises(RecipientMissing))
def change(
    tx: Tx, admin: Admin, runtime: Runtime, rule_code: RuleCode, body: EscalationRuleChange
) -> EscalationRuleItem:
    """Replaces the rule, or makes it. 400 if a channel is chosen that leads to nobody."""
    service.set_rule(tx, runtime.settings, rule_code, body, admin.actor)
    return queries.rule_item(tx, runtime.settings, rule_code)


@router.post("/{rule_code}/dry-run", summary="Try a rule", responses=raises(NoSuchRule, NoSuchShop))
def dry_run(tx: ReadTx, _admin: Admin, runtime: Runtime, rule_code: RuleCode, body: DryRunRequest) -> DryRun:
    """What each channel would say now, to whom, and why it would or would not. Sends nothing and stores nothing."""
    return queries.dry_run(tx, runtime.settings, rule_code, body.shop_id)
