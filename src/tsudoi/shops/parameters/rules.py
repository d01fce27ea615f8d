"""Why a value holds, in the words of the screen. Pure."""

from collections.abc import Mapping
from typing import Literal

from tsudoi.gateway.api_comm.parameters import BY_KEY, EffectiveValue, Source

ParameterScope = Literal["global", "shop"]
# As in `Source`, with `api_` before it where the parameter for every system holds.
ShownSource = Literal[
    "shop",
    "sys_params_shop",
    "sys_params_global",
    "env",
    "default",
    "api_shop",
    "api_sys_params_shop",
    "api_sys_params_global",
    "api_env",
    "api_default",
]
_SHOWN: Mapping[Source, tuple[ShownSource, ShownSource]] = {
    "shop": ("shop", "api_shop"),
    "sys_params_shop": ("sys_params_shop", "api_sys_params_shop"),
    "sys_params_global": ("sys_params_global", "api_sys_params_global"),
    "env": ("env", "api_env"),
    "default": ("default", "api_default"),
}
_PLACES: Mapping[Source, str] = {
    "shop": "この店舗のオプションに登録された値です。",
    "sys_params_shop": "この店舗だけの設定です。",
    "sys_params_global": "全店舗に共通の設定です。",
    "env": "サーバーの環境変数で指定された値です。",
    "default": "どこにも設定がないため、初期値を使っています。",
}
# What tables of shops keep. Each of these has one place, and it is not `sys_params`.
_SHOP_DATA = frozenset(
    {
        *("code", "name", "shop_status", "shop_email", "phone", "stores_public_url", "merchant_public_id"),
        *("merchant_canonical_id", "stores_merchant_canonical_id", "merchant_canonical_ids", "stores_api_token"),
        *("option_code", "option_name", "default_value", "editable_by_store", "store_code", "shop_id"),
    }
)


def is_shop_data(key: str) -> bool:
    return key.lower() in _SHOP_DATA


def shown_source(key: str, found: EffectiveValue) -> ShownSource:
    return _SHOWN[found.source][0 if found.key == key else 1]


def why(key: str, found: EffectiveValue) -> str:
    """Where the value comes from, and which values were passed over because they make no sense."""
    own = _PLACES[found.source]
    if found.value is None:
        own = "設定がありません。"
    elif found.key != key:
        own = f"専用の設定がないため、「{BY_KEY[found.key].label}」の値を使っています。{own}"
    skipped = "".join(f"「{one.value}」は使えない値のため、読み飛ばしました。" for _, one in found.skipped)
    return f"{own}{skipped}"
