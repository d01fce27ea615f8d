class RosterChanged(Exception):
    """The roster changed after the plan was made, so a new plan is needed before anything is written."""


class TooManyWithdrawn(Exception):
    """So many members would withdraw that the sheet looks broken. A person has to confirm it with `--force`."""

    def __init__(self, withdrawn: int, live: int) -> None:
        super().__init__(f"{withdrawn} of {live}")
        self.withdrawn = withdrawn
        self.live = live


class SheetUnreadable(Exception):
    """The sheet or file could not be read; nothing was changed. The message is for the person at the terminal."""
