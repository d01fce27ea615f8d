"""Whether booking is switched on. Apart from `context.py`, which loads the web framework and all routes."""

from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule
from tsudoi.core.settings import Settings

_SECRET = SecretRule(32, RANDOM_HINT)
REQUIRED_SETTINGS = {"JWT_SECRET": _SECRET, "REFRESH_SECRET": _SECRET, "SECURITY_PIN_PEPPER": _SECRET}


def is_on(settings: Settings) -> bool:
    """As `active_contexts` decides."""
    if settings.features:
        return "booking" in settings.features
    return any(getattr(settings, name.lower()) for name in REQUIRED_SETTINGS)
