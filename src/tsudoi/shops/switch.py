"""Whether shops are switched on. Apart from `context.py`, which loads the web framework and all routes."""

from tsudoi.core.secrets_check import SecretRule
from tsudoi.core.settings import Settings

KEY_HINT = 'python3 -c "import base64, secrets; print(base64.b64encode(secrets.token_bytes(32)).decode())"'
# Base64 of 32 bytes has 44 characters. A value that cannot be used as a key ring is refused when the process starts.
REQUIRED_SETTINGS = {"SHOP_SECRETS_KEYS": SecretRule(43, KEY_HINT)}


def is_on(settings: Settings) -> bool:
    """As `active_contexts` decides."""
    if settings.features:
        return "shops" in settings.features
    return settings.shop_secrets_keys is not None
