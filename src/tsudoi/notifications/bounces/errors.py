class UnreadableMail(Exception):
    """A message of which nothing can be made: its parts are nested too deeply, or its headers are too long."""
