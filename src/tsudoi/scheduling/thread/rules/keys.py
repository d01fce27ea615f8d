"""The key by which a thread knows a person. Pure."""


def member_key(member_id: int) -> str:
    return f"lm:{member_id}"


def is_registered(key: str) -> bool:
    """Whether the organisation knows the person otherwise than by a mail address."""
    return not key.startswith("e:")
