"""How a mail address is shown where not everybody should be able to write to it. Pure."""


def masked_address(address: str | None) -> str | None:
    """For screens and the audit trail, which is never changed, not even when somebody's data are removed."""
    if not address:
        return None
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}***@{domain}"
