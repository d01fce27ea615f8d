from collections.abc import Sequence

from tsudoi.core.errors import Detail, InvalidInput


class TemplateRefused(InvalidInput):
    """The text of a notice cannot be sent as it is. Each reason is a sentence for the office."""

    code = "TEMPLATE_REFUSED"

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(" ".join(reasons), [Detail("body", reason) for reason in reasons])
