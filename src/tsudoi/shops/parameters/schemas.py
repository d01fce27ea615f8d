from typing import Literal

from pydantic import BaseModel, Field, StrictInt

from tsudoi.alarms.wire import BodyId, JstTime, StrictBody
from tsudoi.core.api_examples import example
from tsudoi.shops.parameters.rules import ParameterScope, ShownSource

_STORED = {"scope": "global", "shop_id": None, "value": "5", "updated_at": "2026-11-20T10:15:00+09:00"}
_PARAMETER = {
    "key": "api_timeout_sec",
    "label": "外部APIの応答を待つ秒数",
    "value_type": "int",
    "lowest": 1,
    "highest": 60,
    "default": 10,
    "per_shop": True,
    "effective": {"value": 5, "source": "sys_params_global", "why": "全店舗に共通の設定です。"},
    "stored": [_STORED],
}


class ParameterChange(StrictBody):
    """The value of a parameter, for everybody or for one shop."""

    model_config = example(value=5, scope="global", shop_id=None)

    value: StrictInt
    scope: ParameterScope
    shop_id: BodyId | None = Field(None, description="The shop; only with the scope `shop`.")


class StoredValue(BaseModel):
    """A value in `sys_params`. It may be nonsense if somebody wrote it by hand."""

    model_config = example(**_STORED)

    scope: str
    shop_id: int | None
    value: str
    updated_at: JstTime


class EffectiveItem(BaseModel):
    """The value that holds, and why."""

    value: int | None
    source: ShownSource = Field(description="Where it comes from; with `api_` the value for every outside system.")
    why: str = Field(description="A sentence for the office.")


class ParameterItem(BaseModel):
    """A parameter with its range, the value that holds, and what is stored."""

    model_config = example(**_PARAMETER)

    key: str
    label: str
    value_type: Literal["int"]
    lowest: int
    highest: int
    default: int | None
    per_shop: bool = Field(description="Whether a shop may have a value of its own.")
    effective: EffectiveItem
    stored: list[StoredValue]


class ParameterList(BaseModel):
    """All parameters."""

    model_config = example(parameters=[_PARAMETER])

    parameters: list[ParameterItem]
