"""The roster as the database has it, the sheet as it was read, and what the one would do to the other."""
