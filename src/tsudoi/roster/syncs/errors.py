class RosterMoved(Exception):
    """Somebody changed the roster after the plan was made; it has to be made again before anything is written."""


class TooManyWithdrawn(Exception):
    """Looks like a broken sheet; a person has to say that it is meant."""

    def __init__(self, withdrawn: int, live: int) -> None:
        super().__init__(f"{withdrawn} of {live}")
        self.withdrawn = withdrawn
        self.live = live


class SheetUnreadable(Exception):
    """The message says in words what is wrong; nothing was changed."""
