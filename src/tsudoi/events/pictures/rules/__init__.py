"""What becomes of a picture that the office uploads. Pure."""

from tsudoi.events.pictures.rules.picture import Prepared, prepare

__all__ = ["Prepared", "prepare"]
